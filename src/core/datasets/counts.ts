/** Numbers of a dataset with what they rest on. */
import type { Basis } from '../findings/evidence.js';
import type { CountReport, Interval } from './datasetReport.js';

/** An exact number. */
export function exactly(count: number, method: string, basis: Basis): CountReport {
  return { count, exact: true, interval: [count, count], confidence: 1, method, basis, coverage: null };
}

/** A number between two, without a confidence that could be stated. */
export function between([low, high]: Interval, count: number, method: string, basis: Basis): CountReport {
  return { count: Math.round(count), exact: false, interval: [low, high], confidence: null, method, basis, coverage: null };
}

/** A number with its upper bound removed: more of it is where nothing was read. */
export function withoutMost<T extends { interval: Interval }>(count: T): T {
  return { ...count, interval: [count.interval[0], null] };
}

/** The sum of two numbers, null where one of them is not known. */
export function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
