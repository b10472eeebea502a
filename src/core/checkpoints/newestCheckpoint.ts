import type { RunCheckpoint } from './checkpointReport.js';

/**
 * Of a run the checkpoint that speaks for it: the newest that was finished, else the newest; null without any. The model that a trainer
 * leaves beside its checkpoints is an export, from which no trainer goes on: it speaks for a run of nothing else. A damaged file whose step
 * cannot be read, as a cut `last.ckpt`, need not be the newest, and one beside a whole save of its step costs nothing. A copy is no
 * save.
 */
export function newestCheckpoint(checkpoints: readonly RunCheckpoint[]): RunCheckpoint | null {
  const own = checkpoints.filter(({ copyOf }) => copyOf === undefined);
  const saves = own.filter(({ path }) => path !== '');
  const all = saves.length === 0 ? own : saves;
  const finished = all.filter((checkpoint) => checkpoint.finished);
  const newest =
    finished.findLast((checkpoint) => checkpoint.step !== null || !isBroken(checkpoint)) ?? finished.at(-1) ?? all.at(-1);
  if (newest === undefined || !isBroken(newest)) return newest ?? null;
  return finished.findLast((checkpoint) => checkpoint.step === newest.step && !isBroken(checkpoint)) ?? newest;
}

function isBroken({ verdict }: RunCheckpoint): boolean {
  return verdict === 'broken';
}
