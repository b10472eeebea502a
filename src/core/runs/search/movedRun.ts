import { joinPath } from '../../files/paths.js';
import type { TrainingRun } from '../trainingRun.js';

/** A run whose paths were relative to a directory of it, with paths that are relative to the root of that. */
export function movedRun(run: TrainingRun, folder: string): TrainingRun {
  if (folder === '') return run;
  const below = (path: string): string => (path === '' ? folder : joinPath(folder, path));
  return {
    ...run,
    path: below(run.path),
    checkpoints: run.checkpoints.map((checkpoint) => ({ ...checkpoint, path: below(checkpoint.path) })),
    newest: run.newest === null ? null : below(run.newest),
    stale: run.stale.map(below),
  };
}
