/**
 * Jobs in seeded traces, against the log of what was written: what is found, what is invented, and what is said of the rest. The traces are the same each
 * day, so that what is found of them can be compared.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/datasets/text/random.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { median } from '../../../../src/core/bytes/median.js';
import { telemetryOf } from '../../../../src/core/runs/telemetry/inputs/samples.js';
import { telemetryReport, type TelemetryReport } from '../../../../src/core/runs/telemetry/telemetryReport.js';
import { telemetryPage } from '../../../../src/core/pages/runs/telemetryPage.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';
import { isExhaustive } from '../../../builders/seed.js';
import { reportOfTrace, telemetryScore, type TelemetryScore } from '../../../builders/telemetryScore.js';
import { telemetryTrace, type TraceOptions } from '../../../builders/telemetryTrace.js';

const validate = compileSchemaFile('docs/telemetry-report.schema.json');

function scoresOf(count: number, options: (index: number) => TraceOptions): TelemetryScore[] {
  return Array.from({ length: count }, (_trace, index) => {
    const trace = telemetryTrace(index + 1, options(index));
    const report = reportOfTrace(trace);
    expect(schemaErrors(validate, report)).toEqual([]);
    expect(telemetryPage(report).decision).toMatch(/\.$/);
    return telemetryScore(trace, report);
  });
}

const sum = (scores: readonly TelemetryScore[], of: (score: TelemetryScore) => number) =>
  scores.reduce((all, score) => all + of(score), 0);

/** What is found of traces of one kind; the least of it that holds for any seed. */
function holds(scores: readonly TelemetryScore[], { recall, invented }: { recall: number; invented: number }): void {
  const saves = sum(scores, ({ saves: all }) => all);
  expect(sum(scores, ({ found }) => found) / saves).toBeGreaterThanOrEqual(recall);
  expect(sum(scores, (score) => score.invented) / sum(scores, ({ claimed }) => claimed)).toBeLessThanOrEqual(invented);
  const intervals = scores.flatMap(({ intervalErrors }) => intervalErrors).map((error) => error ?? 1);
  expect(median(intervals)).toBeLessThan(0.005);
  const sizes = scores.flatMap(({ sizeErrors }) => sizeErrors);
  expect(sizes.filter((error) => error > 0.05).length).toBeLessThanOrEqual(0.03 * sizes.length);
}

const fast = [10, 15, 30, 60];

describe('traces', () => {
  it('of one job and of two are found', () => {
    const scores = scoresOf(isExhaustive ? 60 : 10, (index) => ({
      jobs: 1 + (index % 2),
      stepSeconds: fast[index % fast.length] ?? 10,
      slowDrains: false,
    }));
    holds(scores, isExhaustive ? { recall: 0.985, invented: 0.004 } : { recall: 0.98, invented: 0.005 });
  });

  it('of up to six jobs are found for most, and the rest is listed', () => {
    const scores = scoresOf(isExhaustive ? 140 : 10, (index) =>
      isExhaustive ? {} : { jobs: 3 + (index % 4), stepSeconds: fast[index % fast.length] ?? 10 },
    );
    holds(scores, isExhaustive ? { recall: 0.95, invented: 0.01 } : { recall: 0.965, invented: 0.008 });
  });

  it('of drains that take longer than an interval are found', () => {
    const scores = scoresOf(isExhaustive ? 60 : 8, (index) => ({
      jobs: 1 + (index % 3),
      stepSeconds: fast[index % fast.length] ?? 10,
      slowDrains: true,
    }));
    holds(scores, { recall: isExhaustive ? 0.8 : 0.93, invented: isExhaustive ? 0.08 : 0.02 });
  });
});

describe('a job whose saves are hardly ever bursts of their own', () => {
  it.each([300_070, 300_081, 300_087])('is found from one of them: trace %i', (seed) => {
    const trace = telemetryTrace(seed);
    const { found, saves, invented } = telemetryScore(trace, reportOfTrace(trace));
    expect(found / saves).toBeGreaterThan(0.95);
    expect(invented / saves).toBeLessThan(0.03);
  });
});

/** A square save every `every` cells on a constant background. */
function squares(cells: number, every: number, width: number, rate: number, stepSeconds: number, firstCell = 3): TelemetryReport {
  const timesMs = Array.from({ length: cells }, (_cell, index) => 1.7e12 + index * stepSeconds * 1000);
  const write = timesMs.map((_time, index) => 1e6 + ((index + every - firstCell) % every < width ? rate : 0));
  return telemetryReport('a.csv', telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }));
}

describe('one job', () => {
  it('has the interval, duration, bandwidth and parameters of its saves', () => {
    const report = squares(2000, 180, 12, 1e9, 10);
    expect(report.jobs).toHaveLength(1);
    expect(report.uncertain).toEqual([]);
    const [job] = report.jobs;
    expect(job).toMatchObject({
      medianIntervalSeconds: 1800,
      medianBytes: 120e9,
      bounds: null,
      restores: [],
      coverage: { alone: 12, of: 12 },
    });
    expect(job?.medianSaveSeconds).toBeCloseTo(120, 0);
    expect(job?.effectiveBytesPerSecond).toBeCloseTo(1e9, -7);
    expect(job?.overlap).toBeCloseTo(1 / 15, 3);
    expect(job?.estimatedParameters).toMatchObject({ low: 7.5e9, high: 60e9 });
    expect(job?.estimatedParameters.basis).toContain('16 bytes a parameter');
    expect(job?.saves[0]).toEqual({ startedMs: 1.7e12 + 30_000, finishedMs: 1.7e12 + 150_000, bytes: 120e9 });
    expect(report.background.medianBytesPerSecond).toBe(1e6);
  });

  it('has bounds where a save takes less than a step', () => {
    const [job] = squares(300, 12, 1, 1e9, 300).jobs;
    expect(job).toMatchObject({ medianSaveSeconds: null, effectiveBytesPerSecond: null, overlap: null, medianBytes: 300e9 });
    expect(job?.bounds).toEqual({ saveSecondsAtMost: 300, bytesPerSecondAtLeast: 1e9, overlapAtMost: 1 / 12 });
  });

  it('may save for longer than an interval', () => {
    const [job] = squares(3000, 100, 30, 1e9, 10).jobs;
    expect(job?.overlap).toBeLessThan(1);
    const timesMs = Array.from({ length: 3000 }, (_cell, index) => 1.7e12 + index * 10_000);
    // Drains of 130 cells, every 100 cells.
    const write = timesMs.map(
      (_time, index) =>
        1e6 + (index >= 300 && index < 2700 ? (1 + Number(index >= 400 && index < 2600 && index % 100 < 30)) * 1e9 : 0),
    );
    const report = telemetryReport(
      'a.csv',
      telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }),
    );
    expect(report.jobs).toHaveLength(1);
    expect(report.jobs[0]?.medianIntervalSeconds).toBeCloseTo(1000, 0);
    expect((report.jobs[0]?.medianBytes ?? 0) / 1300e9).toBeCloseTo(1, 1);
    expect(report.uncertain.map(({ why }) => why).join()).toMatch(
      /overlap here: a save that adds less than .+ cannot be distinguished/,
    );
  });

  it('has a size where all of its saves share bursts with those of a faster job', () => {
    const timesMs = Array.from({ length: 6000 }, (_cell, index) => 1.7e12 + index * 10_000);
    const write = timesMs.map((_time, index) => 1e6 + Number(index % 100 < 8) * 2e9 + Number((index + 30) % 730 < 150) * 1e8);
    const report = telemetryReport(
      'a.csv',
      telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }),
    );
    const slower = report.jobs.find(({ medianIntervalSeconds }) => medianIntervalSeconds > 5000);
    expect(slower?.coverage.alone).toBe(0);
    expect(slower?.medianIntervalSeconds).toBeCloseTo(7300, -1);
    expect((slower?.medianBytes ?? 0) / 150e9).toBeCloseTo(1, 1);
  });

  it('searches limits.telemetryBursts and lists limits.telemetryUncertain of what is uncertain, the largest', () => {
    const random = createRandom(5);
    const write: number[] = [];
    // Bursts of any size at any time.
    while (write.length < 16 * limits.telemetryBursts) {
      for (let quiet = 3 + Math.floor(20 * random()); quiet > 0; quiet -= 1) write.push(1e6);
      write.push(1e9 * (0.1 + random()));
    }
    const timesMs = write.map((_rate, index) => 1.7e12 + index * 10_000);
    const report = telemetryReport(
      'a.csv',
      telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }),
    );
    expect(report.uncertain.length).toBeLessThanOrEqual(limits.telemetryUncertain);
    const least = report.uncertain.reduce((most, { bytes }) => Math.min(most, bytes), Infinity);
    expect(report.coverage.notes.join()).toMatch(/^\d+ smaller bursts of writes were not searched for saves$/);
    expect(report.coverage.unlisted).toBeGreaterThan(0);
    expect(least).toBeGreaterThan(1e9);
  });

  it('is none where nothing stands out, and none where bursts come at no interval', () => {
    const timesMs = Array.from({ length: 500 }, (_cell, index) => 1.7e12 + index * 10_000);
    const report = (write: number[]) =>
      telemetryReport('a.csv', telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }));
    expect(report(timesMs.map(() => 5e6))).toMatchObject({ jobs: [], uncertain: [] });
    expect(report(timesMs.map(() => 0))).toMatchObject({ jobs: [], uncertain: [], background: { medianBytesPerSecond: 0 } });
    const bursts = new Set([40, 41, 43, 44, 130, 131, 132, 400, 401]);
    const other = report(timesMs.map((_time, index) => (bursts.has(index) ? 1e9 * (1 + (index % 7)) : 1e6)));
    expect(other.jobs).toEqual([]);
    expect(other.uncertain.length).toBeGreaterThan(0);
    expect(telemetryPage(other).decision).toMatch(/^No saves that come at an interval/);
  });
});
