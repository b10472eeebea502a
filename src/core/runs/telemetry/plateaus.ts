/**
 * Plateaus: traffic that goes on for hours above the background, as drains do that take longer than an interval. Bursts that stand out from a plateau are
 * looked for above it.
 */
import { backgroundOf, type Background } from './background.js';
import { burstsOf, excessOf, type Burst } from './bursts.js';
import type { Series } from './series.js';

/** A plateau takes longer, and has more bursts on it, than a save has. */
const leastMs = 2 * 3_600_000;
const leastCells = 40;
const leastBursts = 6;

/** The background, with plateaus as a part of it where bursts stand out from them. */
export function withPlateaus(series: Series, background: Background): Background {
  const raised: Background = { median: background.median.slice(), spread: background.spread.slice() };
  const excess = excessOf(series, background);
  for (const burst of burstsOf(series, background)) {
    const { first, last, startedMs, finishedMs } = burst;
    if (finishedMs - startedMs < leastMs || last - first < leastCells) continue;
    const inside = partOf(series, excess, burst);
    const local = backgroundOf(inside);
    if (burstsOf(inside, local).filter(({ isCut }) => !isCut).length < leastBursts) continue;
    for (let cell = first; cell <= last; cell += 1) {
      raised.median[cell] = (raised.median[cell] as number) + (local.median[cell - first] as number);
      raised.spread[cell] = local.spread[cell - first] as number;
    }
  }
  return raised;
}

function partOf(series: Series, excess: Float64Array, { first, last }: Burst): Series {
  return {
    ...series,
    startMs: series.startMs.slice(first, last + 1),
    endMs: series.endMs.slice(first, last + 1),
    isFilled: series.isFilled.slice(first, last + 1),
    bytes: excess.slice(first, last + 1).map((bytes) => Math.max(0, bytes)),
  };
}
