/** What is said of jobs that are hardly ever alone, and of what is left beside them, against the log of what was written. */
import { describe, expect, it } from 'vitest';
import { median } from '../../../../src/core/bytes/median.js';
import type { TelemetryJob, TelemetryReport } from '../../../../src/core/runs/telemetry/telemetryReport.js';
import { reportOfTrace, telemetryScore } from '../../../builders/telemetryScore.js';
import { telemetryTrace, type LoggedJob } from '../../../builders/telemetryTrace.js';

/** The job of the log whose interval and size are those of a job; null where none is. */
function loggedOf({ medianIntervalSeconds, medianBytes }: TelemetryJob, logged: readonly LoggedJob[]): LoggedJob | null {
  const isNear = (one: number, other: number) => Math.abs(one / other - 1) < 0.1;
  return logged.find((job) => isNear(medianIntervalSeconds, job.intervalSeconds) && isNear(medianBytes, job.bytes)) ?? null;
}

const secondsOf = ({ saves }: LoggedJob): number =>
  median(saves.map(({ startedMs, finishedMs }) => (finishedMs - startedMs) / 1000));

describe('a job whose saves are never alone', () => {
  it.each([400_005, 400_173])('has the size of its saves: trace %i', (seed) => {
    const trace = telemetryTrace(seed);
    const report = reportOfTrace(trace);
    const { found, saves, invented, claimed } = telemetryScore(trace, report);
    expect(found / saves).toBeGreaterThan(0.98);
    expect(invented / claimed).toBeLessThan(0.01);
    for (const job of report.jobs.filter(({ coverage }) => coverage.alone === 0))
      expect(loggedOf(job, trace.jobs)).not.toBeNull();
  });

  it('has the duration that fits all of its saves, and no bounds', () => {
    const trace = telemetryTrace(400_092);
    const never = reportOfTrace(trace).jobs.filter(({ coverage }) => coverage.alone === 0);
    expect(never).toHaveLength(1);
    for (const job of never) {
      const seconds = secondsOf(loggedOf(job, trace.jobs) as LoggedJob);
      expect(job.bounds).toBeNull();
      expect(Math.abs((job.medianSaveSeconds ?? 0) / seconds - 1)).toBeLessThan(0.1);
    }
  });
});

describe('rests of saves', () => {
  it.each([400_179, 400_023])('are no job: trace %i', (seed) => {
    const trace = telemetryTrace(seed);
    expect(reportOfTrace(trace).jobs).toHaveLength(trace.jobs.length);
  });

  it('of less than nothing are no job', () => {
    const { jobs } = reportOfTrace(telemetryTrace(100_072));
    expect(jobs.every(({ medianBytes }) => medianBytes > 0)).toBe(true);
  });
});

describe('bounds', () => {
  it.each([400_028, 400_092, 400_164, 400_179, 600_004])('of every job hold: trace %i', (seed) => {
    const trace = telemetryTrace(seed);
    for (const job of reportOfTrace(trace).jobs) {
      const logged = loggedOf(job, trace.jobs);
      if (job.bounds === null || logged === null) continue;
      const seconds = secondsOf(logged);
      expect(job.bounds.saveSecondsAtMost).toBeGreaterThanOrEqual(seconds);
      expect(job.bounds.bytesPerSecondAtLeast).toBeLessThanOrEqual(logged.bytes / seconds);
      expect(job.bounds.overlapAtMost).toBeGreaterThanOrEqual(seconds / logged.intervalSeconds);
    }
  });

  it.each([600_004, 600_028, 600_092])('are not given where drains take longer than an interval: trace %i', (seed) => {
    const trace = telemetryTrace(seed, { slowDrains: true, stepSeconds: 30, jobs: 2 });
    const slow = reportOfTrace(trace).jobs.filter((job) => {
      const logged = loggedOf(job, trace.jobs);
      return logged !== null && secondsOf(logged) > logged.intervalSeconds;
    });
    expect(slow).toHaveLength(1);
    for (const job of slow) {
      expect(job.bounds).toBeNull();
      expect(job.overlap).toBeGreaterThan(1);
    }
  });
});

/** Stretches of writes that are listed as uncertain though most of each is within a listed save of the same bytes, of which they take much. */
function contradictionsOf({ jobs, uncertain }: TelemetryReport): TelemetryReport['uncertain'] {
  return uncertain.filter(
    (one) =>
      !/ reads /.test(one.why) &&
      jobs.some(({ saves }) =>
        saves.some(
          (save) =>
            Math.min(one.finishedMs, save.finishedMs) - Math.max(one.startedMs, save.startedMs) >
              0.8 * (one.finishedMs - one.startedMs) && Math.abs(one.bytes / save.bytes - 1) < 0.15,
        ),
      ),
  );
}

describe('uncertain stretches', () => {
  it.each([400_156, 400_101, 100_003])('are none that a listed save accounts for: trace %i', (seed) => {
    expect(contradictionsOf(reportOfTrace(telemetryTrace(seed)))).toEqual([]);
  });
});

describe('drains that take longer than an interval', () => {
  it.each([
    [600_074, { slowDrains: true, stepSeconds: 300 }],
    [600_086, { slowDrains: true, stepSeconds: 5 }],
    [500_127, {}],
  ])('have their size, whatever else is written: trace %i, %j', (seed, options) => {
    const trace = telemetryTrace(seed, options);
    const { jobs } = reportOfTrace(trace);
    const slow = jobs.filter(({ overlap }) => (overlap ?? 0) > 1).map((job) => loggedOf(job, trace.jobs));
    expect(slow).toHaveLength(1);
    expect(slow).not.toContain(null);
  });

  it.each([
    [500_062, 0.965],
    [500_183, 0.7],
    [500_195, 0.5],
  ])('leave jobs to be found whose saves add less to them than a drain: trace %i', (seed, least) => {
    const trace = telemetryTrace(seed);
    const { found, saves } = telemetryScore(trace, reportOfTrace(trace));
    expect(found / saves).toBeGreaterThan(least);
  });

  it.each([600_182, 600_200])('are found where an interval is of less than 12 steps: trace %i', (seed) => {
    const trace = telemetryTrace(seed, { slowDrains: true, stepSeconds: 300 });
    const { found, saves } = telemetryScore(trace, reportOfTrace(trace));
    expect(found / saves).toBeGreaterThan(0.9);
  });

  it('are no other job where their rate varies', () => {
    const trace = telemetryTrace(600_178, { slowDrains: true, stepSeconds: 15 });
    expect(telemetryScore(trace, reportOfTrace(trace)).invented).toBe(0);
  });
});
