import type { RunCheckpoint } from './checkpointReport.js';

/**
 * Of a run the checkpoint that speaks for it: the newest that was finished, else the newest; null without any. The model that a trainer
 * leaves beside its checkpoints is an export, from which no trainer goes on: it speaks for a run of nothing else.
 */
export function newestCheckpoint(checkpoints: readonly RunCheckpoint[]): RunCheckpoint | null {
  const saves = checkpoints.filter(({ path }) => path !== '');
  const all = saves.length === 0 ? checkpoints : saves;
  return all.findLast(({ finished }) => finished) ?? all.at(-1) ?? null;
}
