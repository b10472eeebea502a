/** Samples as a file has them, and the time series that they are. */
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import { formatCount } from '../../../text/units.js';
import { seriesOfCounter, seriesOfRates, type Series } from '../series.js';

/** Whether numbers are rates over the step that begins or ends at their time, or bytes counted since some time. */
export type SampleForm = 'rate-from' | 'rate-to' | 'counter';

export interface Samples {
  /** What the file is: `CSV`, `Prometheus`, … */
  source: string;
  form: SampleForm;
  /** Milliseconds since 1970. */
  timesMs: number[];
  /** Bytes or bytes a second; NaN for none. Null where there are no such numbers. */
  write: number[] | null;
  read: number[] | null;
  /** What was taken for granted, in sentences. */
  notes: string[];
}

export interface Telemetry {
  source: string;
  samples: number;
  stepSeconds: number;
  missingSteps: number;
  write: Series | null;
  read: Series | null;
  notes: string[];
}

/** The fewest from which a step and a burst follow. */
const leastSamples = 3;

/**
 * @throws FormatError `corrupt` for too few samples, times that are not in order, and negative numbers
 */
export function telemetryOf({ source, form, timesMs, write, read, notes }: Samples): Telemetry {
  if (timesMs.length < leastSamples)
    throw new FormatError('corrupt', `${source}: ${formatCount(timesMs.length)} of the ${leastSamples} samples that are needed`);
  timesMs.forEach((timeMs, index) => {
    const before = timesMs[index - 1] ?? -Infinity;
    if (timeMs === before) throw new FormatError('corrupt', `${source}: two samples have the time ${timeText(timeMs)}`);
    if (timeMs < before)
      throw new FormatError('corrupt', `${source}: times are not in order: ${timeText(timeMs)} comes after ${timeText(before)}`);
  });
  const seriesOf = (values: number[] | null): Series | null => {
    if (values === null) return null;
    const negative = values.findIndex((value) => value < 0);
    if (negative !== -1)
      throw new FormatError('corrupt', `${source}: ${values[negative]} at ${timeText(timesMs[negative] as number)} is negative`);
    const series = form === 'counter' ? seriesOfCounter(timesMs, values) : seriesOfRates(timesMs, values, form === 'rate-to');
    return series.startMs.length === 0 ? null : series;
  };
  const [written, wasRead] = [seriesOf(write), seriesOf(read)];
  if (written === null && wasRead === null) throw new FormatError('corrupt', `${source}: no sample has a number`);
  const series = (written ?? wasRead) as Series;
  return {
    source,
    samples: timesMs.length,
    stepSeconds: series.stepMs / 1000,
    missingSteps: series.missingSteps,
    write: written,
    read: wasRead,
    notes,
  };
}

/** @throws FormatError `limit-exceeded` */
export function refuseMore(samples: number): void {
  if (samples > limits.telemetrySamples)
    throw new FormatError(
      'limit-exceeded',
      `more than the ${formatCount(limits.telemetrySamples)} samples that are read: take a part of it, or a longer step`,
    );
}

function timeText(timeMs: number): string {
  return Math.abs(timeMs) <= 8.64e15 ? new Date(timeMs).toISOString() : String(timeMs);
}
