/** Where an axis has ticks: at the numbers that people count in. */
import type { ChartAxis } from '../chart.js';
import { drawnDomain } from './axisScale.js';

const minute = 60;
const hour = 3600;
const day = 86_400;
const year = 31_557_600;

/** Durations that have names, and the few of them that are left on a long axis. */
const durations = [
  1e-6,
  1e-5,
  1e-4,
  1e-3,
  0.01,
  0.1,
  1,
  5,
  15,
  minute,
  5 * minute,
  15 * minute,
  hour,
  4 * hour,
  12 * hour,
  day,
  7 * day,
  30 * day,
  year,
  10 * year,
  100 * year,
  1000 * year,
];
const fewDurations = [1e-6, 1e-3, 1, minute, hour, day, 30 * day, year, 100 * year];
const durationSteps = [
  ...[1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 60, 90, 180].map((count) => count * day),
  ...[1, 2, 5, 10, 20, 50, 100].map((count) => count * year),
];

/** More would be a grid and no axis. */
const mostTicks = 11;

/** Sets of ticks from many to few; the first whose texts do not touch is the one to draw. */
export function tickCandidates(axis: ChartAxis): number[][] {
  const [low, high] = drawnDomain(axis);
  const sets = ticksOf(axis, low, high);
  const slack = (axis.scale === 'log' ? low : high - low) * 1e-9;
  return sets
    .map((set) => set.filter((value) => value >= low - slack && value <= high + slack))
    .filter(({ length }) => length >= 1 && length <= mostTicks);
}

function ticksOf(axis: ChartAxis, low: number, high: number): (readonly number[])[] {
  if (axis.ticks !== undefined) return [axis.ticks, ...strides(axis.ticks)];
  return axis.scale === 'log' ? logTicks(axis, low, high) : linearTicks(axis, low, high);
}

function linearTicks({ format }: ChartAxis, low: number, high: number): number[][] {
  if (format === 'seconds') {
    const sets = durationSteps.filter((step) => (high - low) / step <= mostTicks).map((step) => multiples(step, low, high));
    if (sets.some(({ length }) => length >= 2)) return sets;
  }
  return [8, 6, 5, 4, 3, 2, 1].map((count) => multiples(roundStep((high - low) / count), low, high));
}

/** 1, 2, 5 or 10 times a power of ten: the one that is nearest by its ratio. */
function roundStep(step: number): number {
  const exponent = Math.floor(Math.log10(step));
  const rest = step / Number(`1e${exponent}`);
  const factor = rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.sqrt(2) ? 2 : 1;
  return Number(`${factor}e${exponent}`);
}

function logTicks(axis: ChartAxis, low: number, high: number): number[][] {
  if (axis.format === 'seconds') {
    const within = durations.filter((value) => value >= low && value <= high);
    if (within.length >= 2)
      return [within, fewDurations, ...strides(fewDurations.filter((value) => value >= low && value <= high))];
    return linearTicks(axis, low, high);
  }
  const decades = powersOfTen(low, high);
  const fine = decades.flatMap((power) => [power, 2 * power, 5 * power]);
  const within = fine.filter((value) => value >= low && value <= high);
  if (within.length < 2) return linearTicks(axis, low, high);
  const whole = decades.filter((value) => value >= low && value <= high);
  return [fine, ...(whole.length >= 2 ? [decades, ...strides(whole)] : strides(within))];
}

/** Every second, every third and so on of a set. */
function strides(set: readonly number[]): number[][] {
  return [2, 3, 4, 6, 8, 12].map((stride) => set.filter((_value, index) => index % stride === 0));
}

function powersOfTen(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_none, index) => Number(`1e${first + index}`));
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_none, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}
