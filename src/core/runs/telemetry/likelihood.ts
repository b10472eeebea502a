/** How likely what was written is, with what known jobs explain of it. */
import type { Background } from './background.js';
import type { Burst } from './bursts.js';
import type { Explained } from './explained.js';
import type { Series } from './series.js';

/** What is searched. */
export interface Written {
  series: Series;
  /** Of each cell, bytes above the background. */
  excess: Float64Array;
  background: Background;
  bursts: readonly Burst[];
}

/** What sizes of saves differ by. */
export const sizeDeviation = 0.02;
/** Above the highest that is written. */
export const aboveHighest = 4;

/**
 * Normally distributed; or anything up to what an edge may have; or else any number up to the highest.
 * @param leastLog the log of how likely that is
 */
export function logLikelihood(off: number, deviation: number, edge: number, leastLog: number): number {
  const some = Math.max(deviation, 1);
  const usual = -((off / some) ** 2) / 2 - Math.log(some);
  if (edge <= some) return Math.max(usual, leastLog);
  const atEdge = Math.abs(off) < edge + 2 * some ? -Math.log(2 * edge) : -Infinity;
  return Math.max(Math.max(usual, atEdge) - Math.LN2, leastLog);
}

/** The log of how likely what was written is, with what is explained of it: by cells, and by the sums of bursts. */
export function likelihoodOf({ series, excess, background, bursts }: Written, { bytes, deviation, edge }: Explained): number {
  const { startMs, endMs, stepMs, isFilled } = series;
  const { median, spread } = background;
  const mostBytes = aboveHighest * excess.reduce((most, value) => Math.max(most, value), 1);
  const leastLog = -Math.log(mostBytes);
  let sum = 0;
  excess.forEach((value, cell) => {
    if (isFilled[cell] === 1) return;
    const seconds = ((endMs[cell] as number) - (startMs[cell] as number)) / 1000;
    const ofBackground = (median[cell] as number) * (spread[cell] as number) * seconds;
    const noise = Math.sqrt(ofBackground ** 2 + (deviation[cell] as number) ** 2);
    sum += logLikelihood(value - (bytes[cell] as number), noise, edge[cell] as number, leastLog);
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
        -Math.log(Math.max(mostBytes, aboveHighest * burst.bytes)),
      )
    );
  }, 0);
  return sum * Math.min(1, stepMs / correlatedMs) + sums;
}

/** Rates that are closer in time go up and down together. */
const correlatedMs = 20_000;
