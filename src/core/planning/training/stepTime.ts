/** How long a step takes, and what is counted in steps as time. Configs count in steps. */
import type { NumberField } from '../inputs/planField.js';
import { planFields } from '../inputs/planFields.js';
import type { PlanInputs } from '../inputs/planInputs.js';
import { topologyOf } from '../saving/writers.js';
import { tokensPerSecondOf } from './dataFeed.js';

/** Seconds: given, or the tokens of a step ÷ tokens a second; null where neither is known. */
export function stepSecondsOf(inputs: PlanInputs): number | null {
  if (inputs.stepSeconds !== null) return inputs.stepSeconds;
  const tokens = tokensPerStepOf(inputs);
  return tokens === null ? null : tokens / tokensPerSecondOf(inputs);
}

/** The global batch: given, or what the data-parallel GPUs accumulate; null where neither is known. */
export function tokensPerStepOf(inputs: PlanInputs): number | null {
  const { tokensPerStep, accumulation, microBatch, sequenceLength } = inputs;
  if (tokensPerStep !== null || accumulation === null) return tokensPerStep;
  return accumulation * microBatch * sequenceLength * topologyOf(inputs).dataParallel;
}

/** The interval that is given, in seconds or in steps; null where none is, or steps have no known length. */
export function givenIntervalSeconds(inputs: PlanInputs): number | null {
  return inputs.intervalSeconds ?? secondsOfSteps(inputs.intervalSteps, inputs, planFields.intervalSeconds);
}

/** The length of the run in seconds, from its steps; null as above. */
export function secondsOfRun(inputs: PlanInputs): number | null {
  return secondsOfSteps(inputs.runSteps, inputs, planFields.runSeconds);
}

/** Within the limits of the input that it stands for. */
function secondsOfSteps(steps: number | null, inputs: PlanInputs, { minimum, maximum }: NumberField): number | null {
  const stepSeconds = stepSecondsOf(inputs);
  return steps === null || stepSeconds === null ? null : Math.min(maximum, Math.max(minimum, steps * stepSeconds));
}
