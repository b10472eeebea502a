/** Rates, times, shares and counts in words, rounded as in units.ts: `172 GB/s`, `5.5 minutes`, `0.35 %`. */
import { formatBytes, formatCount, shortNumber } from './units.js';

/** Larger factors are shown as "more than": their digits carry no information. */
const mostTimes = 1e4;

/** `2.65 times`, `more than 10,000 times`. */
export function shortTimes(factor: number, digits = 3): string {
  return factor > mostTimes ? `more than ${formatCount(mostTimes)} times` : `${shortNumber(factor, digits)} times`;
}

/** `172 GB/s`. */
export function shortRate(bytesPerSecond: number): string {
  return bytesPerSecond > 0 && bytesPerSecond < 1 ? '< 1 B/s' : `${formatBytes(bytesPerSecond)}/s`;
}

/** `8.9 kW`. */
export function shortPower(watts: number): string {
  for (const [size, unit] of [
    [1e6, 'MW'],
    [1e3, 'kW'],
  ] as const)
    if (watts >= size) return `${shortNumber(watts / size)} ${unit}`;
  return `${shortNumber(watts)} W`;
}

const timeUnits = [
  { name: 'year', seconds: 365.25 * 86_400, from: 2 * 365.25 * 86_400 },
  { name: 'day', seconds: 86_400, from: 2 * 86_400 },
  { name: 'hour', seconds: 3600, from: 3600 },
  { name: 'minute', seconds: 60, from: 180 },
] as const;

/** `5.5 minutes`, `50.5 s`, `70.3 ms`, `1 hour`; `never` for what has no end. */
export function shortTime(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'never';
  for (const { name, seconds: length, from } of timeUnits) {
    if (seconds < from) continue;
    const value = seconds / length;
    const text = value >= 100 ? shortNumber(value) : String(Number(value.toFixed(1)));
    return `${text} ${name}${text === '1' ? '' : 's'}`;
  }
  if (seconds === 0 || seconds >= 1) return `${shortNumber(seconds)} s`;
  if (seconds >= 1e-3) return `${shortNumber(seconds * 1000)} ms`;
  return seconds < 1e-6 ? '< 1 µs' : `${shortNumber(seconds * 1e6)} µs`;
}

/** `11,135 s`: for the steps of a formula, which are in seconds throughout. */
export function exactTime(seconds: number): string {
  return `${shortNumber(seconds, seconds >= 1000 ? Math.min(21, Math.floor(Math.log10(seconds)) + 1) : 4)} s`;
}

/** `10 %`, `94.5 %`, `0.35 %`, `99.97 %` of a share of 1. Shares may exceed 1. */
export function shortShare(share: number): string {
  const percent = share * 100;
  if (!Number.isFinite(percent)) return 'more than 100 %';
  if (percent === 0) return '0 %';
  if (Math.abs(percent) < 0.01) return '< 0.01 %';
  if (Math.abs(percent) < 1) return `${shortNumber(percent, 2)} %`;
  if (percent > 1e6) return `more than ${formatCount(1e6)} %`;
  if (percent >= 100) return `${shortNumber(percent)} %`;
  if (percent > 99.9) return percent > 99.99 ? '> 99.99 %' : `${Number(percent.toFixed(2))} %`;
  return `${Number(percent.toFixed(1))} %`;
}

/** `405.9 billion`. */
export function shortParameters(count: number): string {
  for (const [size, word] of [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ] as const)
    if (count >= size) return `${shortNumber(count / size, 4)} ${word}`;
  return formatCount(count);
}

/** `1 node`, `16 nodes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `each of 16 writing nodes`, `the one writing node`. */
export function eachOf(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `the one ${one}` : `each of ${counted(count, one, many)}`;
}

/** `the process, the node and the rack`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1] ?? ''}`;
}

/**
 * Percentages of parts that sum to the rounded percentage of their sum, as a reader adds them up: the largest remainders are
 * rounded up.
 */
export function percentsThatSum(shares: readonly number[], decimals = 1): string[] {
  const ofPercent = 10 ** decimals;
  const units = shares.map((share) => share * 100 * ofPercent);
  const floors = units.map(Math.floor);
  const total = Math.round(units.reduce((sum, value) => sum + value, 0));
  const missing = Math.max(0, total - floors.reduce((sum, value) => sum + value, 0));
  const byRemainder = units.map((value, index) => ({ index, rest: value - Math.floor(value) })).sort((a, b) => b.rest - a.rest);
  for (const { index } of byRemainder.slice(0, missing)) floors[index] = (floors[index] ?? 0) + 1;
  return floors.map((value) => String(value / ofPercent));
}

/** Decimals of a percentage in which the least of some shares still has a digit: one to four. */
export function decimalsOf(shares: readonly number[]): number {
  const least = shares.reduce((smallest, share) => (share > 0 ? Math.min(smallest, share) : smallest), 1);
  return Math.min(4, Math.max(1, Math.ceil(-Math.log10(least * 100))));
}
