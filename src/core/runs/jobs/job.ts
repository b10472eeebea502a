/** A training job in one row, whether it was seen in its files or in telemetry: what it saved, how often and how fast. */
import type { ReportedRun } from '../runsReport.js';
import type { TelemetryJob } from '../telemetry/telemetryReport.js';
import { medianOrNull } from '../../bytes/median.js';

/** What is not known is null. */
export interface Job {
  name: string;
  framework: string | null;
  /** Users, separated by spaces. */
  owner: string | null;
  /** Saves that are there, or were seen. */
  saves: number;
  /** The step of its newest whole checkpoint, and when that was done, ISO 8601. */
  newestStep: number | null;
  newestAt: string | null;
  /** Of all that lies there. */
  bytes: number | null;
  allocatedBytes: number | null;
  /** Of a save, the median. */
  saveBytes: number | null;
  intervalSeconds: number | null;
  saveSeconds: number | null;
  bytesPerSecond: number | null;
  bytesPerSecondPerRank: number | null;
  /** Share of an interval in which a save is under way. */
  overlap: number | null;
  parametersLow: number | null;
  parametersHigh: number | null;
  /** What a retention policy would free, where one was named. */
  couldFreeBytes: number | null;
}

export function jobOfRun(run: ReportedRun): Job {
  const { save, checkpoints, estimatedParameters: parameters } = run;
  const newest = checkpoints.find(({ path }) => path === run.newest);
  return {
    name: `${run.path === '' ? '.' : run.path}${run.names === null ? '' : ` (${run.names})`}`,
    framework: run.framework,
    owner: run.owners.length === 0 ? null : run.owners.join(' '),
    saves: checkpoints.length,
    newestStep: newest?.step ?? null,
    newestAt: newest?.finishedMs == null ? null : new Date(newest.finishedMs).toISOString(),
    bytes: run.bytes,
    allocatedBytes: run.allocatedBytes,
    saveBytes: medianOrNull(checkpoints.flatMap(({ complete, bytes }) => (complete ? [bytes] : []))),
    intervalSeconds: run.intervals.medianSeconds,
    saveSeconds: save.medianSeconds,
    bytesPerSecond: save.effectiveBytesPerSecond,
    bytesPerSecondPerRank: save.bytesPerSecondPerRank,
    overlap: save.overlap,
    parametersLow: parameters?.low ?? null,
    parametersHigh: parameters?.high ?? null,
    couldFreeBytes: run.retention === null || run.retention.refused !== null ? null : run.retention.freedBytes,
  };
}

/** @param index of the job in its report, from 0 */
export function jobOfTelemetry(job: TelemetryJob, index: number): Job {
  const last = job.saves.at(-1);
  return {
    name: `job ${index + 1}`,
    framework: null,
    owner: null,
    saves: job.saves.length,
    newestStep: null,
    newestAt: last === undefined ? null : new Date(last.finishedMs).toISOString(),
    bytes: null,
    allocatedBytes: null,
    saveBytes: job.medianBytes,
    intervalSeconds: job.medianIntervalSeconds,
    saveSeconds: job.medianSaveSeconds,
    bytesPerSecond: job.effectiveBytesPerSecond,
    bytesPerSecondPerRank: null,
    overlap: job.overlap,
    parametersLow: job.estimatedParameters.low,
    parametersHigh: job.estimatedParameters.high,
    couldFreeBytes: null,
  };
}

/** Columns in tables of other programs, in their order. */
export const jobColumns = [
  'name',
  'framework',
  'owner',
  'saves',
  'newestStep',
  'newestAt',
  'bytes',
  'allocatedBytes',
  'saveBytes',
  'intervalSeconds',
  'saveSeconds',
  'bytesPerSecond',
  'bytesPerSecondPerRank',
  'overlap',
  'parametersLow',
  'parametersHigh',
  'couldFreeBytes',
] as const satisfies readonly (keyof Job)[];
