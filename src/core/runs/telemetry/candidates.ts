/** When a job may have saved: times at which a save of its size and duration makes what was written likelier than at others near. */
import type { Bins } from './bins.js';
import { gainAt, gainOf, partsOf, roomOf, sumOf, type Template } from './saveLikelihood.js';

export interface Candidate {
  startedMs: number;
  gain: number;
}

/** Times that are tried for each bin where a save has few of them; otherwise those are tried around candidates. */
const timesOfBin = 3;
const fewBins = 6;
/** A candidate makes what was written likelier by this. */
const leastGain = 1.5;
const mostCandidates = 20_000;

/** Gains at times one after the other. */
export interface Gains {
  beginMs: number;
  everyMs: number;
  values: Float64Array;
  /** Whether there is room for a save: see `roomOf`. */
  room: Float64Array;
}

export function gainsOf(template: Template, bins: Bins): Gains {
  const { beginMs, binMs } = bins;
  const everyMs = template.durationMs < fewBins * binMs ? binMs / timesOfBin : binMs;
  const count = Math.max(0, Math.floor((bins.bytes.length * binMs - template.durationMs) / everyMs) + 1);
  const [values, room] = [new Float64Array(count).fill(leastRoomOfTime), new Float64Array(count).fill(leastRoomOfTime)];
  const mostUpTo = mostUpToOf(bins);
  for (let index = 0; index < count; index += 1) {
    const startedMs = beginMs + index * everyMs;
    const first = Math.max(0, Math.floor((startedMs - beginMs) / binMs));
    const end = Math.min(bins.bytes.length, Math.ceil((startedMs + template.durationMs - beginMs) / binMs));
    if ((mostUpTo[end] as number) - (mostUpTo[first] as number) < leastShare * template.bytes) continue;
    const parts = partsOf(startedMs, template, bins);
    const sum = sumOf(parts, template.bytes, bins);
    values[index] = gainOf(parts, template, bins, sum);
    room[index] = Math.max(leastRoomOfTime, roomOf(parts, template, bins, sum));
  }
  return { beginMs, everyMs, values, room };
}

/** Where less is written than this share of a save, none is looked for. */
const leastShare = 0.7;

/** The most that may be in all bins before each; any number in one that is not known. */
function mostUpToOf({ bytes, deviation, edge, isKnown, mostBytes }: Bins): Float64Array {
  const sums = new Float64Array(bytes.length + 1);
  bytes.forEach((value, bin) => {
    const most = isKnown[bin] === 1 ? Math.max(0, value) + 2 * (deviation[bin] as number) + (edge[bin] as number) : mostBytes;
    sums[bin + 1] = (sums[bin] as number) + most;
  });
  return sums;
}

/** Where a save is likelier than around. */
export function candidatesOf({ beginMs, everyMs, values }: Gains, durationMs: number, most = mostCandidates): Candidate[] {
  const highest = slidingMost(values, Math.max(1, Math.floor(durationMs / 2 / everyMs)));
  const candidates: Candidate[] = [];
  values.forEach((gain, index) => {
    const startedMs = beginMs + index * everyMs;
    const isNew = startedMs - (candidates.at(-1)?.startedMs ?? -Infinity) > durationMs / 4;
    if (gain >= leastGain && gain === highest[index] && isNew) candidates.push({ startedMs, gain });
  });
  if (candidates.length <= most) return candidates;
  const least = candidates.map(({ gain }) => gain).sort((a, b) => b - a)[most - 1] as number;
  return candidates.filter(({ gain }) => gain >= least);
}

/** The likeliest of the times around. */
export function refinedOf(candidate: Candidate, template: Template, bins: Bins): Candidate {
  let best = candidate;
  for (let place = 1 - timesOfBin; place < timesOfBin; place += 1) {
    const startedMs = candidate.startedMs + (place * bins.binMs) / timesOfBin;
    const gain = gainAt(startedMs, template, bins);
    if (gain > best.gain) best = { startedMs, gain };
  }
  return best;
}

/** The highest within a reach of each. */
export function slidingMost(values: Float64Array, reach: number): Float64Array {
  // Places of values that no later one exceeds, from the highest.
  const queue = new Int32Array(values.length);
  const most = new Float64Array(values.length);
  let [first, end] = [0, 0];
  for (let index = 0; index < values.length + reach; index += 1) {
    if (index < values.length) {
      const value = values[index] as number;
      while (end > first && (values[queue[end - 1] as number] as number) <= value) end -= 1;
      queue[end] = index;
      end += 1;
    }
    const centre = index - reach;
    if (centre < 0) continue;
    while ((queue[first] as number) < centre - reach) first += 1;
    most[centre] = values[queue[first] as number] as number;
  }
  return most;
}

/** Less room than this, as a log of a likelihood, is none. */
const leastRoomOfTime = -16;
