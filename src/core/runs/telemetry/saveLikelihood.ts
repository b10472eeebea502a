/**
 * How much likelier what was written is with a save of a job at some time than without it: the log of the ratio, over bins of time of which a save
 * takes some.
 */
import type { Bins } from './bins.js';
import { edgeShare, overlaps, rateDeviation } from './explained.js';
import { logLikelihood, sizeDeviation } from './likelihood.js';

/** A save, as it is tried at times. */
export interface Template {
  bytes: number;
  durationMs: number;
}

/** Bins around a save that are looked at too. */
const binsAround = 2;

/** What a save would have of a bin, and near its edges may have. */
interface Part {
  bin: number;
  bytes: number;
  edge: number;
}

/** The bins of a save, and some before and after it. */
export function partsOf(startedMs: number, { bytes, durationMs }: Template, { beginMs, binMs, bytes: values }: Bins): Part[] {
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

export function gainAt(startedMs: number, template: Template, bins: Bins): number {
  return gainOf(partsOf(startedMs, template, bins), template, bins);
}

/** The log of how much likelier a save there makes what was written: than nothing, and than other traffic at one rate. */
export function gainOf(parts: readonly Part[], template: Template, bins: Bins, sum = sumOf(parts, template.bytes, bins)): number {
  let gain = 0;
  for (const { bin, bytes, edge } of parts) {
    if ((bytes === 0 && edge === 0) || bins.isKnown[bin] === 0) continue;
    const off = (bins.bytes[bin] as number) - bytes;
    const noise = rootOfSquares(bins.deviation[bin] as number, rateDeviation * bytes);
    gain += logLikelihood(off, noise, edge + (bins.edge[bin] as number), bins.leastLog) - (bins.logWithout[bin] as number);
  }
  if (gain > leastOfOther) gain = Math.min(gain, mostGain, gain - gainOfOther(parts, bins));
  // Rates may differ where the sum of a save does not.
  if (sum.known < 0.99 || sum.deviation > mostSumDeviation * template.bytes) return gain;
  return gain + (Math.abs(sum.bytes - template.bytes) < sumDeviations * sum.deviation ? gainOfSum : -costOfSum);
}

/** Less is no candidate in any case. */
const leastOfOther = 1;

/** How much likelier than nothing other traffic is, at one rate that is there before a save, after it or both. */
function gainOfOther(parts: readonly Part[], bins: Bins): number {
  const begin = parts.findIndex(({ bytes }) => bytes > 0);
  // Of a save before the first bin or after the last one, only its edge is there.
  if (begin < 0) return Math.max(0, gainOfSteady(parts, 0, parts.length, bins));
  const end = parts.findLastIndex(({ bytes }) => bytes > 0) + 1;
  return Math.max(
    0,
    gainOfSteady(parts, 0, end, bins),
    gainOfSteady(parts, begin, parts.length, bins),
    gainOfSteady(parts, 0, parts.length, bins),
  );
}

/** How much likelier than nothing one rate is in some bins. */
function gainOfSteady(parts: readonly Part[], first: number, end: number, bins: Bins): number {
  const sorted: number[] = [];
  for (let index = first; index < end; index += 1) {
    const { bin } = parts[index] as Part;
    if (bins.isKnown[bin] === 1) insert(sorted, bins.bytes[bin] as number);
  }
  const level = Math.max(0, sorted[sorted.length >> 1] ?? 0);
  let gain = 0;
  for (let index = first; index < end; index += 1) {
    const { bin } = parts[index] as Part;
    if (bins.isKnown[bin] === 0) continue;
    const noise = rootOfSquares(bins.deviation[bin] as number, rateDeviation * level);
    const steady = logLikelihood((bins.bytes[bin] as number) - level, noise, bins.edge[bin] as number, bins.leastLog);
    gain += steady - (bins.logWithout[bin] as number);
  }
  return gain;
}

/** Into values that are sorted: of a few, it is the fastest way. */
function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  for (; at > 0 && (sorted[at - 1] as number) > value; at -= 1) sorted[at] = sorted[at - 1] as number;
  sorted[at] = value;
}

/** Of one save, its rates say no more than this: other traffic may be like it. */
const mostGain = 15;
/** What it says that the sum of a save is as it should be, or is not, where it is known well. */
const [gainOfSum, costOfSum, sumDeviations, mostSumDeviation] = [3, 8, 3.5, 0.1];

interface Sum {
  bytes: number;
  deviation: number;
  /** Of the save, the part that is in known bins. */
  known: number;
}

/** What is written where a save would be: its bins, and those near its edges. */
export function sumOf(parts: readonly Part[], bytes: number, bins: Bins): Sum {
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
export function roomOf(parts: readonly Part[], template: Template, bins: Bins, sum = sumOf(parts, template.bytes, bins)): number {
  const missing = Math.max(0, template.bytes * sum.known - sum.bytes);
  let room = -((missing / rootOfSquares(sum.deviation, shortDeviation * template.bytes)) ** 2) / 2;
  for (const { bin, bytes, edge } of parts) {
    if (edge > 0 || bytes === 0 || bins.isKnown[bin] === 0) continue;
    const short = Math.max(0, bytes - (bins.bytes[bin] as number) - (bins.edge[bin] as number));
    room -= (short / rootOfSquares(bins.deviation[bin] as number, lowDeviation * bytes)) ** 2 / 2;
  }
  return room;
}

/** What a save and its rate within a bin may fall short of. */
const [shortDeviation, lowDeviation] = [0.05, 0.35];

/** `Math.hypot` of so many is many times slower. */
function rootOfSquares(one: number, other: number): number {
  return Math.sqrt(one * one + other * other);
}
