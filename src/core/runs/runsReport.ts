/** The runs of a directory, as `stowage runs` reports them. */
import type { FileListing } from '../files/fileTree.js';
import { Listing } from '../files/listing.js';
import { findRun } from '../inspection/runs/run.js';
import { trainingRuns, type TrainingRun } from './trainingRun.js';

export interface RunsReport {
  kind: 'runs';
  schemaVersion: 2;
  path: string;
  runs: ReportedRun[];
  coverage: {
    files: number;
    /** False where files are missing from the listing: directories that could not be listed, or more files than are listed. */
    isWhole: boolean;
    /** Directories that could not be listed. */
    unreadable: string[];
  };
}

export interface ReportedRun extends TrainingRun {
  /**
   * When the free bytes are used up as the run grows, ISO 8601; null where one of both is not known, it is after the year 9999, or the run has not
   * saved for longer than a few of its intervals.
   */
  fullAt: string | null;
}

/** ISO 8601 has four digits for a year. */
const lastMs = Date.UTC(9999, 11, 31);

/**
 * @param freeBytes of the file system, to a user; null where it is not known
 * @param nowMs when that was asked
 */
export function runsReport(
  path: string,
  rootName: string,
  { entries, errors, truncated }: FileListing,
  { freeBytes, nowMs }: { freeBytes: number | null; nowMs: number },
): RunsReport {
  const run = findRun(new Listing(rootName, entries));
  return {
    kind: 'runs',
    schemaVersion: 2,
    path,
    runs: (run === undefined ? [] : trainingRuns(run)).map((one) => ({ ...one, fullAt: fullAt(one, freeBytes, nowMs) })),
    coverage: {
      files: entries.length,
      isWhole: !truncated && errors.length === 0,
      unreadable: errors.map((error) => error.path),
    },
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
