/** What a report finds of the log of a trace. A found save is at its time and of its size; the others are missed, or listed as uncertain. */
import { telemetryOf } from '../../src/core/runs/telemetry/inputs/samples.js';
import { telemetryReport, type TelemetryReport, type Transfer } from '../../src/core/runs/telemetry/telemetryReport.js';
import type { LoggedJob, TelemetryTrace } from './telemetryTrace.js';

export interface TelemetryScore {
  /** Saves that were recorded from their beginning to their end. */
  saves: number;
  found: number;
  /** Of those that were not found, the ones in stretches that are listed as uncertain. */
  uncertain: number;
  claimed: number;
  invented: number;
  /** Relative errors of jobs with three saves and more; null for one that was not found. */
  intervalErrors: (number | null)[];
  /** Of found saves. */
  sizeErrors: number[];
  restores: number;
  foundRestores: number;
}

/** What is reported of a trace. */
export function reportOfTrace({ timesMs, writeBytesPerSecond, readBytesPerSecond }: TelemetryTrace): TelemetryReport {
  return telemetryReport(
    'a.csv',
    telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write: writeBytesPerSecond, read: readBytesPerSecond, notes: [] }),
  );
}

/** A save of another size is not the one that was written. */
const sameSize = 0.1;

export function telemetryScore(trace: TelemetryTrace, report: TelemetryReport): TelemetryScore {
  const isCut = ({ startedMs, finishedMs }: Transfer) => {
    const aroundMs = trace.stepSeconds * 1000;
    return trace.holes.some(({ fromMs, toMs }) => fromMs < finishedMs + aroundMs && toMs > startedMs - aroundMs);
  };
  const claims = report.jobs.flatMap((job, index) => job.saves.map((save) => ({ save, index, isUsed: false })));
  const score = { saves: 0, found: 0, uncertain: 0, sizeErrors: [] as number[], intervalErrors: [] as (number | null)[] };
  for (const job of trace.jobs) {
    const whole = job.saves.filter((save) => !isCut(save));
    const votes = new Map<number, number>();
    for (const save of whole) {
      const claim = closest(save, job, claims, trace.stepSeconds);
      score.saves += 1;
      if (claim === null)
        score.uncertain += Number(
          report.uncertain.some((one) => one.startedMs < save.finishedMs && one.finishedMs > save.startedMs),
        );
      else {
        claim.isUsed = true;
        score.found += 1;
        score.sizeErrors.push(Math.abs(claim.save.bytes / save.bytes - 1));
        votes.set(claim.index, (votes.get(claim.index) ?? 0) + 1);
      }
    }
    const [most] = [...votes].sort(([, a], [, b]) => b - a);
    const found = most === undefined ? undefined : report.jobs[most[0]];
    if (whole.length >= 3)
      score.intervalErrors.push(found === undefined ? null : Math.abs(found.medianIntervalSeconds / job.intervalSeconds - 1));
  }
  const restores = trace.jobs.flatMap((job) => job.restores.filter((restore) => !isCut(restore)));
  const claimedRestores = report.jobs.flatMap((job) => job.restores);
  return {
    ...score,
    claimed: claims.length,
    invented: claims.filter(({ save, isUsed }) => !isUsed && !isCut(save)).length,
    restores: restores.length,
    foundRestores: restores.filter((one) =>
      claimedRestores.some((claim) => claim.startedMs < one.finishedMs && claim.finishedMs > one.startedMs),
    ).length,
  };
}

interface Claim {
  save: Transfer;
  index: number;
  isUsed: boolean;
}

/** The nearest of the same size, within a step or half of the save, and what intervals differ by. */
function closest(save: Transfer, { intervalSeconds }: LoggedJob, claims: readonly Claim[], stepSeconds: number): Claim | null {
  const middleOf = ({ startedMs, finishedMs }: Transfer) => (startedMs + finishedMs) / 2;
  let best: Claim | null = null;
  let bestMs = Math.max(stepSeconds * 1000, (save.finishedMs - save.startedMs) / 2) + 20 * intervalSeconds;
  for (const claim of claims) {
    if (claim.isUsed || Math.abs(claim.save.bytes / save.bytes - 1) > sameSize) continue;
    const offMs = Math.abs(middleOf(claim.save) - middleOf(save));
    if (offMs <= bestMs) [best, bestMs] = [claim, offMs];
  }
  return best;
}
