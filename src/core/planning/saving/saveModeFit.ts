/** The way of saving that a plan takes by itself: in the background, unless the host memory that there is has no room for the copies that this takes. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { plannedSize } from '../size/plannedSize.js';
import { hostAllowance, hostCopies } from './hostCopies.js';
import { topologyOf, writersOf } from './writers.js';

/** @param given the inputs that are set: a way of saving that is among them stays */
export function fitSaveMode(given: Partial<PlanInputs>, inputs: PlanInputs): PlanInputs['saveMode'] {
  if (given.saveMode !== undefined || given.hostMemoryBytes == null) return inputs.saveMode;
  const size = plannedSize(inputs, []);
  const { largestNodeBytes } = writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode);
  return largestNodeBytes * hostCopies * hostAllowance <= inputs.hostMemoryBytes ? 'asynchronous' : 'synchronous';
}
