/**
 * How a plan saves, as far as that is open: by as many GPUs as it takes for the acceptable loss, and where host memory or the nodes' drives are given
 * for two copies of a node's part; in the background unless even that has no room. What is set of that stays.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import { plannedSize } from '../size/plannedSize.js';
import { driveCopies, storeRoomOf } from '../systems/nodeDrives.js';
import { zeroStages } from '../training/memoryFit.js';
import { carriedRate } from './clientRate.js';
import { hostAllowance, hostCopies } from './hostCopies.js';
import { rateForAcceptableLoss } from './intervalBounds.js';
import { topologyOf, writersOf } from './writers.js';

type Saving = Pick<PlanInputs, 'saveMode' | 'zeroStage'>;

/** @param given the inputs that are set */
export function fitSaving(given: Partial<PlanInputs>, inputs: PlanInputs): Saving {
  const { saveMode, zeroStage } = inputs;
  const open = given.zeroStage === undefined ? zeroStages.slice(zeroStages.indexOf(zeroStage)) : [zeroStage];
  const isHostKnown = given.hostMemoryBytes != null && saveMode !== 'synchronous';
  const inHost = isHostKnown ? open.filter((stage) => fitsHost({ ...inputs, zeroStage: stage })) : open;
  if (inHost.length > 0) return { saveMode, zeroStage: stageForLoss(onDrives(inHost, given, inputs), inputs) };
  const other = { ...inputs, saveMode: given.saveMode === undefined ? 'synchronous' : saveMode } as const;
  return { saveMode: other.saveMode, zeroStage: stageForLoss(onDrives(open, given, other), other) };
}

/** Those by which the nodes' drives have the room, where that is given; all where none does. */
function onDrives(
  stages: readonly PlanInputs['zeroStage'][],
  given: Partial<PlanInputs>,
  inputs: PlanInputs,
): readonly PlanInputs['zeroStage'][] {
  if (given.nvmeCapacityBytes == null) return stages;
  const roomy = stages.filter((zeroStage) => fitsDrives({ ...inputs, zeroStage }));
  return roomy.length > 0 ? roomy : stages;
}

/** Whether the drives hold two checkpoints where they are the storage, and two copies of a node's part where they are a level before it. */
function fitsDrives(inputs: PlanInputs): boolean {
  const size = plannedSize(inputs, []);
  const { largestNodeBytes } = writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode);
  if (driveCopies(inputs) === null)
    return inputs.saveMode !== 'multi-level' || largestNodeBytes * hostCopies <= inputs.nvmeCapacityBytes;
  const roomBytes = storeRoomOf(inputs, size.checkpointBytes, largestNodeBytes);
  return roomBytes === null || roomBytes >= 2 * size.checkpointBytes;
}

/** The first by which the nodes that write carry what the acceptable loss takes; the first of all where none does. */
function stageForLoss(stages: readonly PlanInputs['zeroStage'][], inputs: PlanInputs): PlanInputs['zeroStage'] {
  const size = plannedSize(inputs, []);
  const needed = rateForAcceptableLoss(inputs, size);
  const carries = (zeroStage: PlanInputs['zeroStage']): boolean =>
    carriedRate(inputs, size, writersOf(topologyOf(inputs), size, zeroStage, inputs.gpusPerNode)) >= needed;
  return (needed === 0 ? undefined : stages.find(carries)) ?? stages[0] ?? inputs.zeroStage;
}

/** Whether a node has room for the copies that saving in the background takes. */
export function fitsHost(inputs: PlanInputs): boolean {
  const size = plannedSize(inputs, []);
  const { largestNodeBytes } = writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode);
  return largestNodeBytes * hostCopies * hostAllowance <= inputs.hostMemoryBytes;
}
