import { limits } from '../bytes/limits.js';
import type { CheckProgress } from './measurement.js';

/**
 * The course of a running check with its next step. Where it has become long, every second step is left out: a picture of it is no wider.
 * @returns a new list
 */
export function withProgress(course: readonly CheckProgress[], next: CheckProgress): CheckProgress[] {
  const isLong = course.length >= 2 * limits.bandwidthCurvePoints;
  return [...(isLong ? course.filter((_step, index) => index % 2 === 0) : course), next];
}
