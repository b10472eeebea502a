/** Runs that save to one storage: what their checkpoints take together, and which save no longer fits a quota. */
import type { EstimateReport } from './estimateReport.js';
import type { RunTimeline } from './runTimeline.js';

export interface RunsTogether {
  /** At the end of all runs; of those whose size is known. */
  bytes: number;
  /** The most at once, where every run writes a new checkpoint before it deletes the oldest. */
  peakBytes: number;
  /** All that is written, also what is deleted again. */
  writtenBytes: number;
  /** Runs all of whose bytes at the end are known, of all: below `of` the sums are lower bounds. */
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
  /** True where a run whose length is not known takes part of the room by then, so that it is full only if that run goes on so far. */
  isIfReached: boolean;
}

/** Which quota the runs have together, and how long a step takes. */
export interface QuotaGiven {
  quotaBytes?: number;
  stepSeconds?: number;
}

/** An estimate, and when its run saves. */
export interface TimedEstimate {
  report: EstimateReport;
  timeline: RunTimeline;
}

/** @param given a quota of positive bytes and positive seconds, where they are set */
export function runsTogether(runs: readonly TimedEstimate[], given: QuotaGiven = {}): RunsTogether {
  const reports = runs.map(({ report }) => report);
  const known = reports.filter(({ run, checkpoint }) => run.bytes !== null && !checkpoint.isAtLeast);
  const sum = (of: (report: EstimateReport) => number | null) => reports.reduce((total, report) => total + (of(report) ?? 0), 0);
  return {
    bytes: sum(({ run }) => run.bytes),
    peakBytes: sum(({ run }) => run.peakBytes),
    writtenBytes: sum(({ run }) => run.writtenBytes),
    coverage: { runs: known.length, of: reports.length },
    quota: quotaUse(runs, given),
  };
}

function quotaUse(runs: readonly TimedEstimate[], { quotaBytes, stepSeconds }: QuotaGiven): QuotaUse | null {
  if (quotaBytes === undefined) return null;
  const first = firstOverflow(runs, quotaBytes);
  const isLatest = !runs.every(({ timeline }) => timeline.isComplete);
  const peaks = runs.map(({ report }) => report.run.peakBytes);
  const peakBytes = peaks.reduce<number>((total, peak) => total + (peak ?? 0), 0);
  const isKnown = peaks.every((peak) => peak !== null) && runs.every(({ report }) => !report.checkpoint.isAtLeast);
  return {
    quotaBytes,
    stepSeconds: stepSeconds ?? null,
    verdict: first !== null || peakBytes > quotaBytes ? 'full' : isKnown ? 'fits' : 'unknown',
    full:
      first === null
        ? null
        : {
            ...first,
            seconds: stepSeconds === undefined ? null : first.step * stepSeconds,
            isLatest,
            isIfReached: runs.some(({ timeline }) => mayEndBefore(timeline, first.step)),
          },
  };
}

/** Of unknown length, and with checkpoints by then. */
function mayEndBefore(timeline: RunTimeline, step: number): boolean {
  return timeline.endStep === null && timeline.peakBytesUntil(step) > 0;
}

interface Place {
  path: string;
  step: number;
}

/** Peaks never fall as runs go on, so that the first save beyond the quota is found by halving, in each kind of saves by itself. */
function firstOverflow(runs: readonly TimedEstimate[], quotaBytes: number): Place | null {
  const isOver = (step: number) => runs.reduce((total, { timeline }) => total + timeline.peakBytesUntil(step), 0) > quotaBytes;
  const places = runs.flatMap(({ report: { path }, timeline }) =>
    firstSteps(timeline, isOver).map((step): Place => ({ path, step })),
  );
  return places.reduce<Place | null>((least, one) => (least === null || one.step < least.step ? one : least), null);
}

/** The first save of each kind for which a condition holds that then holds for all later ones. */
function firstSteps({ intervals, saveSteps, endStep }: RunTimeline, holds: (step: number) => boolean): number[] {
  const regular = intervals.flatMap((interval) => {
    const last = Math.floor((endStep ?? Number.MAX_SAFE_INTEGER) / interval);
    const save = firstSave(last, (count) => holds(count * interval));
    return save === null ? [] : [save * interval];
  });
  const single = [...saveSteps, ...(endStep === null ? [] : [endStep])].filter(holds);
  return [...regular, ...single];
}

/** Null where it holds for none. */
function firstSave(saves: number, holds: (save: number) => boolean): number | null {
  let last = saves;
  if (last < 1 || !holds(last)) return null;
  let none = 0;
  while (last - none > 1) {
    const middle = none + Math.floor((last - none) / 2);
    if (holds(middle)) last = middle;
    else none = middle;
  }
  return last;
}
