/**
 * A burst of several saves at once: its bytes are the sum of those that the jobs' intervals expect in it. Which of them are there follows from the bytes;
 * when each began, from where its usual rate fits the rates of the burst best.
 */
import type { Burst } from './bursts.js';
import { saveOf, type Expected, type FoundSave } from './foundJob.js';
import type { Series } from './series.js';

/** The saves that are in a burst, and what of it they leave. */
export interface Decomposed {
  saves: { expected: Expected; save: FoundSave }[];
  /** Null where nothing is left but noise. */
  rest: Burst | null;
}

/** Sums of saves differ from the bytes of a burst by less. */
const sameSumShare = 0.05;
/** Of a save, at least so much is where it is placed. */
const leastPresentShare = 0.85;
/** More saves at once than these are not separated: each doubles the sums. */
const mostAtOnce = 10;
/** Rounds in which each save is moved to where it fits best, given the others, and places that are tried for each. */
const rounds = 3;
const places = 48;

/**
 * Null where no sum of expected saves agrees with the burst.
 * @param own what is surely in it
 * @param excess of each cell; saves that leave a rest are taken out of it
 */
export function decompose(
  burst: Burst,
  own: Expected | null,
  others: readonly Expected[],
  series: Series,
  excess: Float64Array,
): Decomposed | null {
  const nearest = [...others].sort(
    (a, b) => Number(b.isBetween) - Number(a.isBetween) || distance(a, burst) - distance(b, burst),
  );
  const { chosen, isWhole } = choose(burst, own, nearest.slice(0, mostAtOnce));
  if (chosen.length === 0) return null;
  const placed = place(burst, chosen, series, excess);
  const sum = sumOf(chosen);
  if (!isWhole && !burst.isCut && placed.some((one) => presentShare(one, burst, placed, series, excess) < leastPresentShare))
    return null;
  // What is over or short of the sum is shared out where it is no more than noise.
  const factor = isWhole ? burst.bytes / sum : Math.min(1, burst.bytes / sum);
  const saves = placed.map((one) => ({
    expected: one.expected,
    save: saveOfPlace(one, factor, chosen.length === 1 && burst.bytes <= sum * (1 + sameSumShare) ? burst : null),
  }));
  if (isWhole || burst.bytes < sum) return { saves, rest: null };
  const cells = restCells(burst, placed, series, excess);
  excess.set(cells, burst.first);
  return { saves, rest: restOf(burst, cells, series) };
}

function distance({ centreMs }: Expected, { startedMs, finishedMs }: Burst): number {
  return Math.max(0, startedMs - centreMs, centreMs - finishedMs);
}

function sumOf(expected: readonly Expected[]): number {
  return expected.reduce((sum, { job }) => sum + job.bytes, 0);
}

/** What sums of these saves differ by: as much as the saves of their jobs do. */
function deviationOf({ noiseBytes }: Burst, chosen: readonly Expected[]): number {
  return Math.hypot(noiseBytes, ...chosen.map(({ job }) => job.bytesSpread * job.bytes));
}

/** Deviations within which a sum agrees; what it costs to leave out a save between two others, and to take one that continues a job. */
const [mostDeviations, costOfLeaving, costOfContinuing] = [3.5, 20, 1];

/**
 * The sum that agrees best with the burst, where saves between two others of their job are nearly sure. Without one that agrees closely, one that does so
 * loosely; without that, the saves that are nearly sure, if they have room: then the rest is something else.
 */
function choose(burst: Burst, own: Expected | null, others: readonly Expected[]): { chosen: Expected[]; isWhole: boolean } {
  let best: { chosen: Expected[]; cost: number } = { chosen: [], cost: Infinity };
  for (let bits = own === null ? 1 : 0; bits < 2 ** others.length; bits += 1) {
    const some = others.filter((_one, index) => (bits >> index) & 1);
    const chosen = own === null ? some : [own, ...some];
    const off = Math.abs(burst.bytes - sumOf(chosen));
    const deviations = off / deviationOf(burst, chosen);
    const isLoose = deviations > mostDeviations;
    if (isLoose && off > sameSumShare * sumOf(chosen)) continue;
    const left = others.filter((one) => one.isBetween && !some.includes(one)).length;
    const continuing = some.filter((one) => !one.isBetween).length;
    const cost = (isLoose ? 100 + deviations : deviations ** 2) + left * costOfLeaving + continuing * costOfContinuing;
    if (cost < best.cost) best = { chosen, cost };
  }
  if (best.chosen.length > 0) return { chosen: own !== null && best.chosen.length === 1 ? [] : best.chosen, isWhole: true };
  if (own !== null) return { chosen: [], isWhole: false };
  const sure = others.filter(({ isBetween }) => isBetween);
  const room = sure.length > 0 ? sure : others;
  const isPart = burst.isCut && room.length === 1 && burst.bytes > sumOf(room) / 2;
  return { chosen: isPart || sumOf(room) <= burst.bytes ? [...room] : [], isWhole: false };
}

interface Placed {
  expected: Expected;
  startedMs: number;
  durationMs: number;
}

/** Each save where its rate fits best, in turn; a save is a rectangle of its job's bytes and duration. */
function place(burst: Burst, chosen: readonly Expected[], series: Series, excess: Float64Array): Placed[] {
  const placed = chosen.map((expected): Placed => {
    const durationMs = Math.max(1, Math.min(expected.job.durationMs, burst.finishedMs - burst.startedMs));
    return { expected, startedMs: within(expected.centreMs - durationMs / 2, burst, durationMs), durationMs };
  });
  const rest = restCells(burst, placed, series, excess);
  for (let round = 0; round < rounds; round += 1)
    for (const one of placed) {
      add(rest, burst, one, series, 1);
      one.startedMs = bestStart(one, burst, rest, series);
      add(rest, burst, one, series, -1);
    }
  return placed;
}

function within(startedMs: number, burst: Burst, durationMs: number): number {
  return Math.max(burst.startedMs, Math.min(startedMs, burst.finishedMs - durationMs));
}

/**
 * Where a rectangle of a save's bytes and duration is likeliest: the least squares against what the others leave, and the jitter of its job. Where the
 * burst's own noise hides the save, that leaves it where the interval expects it.
 */
function bestStart(one: Placed, burst: Burst, rest: Float64Array, series: Series): number {
  const { expected, durationMs } = one;
  const reach = expected.toleranceMs;
  const middle = expected.centreMs - durationMs / 2;
  const [from, to] = [within(middle - reach, burst, durationMs), within(middle + reach, burst, durationMs)];
  const noise = noiseOf(rest, burst, series);
  const jitter = Math.min(reach, expected.job.jitterMs + series.stepMs / 4);
  let [best, most] = [one.startedMs, -Infinity];
  for (let index = 0; index <= places; index += 1) {
    const candidate = from + ((to - from) * index) / places;
    const gain = gainOf(candidate, durationMs, expected.job.bytes, burst, rest, series);
    const likelihood = gain / (2 * noise) - ((candidate - middle) / jitter) ** 2 / 2;
    if (likelihood > most) [best, most] = [candidate, likelihood];
  }
  return best;
}

/** The mean square of what is left, in the units of `gainOf`. */
function noiseOf(rest: Float64Array, { first }: Burst, { startMs, endMs }: Series): number {
  let sum = 0;
  rest.forEach((value, index) => {
    sum += (value * value * 1000) / ((endMs[first + index] as number) - (startMs[first + index] as number));
  });
  return Math.max(1, sum / rest.length);
}

/** What the squares of the cells fall by where a save is taken out of them. */
function gainOf(startedMs: number, durationMs: number, bytes: number, burst: Burst, rest: Float64Array, series: Series): number {
  let gain = 0;
  eachShare(startedMs, durationMs, burst, series, (cell, share, seconds) => {
    const value = rest[cell - burst.first] as number;
    gain += (2 * value * share * bytes - (share * bytes) ** 2) / seconds;
  });
  return gain;
}

/** The share of a rectangle that is in each cell of a burst. */
function eachShare(
  startedMs: number,
  durationMs: number,
  { first, last }: Pick<Burst, 'first' | 'last'>,
  { startMs, endMs, stepMs }: Series,
  use: (cell: number, share: number, seconds: number) => void,
): void {
  const finishedMs = startedMs + durationMs;
  let cell = Math.max(first, Math.min(last, first + Math.floor((startedMs - (startMs[first] as number)) / stepMs) - 1));
  while (cell > first && (startMs[cell] as number) > startedMs) cell -= 1;
  for (; cell <= last && (startMs[cell] as number) < finishedMs; cell += 1) {
    const overlap = Math.min(finishedMs, endMs[cell] as number) - Math.max(startedMs, startMs[cell] as number);
    if (overlap > 0) use(cell, overlap / durationMs, ((endMs[cell] as number) - (startMs[cell] as number)) / 1000);
  }
}

function add(rest: Float64Array, burst: Burst, { startedMs, durationMs, expected }: Placed, series: Series, sign: 1 | -1): void {
  eachShare(startedMs, durationMs, burst, series, (cell, share) => {
    rest[cell - burst.first] = (rest[cell - burst.first] as number) + sign * share * expected.job.bytes;
  });
}

function restCells(burst: Burst, placed: readonly Placed[], series: Series, excess: Float64Array): Float64Array {
  const rest = excess.slice(burst.first, burst.last + 1);
  for (const one of placed) add(rest, burst, one, series, -1);
  return rest;
}

/** How much of a save's bytes is where it is placed, the others taken out. */
function presentShare(one: Placed, burst: Burst, placed: readonly Placed[], series: Series, excess: Float64Array): number {
  const rest = restCells(
    burst,
    placed.filter((other) => other !== one),
    series,
    excess,
  );
  let bytes = 0;
  eachShare(one.startedMs, one.durationMs, burst, series, (cell, share, seconds) => {
    bytes += Math.max(0, rest[cell - burst.first] as number) * Math.min(1, (share * one.durationMs) / 1000 / seconds);
  });
  return bytes / one.expected.job.bytes;
}

/** @param burst of which it is all: then its times are those of the burst */
function saveOfPlace({ expected, startedMs, durationMs }: Placed, factor: number, burst: Burst | null): FoundSave {
  if (burst !== null) return saveOf(burst);
  const finishedMs = startedMs + durationMs;
  return { startedMs, finishedMs, centreMs: startedMs + durationMs / 2, bytes: expected.job.bytes * factor, alone: null };
}

/** What is left of a burst when its saves are taken out, from the first to the last cell that stands out. */
function restOf(burst: Burst, cells: Float64Array, { startMs, endMs }: Series): Burst | null {
  const highest = cells.reduce((most, value) => Math.max(most, value), 0);
  const first = cells.findIndex((value) => value > highest / 4);
  const last = cells.findLastIndex((value) => value > highest / 4);
  if (highest <= 0 || first === -1) return null;
  let [bytes, moment] = [0, 0];
  for (let index = first; index <= last; index += 1) {
    const [value, cell] = [cells[index] as number, burst.first + index];
    bytes += value;
    moment += value * (((startMs[cell] as number) + (endMs[cell] as number)) / 2);
  }
  const all = cells.reduce((sum, value) => sum + value, 0);
  if (bytes <= 0 || all <= 0) return null;
  const [fromCell, toCell] = [burst.first + first, burst.first + last];
  const [startedMs, finishedMs] = [startMs[fromCell] as number, endMs[toCell] as number];
  const centreMs = Math.min(finishedMs, Math.max(startedMs, moment / bytes));
  return { ...burst, startedMs, finishedMs, bytes: all, centreMs };
}
