/** What known jobs leave unexplained, in bins of time of which a save takes some. */
import type { Explained } from './explained.js';
import { aboveHighest, logLikelihood, type Written } from './likelihood.js';

export interface Bins {
  beginMs: number;
  binMs: number;
  /** What is unexplained. */
  bytes: Float64Array;
  deviation: Float64Array;
  /** Near the edges of other jobs' saves, what may be there or not. */
  edge: Float64Array;
  /** The same, further from the edges. */
  near: Float64Array;
  /** 0 for a bin that too little is known of. */
  isKnown: Uint8Array;
  /** Bytes that a bin of other traffic may have: no number up to it is likelier than another. */
  mostBytes: number;
  /** The log of how likely such a number is, and of each bin the log of how likely it is without a save. */
  leastLog: number;
  logWithout: Float64Array;
}

/** Bins of a duration; of what is known of a bin, the least share. */
const binsOfSave = 8;
const leastCovered = 0.6;

export function binsOf({ series, excess, background }: Written, explained: Explained, durationMs: number): Bins {
  const { median, spread } = background;
  const { startMs, endMs, stepMs, isFilled } = series;
  const beginMs = startMs[0] ?? 0;
  const binMs = Math.max(1, stepMs * Math.max(1, Math.floor(durationMs / binsOfSave / stepMs)));
  const count = Math.max(1, Math.ceil(((endMs.at(-1) ?? 0) - beginMs) / binMs));
  const column = () => new Float64Array(count);
  const [bytes, deviation, edge, near, covered] = [column(), column(), column(), column(), column()];
  for (let cell = 0; cell < startMs.length; cell += 1) {
    if (isFilled[cell] === 1) continue;
    const [fromMs, toMs] = [startMs[cell] as number, endMs[cell] as number];
    const rest = (excess[cell] as number) - (explained.bytes[cell] as number);
    const noise = ((median[cell] as number) * (spread[cell] as number) * (toMs - fromMs)) / 1000;
    const off = Math.sqrt(noise ** 2 + (explained.deviation[cell] as number) ** 2);
    const first = Math.floor((fromMs - beginMs) / binMs);
    const last = Math.min(count - 1, Math.floor((toMs - beginMs - 1) / binMs));
    for (let bin = first; bin <= last; bin += 1) {
      const insideMs = Math.min(toMs, beginMs + (bin + 1) * binMs) - Math.max(fromMs, beginMs + bin * binMs);
      const share = first === last ? 1 : insideMs / (toMs - fromMs);
      bytes[bin] = (bytes[bin] as number) + share * rest;
      deviation[bin] = (deviation[bin] as number) + share * off;
      edge[bin] = (edge[bin] as number) + share * (explained.edge[cell] as number);
      near[bin] = (near[bin] as number) + share * (explained.near[cell] as number);
      covered[bin] = (covered[bin] as number) + (share * (toMs - fromMs)) / binMs;
    }
  }
  const isKnown = new Uint8Array(count);
  let highest = 0;
  for (let bin = 0; bin < count; bin += 1) {
    const share = covered[bin] as number;
    if (share < leastCovered) continue;
    isKnown[bin] = 1;
    bytes[bin] = (bytes[bin] as number) / share;
    deviation[bin] = (deviation[bin] as number) / share;
    highest = Math.max(highest, bytes[bin] as number);
  }
  const mostBytes = aboveHighest * Math.max(1, highest);
  const leastLog = -Math.log(mostBytes);
  const logWithout = bytes.map((value, bin) => logLikelihood(value, deviation[bin] as number, edge[bin] as number, leastLog));
  return { beginMs, binMs, bytes, deviation, edge, near, isKnown, mostBytes, leastLog, logWithout };
}
