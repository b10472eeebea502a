/**
 * Which places of the code were reached for the first time. `instrument.mjs` puts a call of `reach` at the beginning of each block of
 * src/core, src/app, src/platform and src/protocol while it bundles; in any other build nothing is ever reached.
 */
const reached = new Set<number>();
let isNew = false;

/** @returns true, so that it fits into a condition */
function reach(place: number): true {
  if (!reached.has(place)) {
    reached.add(place);
    isNew = true;
  }
  return true;
}

(globalThis as { stowageReach?: typeof reach }).stowageReach = reach;

/** Whether a place was reached for the first time since the last call. */
export function takeNews(): boolean {
  const was = isNew;
  isNew = false;
  return was;
}

/** Places reached so far. */
export function reachedPlaces(): number {
  return reached.size;
}
