import type { TrainingPlan } from '../trainingPlan.js';
import { shardingOfStage } from '../values/shardingNames.js';
import { planOf } from './planOf.js';

/** Adds what follows from what a plan says: world size, data parallelism, global batch, tokens of a step. What is said stays. */
export function completePlan(plan: TrainingPlan): TrainingPlan {
  const worldSize = plan.worldSize ?? product(plan.nodes, plan.gpusPerNode);
  const dataParallel = plan.dataParallel ?? dataParallelOf({ ...plan, ...known('worldSize', worldSize) });
  const gpusPerNode = plan.gpusPerNode ?? quotient(worldSize, plan.nodes);
  const globalBatch = plan.globalBatch ?? product(plan.microBatch, plan.accumulation, dataParallel);
  const accumulation = plan.accumulation ?? quotient(globalBatch, product(plan.microBatch, dataParallel));
  const tokensPerStep = plan.tokensPerStep ?? product(globalBatch, plan.sequenceLength);
  const steps = plan.steps ?? stepsOf(plan, tokensPerStep);
  return planOf({
    ...plan,
    worldSize,
    gpusPerNode,
    dataParallel,
    globalBatch,
    accumulation,
    tokensPerStep,
    steps,
    sharding: plan.sharding ?? shardingOfStage(plan.zeroStage),
    shardDegree: plan.shardDegree ?? (plan.isShardedInNode === true ? gpusPerNode : undefined),
  });
}

function known<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}

/** From the ranks, or else from the batch. Expert parallelism divides ranks that are data-parallel already. */
function dataParallelOf(plan: TrainingPlan): number | undefined {
  const model = product(plan.tensorParallel ?? 1, plan.pipelineParallel ?? 1, plan.contextParallel ?? 1);
  return quotient(plan.worldSize, model) ?? quotient(plan.globalBatch, product(plan.microBatch, plan.accumulation));
}

function stepsOf({ maxTokens }: TrainingPlan, tokensPerStep: number | undefined): number | undefined {
  if (maxTokens === undefined || tokensPerStep === undefined || tokensPerStep <= 0) return undefined;
  return Math.ceil(maxTokens / tokensPerStep);
}

/** Undefined where a factor is not known or not positive, or the product is no exact integer. */
export function product(...factors: readonly (number | undefined)[]): number | undefined {
  let result = 1;
  for (const factor of factors) {
    if (factor === undefined || factor <= 0) return undefined;
    result *= factor;
  }
  return Number.isSafeInteger(result) ? result : undefined;
}

/** Undefined where it does not come out even. */
export function quotient(total: number | undefined, divisor: number | undefined): number | undefined {
  if (total === undefined || divisor === undefined || divisor <= 0 || total < divisor) return undefined;
  return Number.isInteger(total / divisor) ? total / divisor : undefined;
}
