/**
 * The answer of a Prometheus range query (`/api/v1/query_range`): `{ "status": "success", "data": { "resultType": "matrix", "result": [{ "metric": {…},
 * "values": [[1435781430.781, "1"], …] }] } }` (Prometheus documentation, "HTTP API"). A raw counter keeps its name, which ends with `_total` by
 * convention; `rate()` and sums of it drop the name.
 */
import { FormatError } from '../../../bytes/formatError.js';
import { recordOf } from './jsonRecord.js';
import { refuseMore, type Samples } from './samples.js';

export function isPrometheus(value: unknown): boolean {
  const { status, data } = recordOf(value);
  return status !== undefined && recordOf(data)['resultType'] !== undefined;
}

interface MetricSeries {
  name: string;
  isWrite: boolean | null;
  values: Map<number, number>;
}

/** @throws FormatError `unsupported` for an answer that is no matrix, `corrupt` */
export function prometheusSamples(value: unknown): Samples {
  const { status, data, error } = recordOf(value);
  if (status !== 'success')
    throw new FormatError('corrupt', `Prometheus answered ${String(status)}: ${String(error).slice(0, 200)}`);
  const { resultType, result } = recordOf(data);
  if (resultType !== 'matrix' || !Array.isArray(result))
    throw new FormatError(
      'unsupported',
      `Prometheus answered with a ${String(resultType)}: a range query (query_range) gives a matrix`,
    );
  const all = result.map(seriesOf);
  if (all.length === 0) throw new FormatError('corrupt', 'Prometheus answered with no series');
  const forms = new Set(all.map(isCounter));
  if (forms.size > 1) throw new FormatError('corrupt', 'counters and rates are mixed: query one of both');
  const isCounting = forms.has(true);
  const timesMs = [...new Set(all.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
  refuseMore(timesMs.length);
  const written = all.filter(({ isWrite }) => isWrite !== false);
  const wasRead = all.filter(({ isWrite }) => isWrite === false);
  const notes = all.some(({ isWrite }) => isWrite === null)
    ? ['Series whose name and labels say neither read nor write are taken for writes.']
    : [];
  if (isCounting) notes.push('The series are counters: their names end with _total, or their values only rise.');
  const sum = isCounting ? sumOfCounters : sumOfRates;
  return {
    source: 'Prometheus',
    form: isCounting ? 'counter' : 'rate-to',
    timesMs,
    write: written.length === 0 ? null : sum(written, timesMs),
    read: wasRead.length === 0 ? null : sum(wasRead, timesMs),
    notes,
  };
}

function seriesOf(item: unknown): MetricSeries {
  const { metric, values } = recordOf(item);
  const labels = recordOf(metric);
  if (!Array.isArray(values)) throw new FormatError('corrupt', 'a series has no values');
  const name = typeof labels['__name__'] === 'string' ? labels['__name__'] : '';
  const words = Object.values(labels)
    .filter((label): label is string => typeof label === 'string')
    .join(' ');
  const isWrite = /writ/i.test(name)
    ? true
    : /read/i.test(name)
      ? false
      : /\bwrit/i.test(words)
        ? true
        : /\bread/i.test(words)
          ? false
          : null;
  return { name, isWrite, values: new Map(values.map(valueOf)) };
}

/** A value is a text: `NaN` stands for none. */
function valueOf(pair: unknown): [number, number] {
  const [seconds, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
  const value = typeof text === 'string' ? Number(text) : NaN;
  if (typeof seconds !== 'number' || typeof text !== 'string' || (Number.isNaN(value) && text !== 'NaN'))
    throw new FormatError('corrupt', 'a value is no pair of a time and a number in quotes');
  return [Math.round(seconds * 1000), Number.isFinite(value) ? value : NaN];
}

/** Of the values of a counter that has no such name, so many rise or stay. */
const leastRising = 0.97;

function isCounter({ name, values }: MetricSeries): boolean {
  if (/_total$|_(sum|count)$/.test(name)) return true;
  if (name === '' || /rate/i.test(name)) return false;
  const known = [...values.values()].filter((value) => !Number.isNaN(value));
  const rising = known.slice(1).filter((value, index) => value >= (known[index] as number)).length;
  return known.length > 2 && rising >= leastRising * (known.length - 1) && (known.at(-1) ?? 0) > (known[0] ?? 0);
}

/** NaN where none of them has a value. */
function sumOfRates(all: readonly MetricSeries[], timesMs: readonly number[]): number[] {
  return timesMs.map((timeMs) => {
    const known = all.map(({ values }) => values.get(timeMs) ?? NaN).filter((value) => !Number.isNaN(value));
    return known.length === 0 ? NaN : known.reduce((sum, value) => sum + value, 0);
  });
}

/** What each rose by, as each is set to 0 at its own time. */
function sumOfCounters(all: readonly MetricSeries[], timesMs: readonly number[]): number[] {
  const risen = new Array<number>(timesMs.length).fill(0);
  for (const { values } of all) {
    let last = NaN;
    timesMs.forEach((timeMs, index) => {
      const value = values.get(timeMs) ?? NaN;
      if (Number.isNaN(value)) return;
      if (!Number.isNaN(last)) risen[index] = (risen[index] as number) + (value >= last ? value - last : value);
      last = value;
    });
  }
  let sum = 0;
  return risen.map((value, index) => {
    sum += value;
    const isKnown = all.some(({ values }) => !Number.isNaN(values.get(timesMs[index] as number) ?? NaN));
    return isKnown ? sum : NaN;
  });
}
