/** Save intervals that are written and are none: 0 or less. What a program makes of one differs. */
import type { Fields } from '../fields.js';
import type { PlanNote } from '../trainingPlan.js';

/** Whether the first of these keys that has a number has one of 0 or less. */
export function isNoInterval(fields: Fields, ...names: readonly string[]): boolean {
  const written = fields.signedInteger(...names);
  return written !== undefined && written <= 0;
}

/** Notes of a program that refuses such an interval, or divides the step by it and stops there. */
export function refusedInterval(fields: Fields, ...names: readonly string[]): PlanNote[] {
  return isNoInterval(fields, ...names) ? ['interval-refused'] : [];
}
