import type { RunCheckpoint } from './checkpointReport.js';

/** Of a run the checkpoint that speaks for it: the newest that was finished, else the newest; null without any. */
export function newestCheckpoint(checkpoints: readonly RunCheckpoint[]): RunCheckpoint | null {
  return checkpoints.findLast(({ finished }) => finished) ?? checkpoints.at(-1) ?? null;
}
