/** Save intervals that are written and are none: 0 or less. What a program makes of one differs. */
import type { Fields } from '../fields.js';
import type { PlanNote } from '../trainingPlan.js';

/** Whether the first of these keys that has a number has one of 0 or less. */
export function isNoInterval(fields: Fields, ...names: readonly string[]): boolean {
  const written = fields.signedInteger(...names);
  return written !== undefined && written <= 0;
}

/** Whether a program that refuses such an interval, or divides the step by it, stops there; notes that it does. */
export function isRefused(notes: PlanNote[], fields: Fields, ...names: readonly string[]): boolean {
  const isNone = isNoInterval(fields, ...names);
  if (isNone) notes.push('interval-refused');
  return isNone;
}
