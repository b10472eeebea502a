/** Whether a job of other sizes can load a checkpoint, by what its framework's loader accepts. */
import type { Reshard, SizeChanges } from './checkpointReport.js';

/** Whole tensors, or ones with their global shapes: a job of any sizes loads them. */
export function loadsAnywhere(detail: string): Reshard {
  return reshardOf(detail, { dataParallel: 'load', tensorParallel: 'load', pipelineParallel: 'load' });
}

/** Each rank loads what it saved. `free` are sizes that may change all the same. */
export function loadsAsSaved(detail: string, free: Partial<SizeChanges> = {}): Reshard {
  return reshardOf(detail, { dataParallel: 'no', tensorParallel: 'no', pipelineParallel: 'no', ...free });
}

/**
 * @param command converts it for other sizes, with `SAVED` and `CONVERTED` in place of directories; null where that is a save of a job of the same
 * sizes
 */
export function loadsConverted(detail: string, command: string | null, free: Partial<SizeChanges> = {}): Reshard {
  const changes: SizeChanges = { dataParallel: 'convert', tensorParallel: 'convert', pipelineParallel: 'convert', ...free };
  return { ...reshardOf(detail, changes), command };
}

function reshardOf(detail: string, changes: SizeChanges): Reshard {
  const all = Object.values(changes);
  const can = all.every((change) => change === 'load') ? 'any' : all.includes('convert') ? 'convert' : 'same';
  return { can, detail, changes, command: null };
}
