/**
 * A time series of bytes: cells of time, each with the bytes that moved in it. Rates and counters become the same cells, so that what is found
 * does not depend on how they were sampled.
 */
import { medianOrNull } from '../../bytes/median.js';

/** Cells in the order of time that do not overlap. Where the next one begins later than one ends, nothing is known in between. */
export interface Series {
  /** Milliseconds since 1970. */
  startMs: Float64Array;
  endMs: Float64Array;
  bytes: Float64Array;
  /** 1 for what stands in for a missing sample: at the edge of a burst it has too few bytes. */
  isFilled: Uint8Array;
  /** The usual length of a cell. */
  stepMs: number;
  /** Steps without a sample. */
  missingSteps: number;
}

/** Longer holes than these steps stay holes. */
const mostFilledSteps = 3;

/**
 * @param bytesPerSecond rates over the step that begins at each time; NaN for none
 * @param timesMs increasing
 * @param isEnd each rate is over the step that ends at its time
 */
export function seriesOfRates(timesMs: readonly number[], bytesPerSecond: readonly number[], isEnd = false): Series {
  const stepMs = stepOf(timesMs);
  const cells = new Cells();
  let missingSteps = 0;
  let lastMs = NaN;
  let lastRate = NaN;
  timesMs.forEach((timeMs, index) => {
    const rate = bytesPerSecond[index] as number;
    if (Number.isNaN(rate)) return;
    const startMs = isEnd ? timeMs - stepMs : timeMs;
    const missing = Math.round((startMs - lastMs) / stepMs);
    if (missing >= 1) {
      missingSteps += missing;
      // The lower of both neighbours: within a save that is its rate, beside one nothing is made up.
      if (missing <= mostFilledSteps) cells.add(lastMs, startMs, (Math.min(lastRate, rate) * (startMs - lastMs)) / 1000, 1);
    }
    const nextMs = isEnd ? timeMs : Math.min(startMs + stepMs, timesMs[index + 1] ?? Infinity);
    const beginMs = Number.isNaN(lastMs) ? startMs : Math.max(startMs, lastMs);
    if (nextMs <= beginMs) return;
    cells.add(beginMs, nextMs, (rate * (nextMs - beginMs)) / 1000);
    lastMs = nextMs;
    lastRate = rate;
  });
  return { ...cells.columns(), stepMs, missingSteps };
}

/**
 * @param counts bytes since some time; NaN for none. One that falls was set to 0 in between: what it has since is what is known
 * @param timesMs increasing
 */
export function seriesOfCounter(timesMs: readonly number[], counts: readonly number[]): Series {
  const stepMs = stepOf(timesMs);
  const cells = new Cells();
  let missingSteps = 0;
  let last = -1;
  timesMs.forEach((timeMs, index) => {
    const count = counts[index] as number;
    if (Number.isNaN(count)) return;
    if (last >= 0) {
      const [beforeMs, before] = [timesMs[last] as number, counts[last] as number];
      missingSteps += Math.max(0, Math.round((timeMs - beforeMs) / stepMs) - 1);
      cells.add(beforeMs, timeMs, count >= before ? count - before : count);
    }
    last = index;
  });
  return { ...cells.columns(), stepMs, missingSteps };
}

/** The usual time from one sample to the next. */
export function stepOf(timesMs: readonly number[]): number {
  const steps = timesMs.slice(1).map((timeMs, index) => timeMs - (timesMs[index] as number));
  return medianOrNull(steps) ?? 0;
}

class Cells {
  private readonly startMs: number[] = [];
  private readonly endMs: number[] = [];
  private readonly bytes: number[] = [];
  private readonly isFilled: number[] = [];

  add(startMs: number, endMs: number, bytes: number, isFilled = 0): void {
    this.startMs.push(startMs);
    this.endMs.push(endMs);
    this.bytes.push(bytes);
    this.isFilled.push(isFilled);
  }

  columns(): Pick<Series, 'startMs' | 'endMs' | 'bytes' | 'isFilled'> {
    return {
      startMs: Float64Array.from(this.startMs),
      endMs: Float64Array.from(this.endMs),
      bytes: Float64Array.from(this.bytes),
      isFilled: Uint8Array.from(this.isFilled),
    };
  }
}
