/**
 * How much likelier what was written is with a save of a job at some time than without it: the log of the ratio, over bins of time of which a save
 * takes some.
 */
import { quantile, type Background } from './background.js';
import { edgeShare, overlaps, rateDeviation, type Explained } from './explained.js';
import type { Burst } from './bursts.js';
import type { Series } from './series.js';

/** What is searched. */
export interface Written {
  series: Series;
  /** Of each cell, bytes above the background. */
  excess: Float64Array;
  background: Background;
  bursts: readonly Burst[];
}

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
}

/** A save, as it is tried at times. */
export interface Template {
  bytes: number;
  durationMs: number;
}

/** Bins of a duration; of what is known of a bin, the least share. */
const binsOfSave = 8;
const leastCovered = 0.6;
/** Above the highest bin. */
const aboveHighest = 4;

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
    const off = Math.hypot(noise, explained.deviation[cell] as number);
    const last = Math.min(count - 1, Math.floor((toMs - beginMs - 1) / binMs));
    for (let bin = Math.floor((fromMs - beginMs) / binMs); bin <= last; bin += 1) {
      const share = (Math.min(toMs, beginMs + (bin + 1) * binMs) - Math.max(fromMs, beginMs + bin * binMs)) / (toMs - fromMs);
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
  return { beginMs, binMs, bytes, deviation, edge, near, isKnown, mostBytes: aboveHighest * Math.max(1, highest) };
}

/** Bins around a save that are looked at too. */
const binsAround = 2;
/** What sizes of saves differ by. */
const sizeDeviation = 0.02;

/** What a save would have of a bin, and near its edges may have. */
interface Part {
  bin: number;
  bytes: number;
  edge: number;
}

/** The bins of a save, and some before and after it. */
function partsOf(startedMs: number, { bytes, durationMs }: Template, { beginMs, binMs, bytes: values }: Bins): Part[] {
  const finishedMs = startedMs + durationMs;
  const nearMs = edgeShare * durationMs + binMs / 8;
  const first = Math.max(0, Math.floor((startedMs - beginMs) / binMs) - binsAround);
  const last = Math.min(values.length, Math.ceil((finishedMs - beginMs) / binMs) + binsAround) - 1;
  const parts: Part[] = [];
  for (let bin = first; bin <= last; bin += 1) {
    const [fromMs, toMs] = [beginMs + bin * binMs, beginMs + (bin + 1) * binMs];
    const inside = Math.max(0, Math.min(finishedMs, toMs) - Math.max(startedMs, fromMs)) / durationMs;
    const isNear = overlaps(fromMs, toMs, startedMs, nearMs) || overlaps(fromMs, toMs, finishedMs, nearMs);
    parts.push({ bin, bytes: inside * bytes, edge: isNear ? bytes * Math.min(1, binMs / durationMs) : 0 });
  }
  return parts;
}

/** The log of how much likelier a save there makes what was written: than nothing, and than other traffic at one rate. */
export function gainAt(startedMs: number, template: Template, bins: Bins): number {
  const parts = partsOf(startedMs, template, bins);
  let gain = 0;
  for (const { bin, bytes, edge } of parts) {
    const [value, noise] = [bins.bytes[bin] as number, bins.deviation[bin] as number];
    if ((bytes === 0 && edge === 0) || bins.isKnown[bin] === 0) continue;
    const withSave = logLikelihood(
      value - bytes,
      Math.hypot(noise, rateDeviation * bytes),
      edge + (bins.edge[bin] as number),
      bins.mostBytes,
    );
    gain += withSave - logLikelihood(value, noise, bins.edge[bin] as number, bins.mostBytes);
  }
  if (gain > leastOfOther) gain = Math.min(gain, mostGain, gain - gainOfOther(parts, bins));
  const sum = sumOf(parts, template.bytes, bins);
  // Rates may differ where the sum of a save does not.
  if (sum.known < 0.99 || sum.deviation > mostSumDeviation * template.bytes) return gain;
  return gain + (Math.abs(sum.bytes - template.bytes) < sumDeviations * sum.deviation ? gainOfSum : -costOfSum);
}

/** Less is no candidate in any case. */
const leastOfOther = 1;

/** How much likelier than nothing other traffic is, at one rate that is there before a save, after it or both. */
function gainOfOther(parts: readonly Part[], bins: Bins): number {
  const begin = parts.findIndex(({ bytes }) => bytes > 0);
  const end = parts.findLastIndex(({ bytes }) => bytes > 0) + 1;
  const gains = [parts.slice(0, end), parts.slice(begin), parts].map((some) => {
    const known = some.filter(({ bin }) => bins.isKnown[bin] === 1);
    const level = Math.max(0, quantile(Float64Array.from(known, ({ bin }) => bins.bytes[bin] as number).sort(), 0.5));
    return known.reduce((sum, { bin }) => {
      const [value, noise, edge] = [bins.bytes[bin] as number, bins.deviation[bin] as number, bins.edge[bin] as number];
      const steady = logLikelihood(value - level, Math.hypot(noise, rateDeviation * level), edge, bins.mostBytes);
      return sum + steady - logLikelihood(value, noise, edge, bins.mostBytes);
    }, 0);
  });
  return gains.reduce((most, gain) => Math.max(most, gain), 0);
}

/** Of one save, its rates say no more than this: other traffic may be like it. */
const mostGain = 15;
/** What it says that the sum of a save is as it should be, or is not, where it is known well. */
const [gainOfSum, costOfSum, sumDeviations, mostSumDeviation] = [3, 8, 3.5, 0.1];

/** What is written where a save would be: its bins, and those near its edges. */
function sumOf(parts: readonly Part[], bytes: number, bins: Bins): { bytes: number; deviation: number; known: number } {
  let [sum, variance, known] = [0, (sizeDeviation * bytes) ** 2, 0];
  for (const part of parts) {
    if (part.bytes === 0 && part.edge === 0) continue;
    if (bins.isKnown[part.bin] === 0) continue;
    sum += bins.bytes[part.bin] as number;
    variance += (bins.deviation[part.bin] as number) ** 2 + ((bins.edge[part.bin] as number) / 2) ** 2;
    known += part.bytes / bytes;
  }
  return { bytes: sum, deviation: Math.sqrt(variance), known };
}

/** The log of how likely as little as was written there would be with a save: 0 where there is room for it, below other traffic or unknown. */
export function roomAt(startedMs: number, template: Template, bins: Bins): number {
  const parts = partsOf(startedMs, template, bins);
  const sum = sumOf(parts, template.bytes, bins);
  const missing = Math.max(0, template.bytes * sum.known - sum.bytes);
  let room = -((missing / Math.hypot(sum.deviation, shortDeviation * template.bytes)) ** 2) / 2;
  for (const { bin, bytes, edge } of parts) {
    if (edge > 0 || bytes === 0 || bins.isKnown[bin] === 0) continue;
    const short = Math.max(0, bytes - (bins.bytes[bin] as number) - (bins.edge[bin] as number));
    room -= (short / Math.hypot(bins.deviation[bin] as number, lowDeviation * bytes)) ** 2 / 2;
  }
  return room;
}

/** What a save and its rate within a bin may fall short of. */
const [shortDeviation, lowDeviation] = [0.05, 0.35];

/** Normally distributed; or anything up to what an edge may have; or else any number up to the highest. */
function logLikelihood(off: number, deviation: number, edge: number, mostBytes: number): number {
  const some = Math.max(deviation, 1);
  const usual = -((off / some) ** 2) / 2 - Math.log(some);
  if (edge <= some) return Math.max(usual, -Math.log(mostBytes));
  const atEdge = Math.abs(off) < edge + 2 * some ? -Math.log(2 * edge) : -Infinity;
  return Math.max(Math.max(usual, atEdge) - Math.LN2, -Math.log(mostBytes));
}

/** The log of how likely what was written is, with what is explained of it: by cells, and by the sums of bursts. */
export function likelihoodOf({ series, excess, background, bursts }: Written, { bytes, deviation, edge }: Explained): number {
  const { startMs, endMs, stepMs, isFilled } = series;
  const { median, spread } = background;
  const mostBytes = aboveHighest * excess.reduce((most, value) => Math.max(most, value), 1);
  let sum = 0;
  excess.forEach((value, cell) => {
    if (isFilled[cell] === 1) return;
    const seconds = ((endMs[cell] as number) - (startMs[cell] as number)) / 1000;
    const noise = Math.hypot((median[cell] as number) * (spread[cell] as number) * seconds, deviation[cell] as number);
    sum += logLikelihood(value - (bytes[cell] as number), noise, edge[cell] as number, mostBytes);
  });
  const sums = bursts.reduce((all, burst) => {
    if (burst.isCut) return all;
    let inside = 0;
    for (let cell = burst.first - 1; cell <= burst.last + 1; cell += 1) inside += bytes[cell] ?? 0;
    return (
      all +
      logLikelihood(
        burst.bytes - inside,
        Math.hypot(burst.noiseBytes, sizeDeviation * inside),
        0,
        Math.max(mostBytes, aboveHighest * burst.bytes),
      )
    );
  }, 0);
  return sum * Math.min(1, stepMs / correlatedMs) + sums;
}

/** Rates that are closer in time go up and down together. */
const correlatedMs = 20_000;
