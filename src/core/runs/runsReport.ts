/** The runs of a directory, as `stowage runs` reports them. */
import type { RunRetention } from './runRetention.js';
import type { FoundRuns, SearchCoverage } from './search/searchRuns.js';
import { fullStorage, isGoingOn, type FullStorage, type StorageRoom } from './storageRoom.js';
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
   * When its storage is full as all runs of the report grow that go on, ISO 8601; null where growth or room is not known, it is after the year 9999, or
   * the run has not saved for longer than a few of its intervals.
   */
  fullAt: string | null;
  /** What is used up then: bytes or files of the file system, or the user's quota. */
  fullBy: FullStorage['by'] | null;
  /** What the policy that was named lets go; null without one. */
  retention: RunRetention | null;
}

const notFull = { fullAt: null, fullBy: null };
/** ISO 8601 has four digits for a year. */
const lastMs = Date.UTC(9999, 11, 31);

/**
 * @param path what was searched
 * @param room of the storage, as it was at `nowMs`
 */
export function runsReport(
  path: string,
  { runs, coverage }: FoundRuns,
  { room, nowMs, unchanged = 0 }: { room: StorageRoom; nowMs: number; unchanged?: number },
): RunsReport {
  const growing = runs.filter((run) => run.bytesPerDay !== null && isGoingOn(run, nowMs));
  const full = new Map(growing.map((run) => [run, dated(fullStorage(run, growing, room, nowMs))]));
  return {
    kind: 'runs',
    schemaVersion: 2,
    path,
    runs: runs.map((one) => ({ ...one, ...(full.get(one) ?? notFull), retention: null })),
    coverage: { ...coverage, unchanged },
  };
}

function dated(full: FullStorage | null): Pick<ReportedRun, 'fullAt' | 'fullBy'> {
  return full === null || full.atMs > lastMs ? notFull : { fullAt: new Date(full.atMs).toISOString(), fullBy: full.by };
}
