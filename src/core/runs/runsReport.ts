/** The runs of a directory, as `stowage runs` reports them. */
import type { RunRetention } from './runRetention.js';
import type { FoundRuns, SearchCoverage } from './search/searchRuns.js';
import type { TrainingRun } from './trainingRun.js';

export interface RunsReport {
  kind: 'runs';
  schemaVersion: 2;
  path: string;
  runs: ReportedRun[];
  coverage: SearchCoverage & {
    /** Directories that were not listed again, as they have not changed since an earlier search. */
    unchanged: number;
  };
}

export interface ReportedRun extends TrainingRun {
  /**
   * When the free bytes are used up as the run grows, ISO 8601; null where one of both is not known, it is after the year 9999, or the run has not
   * saved for longer than a few of its intervals.
   */
  fullAt: string | null;
  /** What the policy that was named lets go; null without one. */
  retention: RunRetention | null;
}

/** ISO 8601 has four digits for a year. */
const lastMs = Date.UTC(9999, 11, 31);

/**
 * @param path what was searched
 * @param freeBytes of the file system, to a user; null where it is not known
 * @param nowMs when that was asked
 */
export function runsReport(
  path: string,
  { runs, coverage }: FoundRuns,
  { freeBytes, nowMs, unchanged = 0 }: { freeBytes: number | null; nowMs: number; unchanged?: number },
): RunsReport {
  return {
    kind: 'runs',
    schemaVersion: 2,
    path,
    runs: runs.map((one) => ({ ...one, fullAt: fullAt(one, freeBytes, nowMs), retention: null })),
    coverage: { ...coverage, unchanged },
  };
}

/** Intervals after which a run has ended, or stands still. */
const mostIntervals = 4;

function isGoingOn({ checkpoints, intervals }: TrainingRun, nowMs: number): boolean {
  const newestMs = checkpoints.reduce((newest, { finishedMs }) => Math.max(newest, finishedMs ?? 0), 0);
  return intervals.medianSeconds !== null && nowMs - newestMs <= mostIntervals * intervals.medianSeconds * 1000;
}

function fullAt(run: TrainingRun, freeBytes: number | null, nowMs: number): string | null {
  const { bytesPerDay } = run;
  if (bytesPerDay === null || freeBytes === null || bytesPerDay <= 0 || !isGoingOn(run, nowMs)) return null;
  const ms = nowMs + (freeBytes / bytesPerDay) * 86_400_000;
  return ms > lastMs ? null : new Date(ms).toISOString();
}
