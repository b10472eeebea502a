/** What may hide a save: a larger burst, or samples that are missing. */
import type { Burst } from './bursts.js';
import type { Hides } from './schedules.js';
import type { Series } from './series.js';

/** A burst that holds a save and something else. */
const larger = 1.04;

/** A save may be within a larger burst, or where samples are missing. */
export function hiding(bursts: readonly Burst[], { startMs, endMs, stepMs }: Series): Hides {
  const sorted = [...bursts].sort((a, b) => a.startedMs - b.startedMs);
  const holes: [number, number][] = [];
  for (let index = 1; index < startMs.length; index += 1)
    if ((startMs[index] as number) - (endMs[index - 1] as number) > stepMs / 2)
      holes.push([endMs[index - 1] as number, startMs[index] as number]);
  return (fromMs, toMs, bytes) => {
    if (holes.some(([holeMs, endOfHoleMs]) => holeMs < toMs && endOfHoleMs > fromMs)) return true;
    // Bursts do not overlap: the first that ends later is found by halving.
    for (let at = firstAfter(sorted, fromMs); at < sorted.length; at += 1) {
      const burst = sorted[at] as Burst;
      if (burst.startedMs >= toMs) return false;
      if (burst.bytes > larger * bytes || burst.isCut) return true;
    }
    return false;
  };
}

function firstAfter(sorted: readonly Burst[], timeMs: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Burst).finishedMs > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
