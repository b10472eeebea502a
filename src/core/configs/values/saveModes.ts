import type { SaveMode } from '../trainingPlan.js';

/** Of a flag that turns asynchronous saves on; undefined where it is not set. */
export function saveModeOf(isAsynchronous: boolean | undefined): SaveMode | undefined {
  return isAsynchronous === undefined ? undefined : isAsynchronous ? 'asynchronous' : 'synchronous';
}
