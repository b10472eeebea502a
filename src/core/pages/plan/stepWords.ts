/** Intervals in steps, as configs take them. */
import type { PlanInputs } from '../../planning/inputs/planInputs.js';
import { stepSecondsOf } from '../../planning/training/stepTime.js';
import { counted } from '../../text/quantities.js';

/** `1,000 steps`; null where the time of a step is not known. */
export function inSteps(seconds: number, inputs: PlanInputs): string | null {
  const stepSeconds = stepSecondsOf(inputs);
  return stepSeconds === null ? null : counted(Math.max(1, Math.round(seconds / stepSeconds)), 'step');
}
