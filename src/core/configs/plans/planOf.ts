import type { TrainingPlan } from '../trainingPlan.js';

/** A plan of what is known: members that are undefined are left out. */
export function planOf(values: { [Key in keyof TrainingPlan]: TrainingPlan[Key] | undefined }): TrainingPlan {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}
