/** What a plan takes for GPUs, sharding and activations that are not given: the least that training fits GPU memory with. */
import { planFields } from '../inputs/planFields.js';
import { standardInputs, type PlanInputs } from '../inputs/planInputs.js';
import { topologyOf } from '../saving/writers.js';
import { trainingMemory } from './memory.js';

type Fitted = Pick<PlanInputs, 'gpus' | 'zeroStage' | 'activations'>;

/** ZeRO stages, the one that shares least first. */
export const zeroStages = ['0', '1', '2', '3'] as const satisfies readonly PlanInputs['zeroStage'][];

/** What an input may be at most; and as many doublings as take the usual number beyond any machine. */
const mostGpus = planFields.gpus.maximum;
const mostDoublings = 14;

/**
 * @param given the inputs that are set, which stay as they are
 * @param inputs all of them, the others at their defaults
 * @returns inputs with the first that fits: stages by themselves, then with activations computed again, then on more GPUs. Where nothing
 * fits, the stage that shares most.
 */
export function fitToMemory(given: Partial<PlanInputs>, inputs: PlanInputs): PlanInputs {
  const start = { ...inputs, gpus: given.gpus ?? Math.min(mostGpus, gpusOfTopology(inputs)) };
  const candidates = candidatesOf(given, start);
  const fitting = candidates.find((candidate) => fits({ ...start, ...candidate })) ?? candidates.at(-1);
  return { ...start, ...fitting };
}

/** Does what one GPU holds while it trains fit its memory. */
export function fits(inputs: PlanInputs): boolean {
  return trainingMemory(inputs, topologyOf(inputs), 0).planned.fits;
}

/** As many as the parallel sizes take, and at least the usual number where replicas can be added. */
function gpusOfTopology({ tensorParallel, pipelineParallel, dataParallel, expertParallel }: PlanInputs): number {
  const replica = tensorParallel * pipelineParallel;
  if (dataParallel !== null) return replica * dataParallel;
  return replica * Math.max(expertParallel, Math.ceil(standardInputs.gpus / replica));
}

function candidatesOf(given: Partial<PlanInputs>, { gpus, activations, dataParallel }: PlanInputs): Fitted[] {
  const stages = given.zeroStage === undefined ? zeroStages : [given.zeroStage];
  const most = stages.at(-1) ?? '3';
  const less = given.activations === undefined ? 'full' : activations;
  const isOpen = given.gpus === undefined && dataParallel === null;
  const more = Array.from({ length: isOpen ? mostDoublings : 0 }, (_, power) => Math.min(mostGpus, gpus * 2 ** (power + 1)));
  return [
    ...stages.map((zeroStage) => ({ gpus, zeroStage, activations })),
    ...[gpus, ...more].map((count) => ({ gpus: count, zeroStage: most, activations: less })),
  ];
}
