/** What a check takes at most, as it is shown before it starts. */
import type { CheckRequest } from './measurement.js';
import { sustainedRoom } from './sustained/sustainedRequest.js';

/** Most bytes of a check that are there at once, small files aside. */
export function mostBytesAtOnce({ shape, sweep, sustained }: CheckRequest): number {
  return Math.max(shape.totalBytes, sweep?.spaceBytes ?? 0, sustained === null ? 0 : sustainedRoom(sustained));
}

/** About how long a check may take, in seconds: its parts one after the other. */
export function mostSecondsOf({ seconds, sweep, sustained }: CheckRequest): number {
  return seconds + (sweep?.seconds ?? 0) + (sustained?.mostSeconds ?? 0);
}
