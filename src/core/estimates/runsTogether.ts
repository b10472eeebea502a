/** Runs that save to one storage: what their checkpoints take together, and which save no longer fits a quota. */
import type { EstimateReport } from './estimateReport.js';
import { keptAfter, type Rotation } from './runSize.js';

export interface RunsTogether {
  /** At the end of all runs; of those whose size is known. */
  bytes: number;
  /** The most at once, where every run writes a new checkpoint before it deletes the oldest. */
  peakBytes: number;
  /** All that is written, also what is deleted again. */
  writtenBytes: number;
  /** Runs whose bytes at the end are known, of all: below `of` the sums are lower bounds. */
  coverage: { runs: number; of: number };
  quota: QuotaUse | null;
}

export interface QuotaUse {
  quotaBytes: number;
  /** Seconds of a step of each run; null where not given. */
  stepSeconds: number | null;
  /** `fits`: the peak of every run is known, and together they fit. `unknown`: a run whose size or length is not known decides. */
  verdict: 'fits' | 'full' | 'unknown';
  /** The first save that does not fit, where all runs begin at once; null where none is known. */
  full: FullAt | null;
}

export interface FullAt {
  /** Of the run that writes this save. */
  path: string;
  step: number;
  /** Since the runs began; null without `stepSeconds`, and then steps of all runs take the same time. */
  seconds: number | null;
  /** True where saves of a run are left out whose steps are not known (by epochs, of a second kind), so that an earlier one may not fit. */
  isLatest: boolean;
}

/** Which quota the runs have together, and how long a step takes. */
export interface QuotaGiven {
  quotaBytes?: number;
  stepSeconds?: number;
}

/** A run whose use of the storage is known at each step. */
interface GrowingRun {
  path: string;
  checkpointBytes: number;
  intervalSteps: number;
  /** Saves of the interval until its end; Infinity where its length is not known. */
  saves: number;
  rotation: Rotation;
  /** Where it ends, and what it leaves, the last save and what is written into a folder of its own included; null where its length is not known. */
  end: { step: number; bytes: number } | null;
}

/** @param given a quota of positive bytes and positive seconds, where they are set */
export function runsTogether(reports: readonly EstimateReport[], given: QuotaGiven = {}): RunsTogether {
  const known = reports.filter(({ run }) => run.bytes !== null);
  const growing = reports.flatMap((report) => growthOf(report) ?? []);
  const sum = (of: (report: EstimateReport) => number | null) => reports.reduce((total, report) => total + (of(report) ?? 0), 0);
  return {
    bytes: sum(({ run }) => run.bytes),
    peakBytes: sum(({ run }) => run.peakBytes),
    writtenBytes: sum(({ run }) => run.writtenBytes),
    coverage: { runs: known.length, of: reports.length },
    quota: quotaUse(reports, growing, given),
  };
}

/** Null for a run that saves by epochs, never, or whose checkpoint has no known size. */
function growthOf({ path, checkpoint, training, run }: EstimateReport): GrowingRun | null {
  const { steps, saveIntervalSteps, keep, keepEverySteps } = training;
  if (checkpoint.bytes === null || checkpoint.bytes === 0 || run.saves === 0) return null;
  if (saveIntervalSteps === null || saveIntervalSteps < 1) return null;
  return {
    path,
    checkpointBytes: checkpoint.bytes,
    intervalSteps: saveIntervalSteps,
    saves: steps === null ? Infinity : Math.floor(steps / saveIntervalSteps),
    rotation: { saveIntervalSteps, keep, ...(keepEverySteps === null ? {} : { keepEverySteps }) },
    end: steps === null || steps < 1 || run.bytes === null ? null : { step: steps, bytes: run.bytes },
  };
}

/** Whether all saves of a run are at known steps: what its interval keeps, and one at the end. One that writes nothing has none. */
function isPlaced(report: EstimateReport): boolean {
  if (report.run.saves === 0 && report.run.endBytes === null) return true;
  const run = growthOf(report);
  if (run === null) return false;
  const kept = run.saves === Infinity ? null : keptAfter(run.saves, run.rotation);
  return report.run.kept === null || kept === null || report.run.kept <= kept + 1;
}

function quotaUse(
  reports: readonly EstimateReport[],
  growing: readonly GrowingRun[],
  { quotaBytes, stepSeconds }: QuotaGiven,
): QuotaUse | null {
  if (quotaBytes === undefined) return null;
  const first = firstOverflow(growing, quotaBytes);
  const isLatest = !reports.every(isPlaced);
  const peaks = reports.map(({ run }) => run.peakBytes);
  const peakBytes = peaks.reduce<number>((total, peak) => total + (peak ?? 0), 0);
  const isKnown = peaks.every((peak) => peak !== null);
  return {
    quotaBytes,
    stepSeconds: stepSeconds ?? null,
    verdict: first !== null || peakBytes > quotaBytes ? 'full' : isKnown ? 'fits' : 'unknown',
    full: first === null ? null : { ...first, seconds: stepSeconds === undefined ? null : first.step * stepSeconds, isLatest },
  };
}

/** The most bytes of a run until the save of a step is written, before the oldest is deleted: saves of several runs may coincide. Never falls as steps go on. */
function usedAt(run: GrowingRun, step: number): number {
  const saves = Math.min(run.saves, Math.floor(step / run.intervalSteps));
  const kept = saves < 1 ? 0 : run.checkpointBytes * ((keptAfter(saves - 1, run.rotation) ?? 0) + 1);
  return run.end !== null && step >= run.end.step ? Math.max(kept, run.end.bytes) : kept;
}

/** Runs never use less as they go on, so that the first save beyond the quota is found by halving, in each run by itself. */
function firstOverflow(runs: readonly GrowingRun[], quotaBytes: number): { path: string; step: number } | null {
  const isOver = (step: number) => runs.reduce((total, run) => total + usedAt(run, step), 0) > quotaBytes;
  const candidates = runs.flatMap((run) => {
    const save = firstSave(run, (count) => isOver(count * run.intervalSteps));
    if (save !== null) return [{ path: run.path, step: save * run.intervalSteps }];
    return run.end !== null && isOver(run.end.step) ? [{ path: run.path, step: run.end.step }] : [];
  });
  return candidates.reduce<{ path: string; step: number } | null>(
    (least, one) => (least === null || one.step < least.step ? one : least),
    null,
  );
}

/** The first save of a run for which a condition holds that then holds for all later ones; null where it holds for none. */
function firstSave({ saves, intervalSteps }: GrowingRun, holds: (save: number) => boolean): number | null {
  let last = Math.min(saves, Math.floor(Number.MAX_SAFE_INTEGER / intervalSteps));
  if (last < 1 || !holds(last)) return null;
  let none = 0;
  while (last - none > 1) {
    const middle = none + Math.floor((last - none) / 2);
    if (holds(middle)) last = middle;
    else none = middle;
  }
  return last;
}
