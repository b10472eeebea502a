/**
 * How a plan saves where host memory is given: in the background, by as many GPUs as it takes for two copies of a node's part to fit, unless
 * even that has no room. What is set of that stays.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import { plannedSize } from '../size/plannedSize.js';
import { zeroStages } from '../training/memoryFit.js';
import { hostAllowance, hostCopies } from './hostCopies.js';
import { topologyOf, writersOf } from './writers.js';

type Saving = Pick<PlanInputs, 'saveMode' | 'zeroStage'>;

/** @param given the inputs that are set */
export function fitSaving(given: Partial<PlanInputs>, inputs: PlanInputs): Saving {
  const { saveMode, zeroStage } = inputs;
  if (given.hostMemoryBytes == null || saveMode === 'synchronous') return { saveMode, zeroStage };
  const open = zeroStages.slice(zeroStages.indexOf(zeroStage));
  const fitting = (given.zeroStage === undefined ? open : [zeroStage]).find((stage) => fitsHost({ ...inputs, zeroStage: stage }));
  if (fitting !== undefined) return { saveMode, zeroStage: fitting };
  return { saveMode: given.saveMode === undefined ? 'synchronous' : saveMode, zeroStage };
}

/** Whether a node has room for the copies that saving in the background takes. */
export function fitsHost(inputs: PlanInputs): boolean {
  const size = plannedSize(inputs, []);
  const { largestNodeBytes } = writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode);
  return largestNodeBytes * hostCopies * hostAllowance <= inputs.hostMemoryBytes;
}
