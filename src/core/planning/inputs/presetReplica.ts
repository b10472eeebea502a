/** The parallel sizes of a preset on another number of GPUs: what a preset sets gives way to what is given. */
import type { PlanDocument } from './planDocument.js';
import type { PlanInputs } from './planInputs.js';

/**
 * Inputs with parallel sizes that divide the GPUs: of the preset's tensor parallel ranks, then of its pipeline stages, the most that do, and no more
 * experts' ranks than replicas. What is given besides stays.
 * @param given the inputs that are set, the preset's too
 */
export function fitPresetReplica(given: Partial<PlanInputs>, origins: PlanDocument['origins'] = {}): Partial<PlanInputs> {
  const { gpus } = given;
  if (gpus === undefined || origins.gpus?.kind === 'preset' || given.dataParallel != null) return given;
  const sizeOf = (key: 'tensorParallel' | 'pipelineParallel', other: number) => {
    const size = given[key] ?? 1;
    return origins[key]?.kind === 'preset' ? largestOf(size, gpus, other) : size;
  };
  const tensorParallel = sizeOf(
    'tensorParallel',
    origins.pipelineParallel?.kind === 'preset' ? 1 : (given.pipelineParallel ?? 1),
  );
  const pipelineParallel = sizeOf('pipelineParallel', tensorParallel);
  const replicas = Math.max(1, Math.floor(gpus / (tensorParallel * pipelineParallel)));
  const expertParallel = given.expertParallel ?? 1;
  return {
    ...given,
    ...changed(given, { tensorParallel, pipelineParallel }),
    ...(origins.expertParallel?.kind === 'preset' && expertParallel > replicas
      ? { expertParallel: largestOf(expertParallel, replicas, 1) }
      : {}),
  };
}

function changed(given: Partial<PlanInputs>, sizes: Partial<PlanInputs>): Partial<PlanInputs> {
  return Object.fromEntries(Object.entries(sizes).filter(([key, size]) => (given[key as keyof PlanInputs] ?? 1) !== size));
}

/** The largest divisor of a size, as layers and heads are divided by it, whose product with the other one divides the GPUs; 1 where none does. */
function largestOf(size: number, gpus: number, other: number): number {
  for (let divisor = Math.min(size, gpus); divisor > 1; divisor -= 1)
    if (size % divisor === 0 && gpus % (divisor * other) === 0) return divisor;
  return 1;
}
