/**
 * What known saves explain of a series: the bytes that they put in each cell, and how far off these may be. A save is a rectangle of its job's bytes and
 * duration; within it rates vary, and at its edges it rises and falls.
 */
import type { FoundJob } from './foundJob.js';
import type { Series } from './series.js';

/** Of each cell, in bytes. */
export interface Explained {
  bytes: Float64Array;
  /** One standard deviation. */
  deviation: Float64Array;
  /** Near the edges of a save, what may be there or not. */
  edge: Float64Array;
  /** The same, further from the edges: what a save may have there, if it is longer than others. */
  near: Float64Array;
}

/** What the rate of a drain varies by within it. */
export const rateDeviation = 0.2;
/** Of a save's duration, what is near an edge. */
export const edgeShare = 0.1;
const nearShare = 0.25;

export function explainedBy(jobs: readonly FoundJob[], series: Series): Explained {
  const column = () => new Float64Array(series.bytes.length);
  const explained = { bytes: column(), deviation: column(), edge: column(), near: column() };
  for (const job of jobs) for (const save of job.saves) addSave(explained, save, series);
  return explained;
}

interface Rectangle {
  startedMs: number;
  finishedMs: number;
  bytes: number;
}

function addSave(explained: Explained, { startedMs, finishedMs, bytes }: Rectangle, { startMs, endMs, stepMs }: Series): void {
  const durationMs = Math.max(1, finishedMs - startedMs);
  const nearMs = edgeShare * durationMs + stepMs / 4;
  const aroundMs = nearShare * durationMs + stepMs / 4;
  for (let cell = firstEndingAfter(endMs, startedMs - aroundMs); (startMs[cell] ?? Infinity) < finishedMs + aroundMs; cell += 1) {
    const [fromMs, toMs] = [startMs[cell] as number, endMs[cell] as number];
    const inside = Math.max(0, Math.min(finishedMs, toMs) - Math.max(startedMs, fromMs)) / durationMs;
    const isEdge = overlaps(fromMs, toMs, startedMs, nearMs) || overlaps(fromMs, toMs, finishedMs, nearMs);
    explained.bytes[cell] = (explained.bytes[cell] as number) + bytes * inside;
    if (inside > 0)
      explained.deviation[cell] = Math.sqrt((explained.deviation[cell] as number) ** 2 + (bytes * rateDeviation * inside) ** 2);
    const full = bytes * Math.min(1, (toMs - fromMs) / durationMs);
    if (isEdge) explained.edge[cell] = (explained.edge[cell] as number) + full;
    explained.near[cell] = (explained.near[cell] as number) + full;
  }
}

/** Whether an edge is in or near a stretch of time. */
export function overlaps(fromMs: number, toMs: number, edgeMs: number, nearMs: number): boolean {
  return fromMs < edgeMs + nearMs && toMs > edgeMs - nearMs;
}

/** The first cell that ends after a time, by halving. */
export function firstEndingAfter(endMs: Float64Array, timeMs: number): number {
  let [low, high] = [0, endMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((endMs[middle] as number) > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The series without what is explained. Where that is larger than what is left, a slow save below cannot be seen: the lower level beside it
 * stands in for it, as for a missing sample.
 */
export function unexplained(series: Series, excess: Float64Array, { bytes, near }: Explained): Series {
  const left = series.bytes.map((count, cell) => count - (bytes[cell] as number));
  const isFilled = series.isFilled.slice();
  const isHidden = (cell: number): boolean => {
    const above = excess[cell] as number;
    const off = Math.abs(above - (bytes[cell] as number));
    // Where no more than the background is, nothing is hidden.
    if (bytes[cell] === 0 && above < ((series.bytes[cell] as number) - above) / 2) return false;
    return off < Math.max(bytes[cell] as number, near[cell] as number);
  };
  for (let first = 0; first < left.length; first += 1) {
    if (!isHidden(first)) continue;
    let last = first;
    while (last + 1 < left.length && isHidden(last + 1)) last += 1;
    const level = Math.min(levelBeside(left, series, first - 1, -1), levelBeside(left, series, last + 1, 1));
    for (let cell = first; cell <= last; cell += 1) {
      left[cell] = (level * ((series.endMs[cell] as number) - (series.startMs[cell] as number))) / 1000;
      isFilled[cell] = 1;
    }
    first = last;
  }
  return { ...series, bytes: left, isFilled };
}

const cellsBeside = 3;

/** The mean rate of some cells beside a stretch; 0 at the ends of the series. */
function levelBeside(bytes: Float64Array, { startMs, endMs }: Series, from: number, direction: 1 | -1): number {
  let [sum, seconds] = [0, 0];
  for (let count = 0, cell = from; count < cellsBeside && cell >= 0 && cell < bytes.length; count += 1, cell += direction) {
    sum += bytes[cell] as number;
    seconds += ((endMs[cell] as number) - (startMs[cell] as number)) / 1000;
  }
  return seconds === 0 ? 0 : Math.max(0, sum / seconds);
}
