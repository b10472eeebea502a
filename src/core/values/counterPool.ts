/** Counters that are used again: making them for each of a hundred thousand small tensors takes longer than counting. */
const free = new Map<number, Uint32Array[]>();
/** Of each length; more are open at once only where many tensors share bytes. */
const mostKept = 8;

/** Counters at 0. */
export function takeCounters(length: number): Uint32Array {
  return free.get(length)?.pop() ?? new Uint32Array(length);
}

/** Hands back counters that are no longer used. */
export function giveCounters(counters: Uint32Array): void {
  const kept = free.get(counters.length) ?? [];
  free.set(counters.length, kept);
  if (kept.length >= mostKept) return;
  counters.fill(0);
  kept.push(counters);
}
