/** Several equal jobs on one storage: each has its share of what the storage is said to have, as all may save at the same time. */
import type { PlanInputs } from './planInputs.js';

/** @returns bytes or bytes a second of one job; null where nothing is said of the storage */
export function shareOfJob(ofStorage: number, inputs: Pick<PlanInputs, 'jobs'>): number;
export function shareOfJob(ofStorage: number | null, inputs: Pick<PlanInputs, 'jobs'>): number | null;
export function shareOfJob(ofStorage: number | null, { jobs }: Pick<PlanInputs, 'jobs'>): number | null {
  return ofStorage === null ? null : ofStorage / jobs;
}
