/** A length histogram in as few bins as a picture shows, without guessing: bins end where buckets end. */
import type { LengthHistogram } from '../../datasets/datasetReport.js';

export interface LengthBin {
  /** Shortest and longest length, inclusive. */
  from: number;
  to: number;
  count: number;
}

const perDoublingChoices = [16, 8, 4, 2, 1] as const;

/**
 * The histogram in at most about `most` bins, from the shortest length to the longest, empty ones included. Bins divide each doubling
 * of the length evenly, so that the axis is logarithmic, as lengths of texts are. Length 0 has a bin of its own.
 */
export function lengthBins({ buckets, minTokens, maxTokens }: LengthHistogram, most = 32): LengthBin[] {
  const positive = buckets.filter(({ from, count }) => from > 0 && count > 0);
  const [first] = positive;
  const last = positive.at(-1);
  const bins: LengthBin[] = [];
  const empty = buckets.find(({ from }) => from === 0);
  if (empty !== undefined && empty.count > 0) bins.push({ from: 0, to: 0, count: empty.count });
  if (first === undefined || last === undefined) return bins;
  const perDoubling = perDoublingChoices.find((choice) => countBins(first.from, last.from, choice) <= most) ?? 1;
  let bucket = 0;
  for (let at = binAt(first.from, perDoubling); at.from <= last.from; at = binAt(at.to + 1, perDoubling)) {
    let count = 0;
    for (let next = positive[bucket]; next !== undefined && next.from <= at.to; next = positive[++bucket]) count += next.count;
    bins.push({ from: Math.max(at.from, Math.min(minTokens || 1, at.to)), to: Math.min(at.to, maxTokens), count });
  }
  return bins;
}

function countBins(from: number, to: number, perDoubling: number): number {
  const place = (length: number): number => {
    const exponent = Math.floor(Math.log2(length));
    return (exponent + (length - 2 ** exponent) / 2 ** exponent) * perDoubling;
  };
  return Math.floor(place(to)) - Math.floor(place(from)) + 1;
}

/** The bin of a length; below `perDoubling` each length is one. */
function binAt(length: number, perDoubling: number): { from: number; to: number } {
  const base = 2 ** Math.floor(Math.log2(length));
  const width = Math.max(1, base / perDoubling);
  const from = base + Math.floor((length - base) / width) * width;
  return { from, to: from + width - 1 };
}
