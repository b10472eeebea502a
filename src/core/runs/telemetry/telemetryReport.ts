/** Jobs in a time series of a file system, as `stowage runs --telemetry` reports them. */
import { limits } from '../../bytes/limits.js';
import { medianOrNull } from '../../bytes/median.js';
import { counted, shortRate, shortTime } from '../../text/quantities.js';
import { parametersOfBytes, type ParameterRange } from '../estimatedParameters.js';
import { backgroundOf } from './background.js';
import { burstsOf, type Burst } from './bursts.js';
import { commonNote, isCommon } from './commonBursts.js';
import { missingSaves, type FoundJob } from './foundJob.js';
import type { Telemetry } from './inputs/samples.js';
import type { OverlappingDrains } from './overlappingDrains.js';
import type { Hidden } from './overlappingJob.js';
import { isListed } from './rests.js';
import { findRestores, type FoundRestores } from './restores.js';
import { searchedJobs, type SearchedJobs } from './searchedJobs.js';

export interface Transfer {
  /** Milliseconds since 1970. */
  startedMs: number;
  finishedMs: number;
  bytes: number;
}

export interface TelemetryJob {
  saves: Transfer[];
  medianIntervalSeconds: number;
  /** Of saves that were seen alone, else as all of them fit best; null where steps are too long, or too little is seen of them. */
  medianSaveSeconds: number | null;
  medianBytes: number;
  effectiveBytesPerSecond: number | null;
  /** The duration of a save by the interval: above 1 a save begins before the one before has ended. */
  overlap: number | null;
  /** Of saves that were seen alone and take a step or two: what they are at most and at least; null where they are measured, and where none was alone. */
  bounds: { saveSecondsAtMost: number; bytesPerSecondAtLeast: number; overlapAtMost: number } | null;
  restores: Transfer[];
  estimatedParameters: ParameterRange;
  /** Saves that were seen alone, of all: the others are shares of bursts of several. */
  coverage: { alone: number; of: number };
}

export interface TelemetryReport {
  kind: 'telemetry';
  schemaVersion: 2;
  path: string;
  stepSeconds: number;
  jobs: TelemetryJob[];
  background: { medianBytesPerSecond: number | null };
  uncertain: (Transfer & { why: string })[];
  coverage: {
    source: string;
    samples: number;
    missingSteps: number;
    /** Uncertain stretches that are not listed, as there are more than `limits` has. */
    unlisted: number;
    notes: string[];
  };
}

/** Cells that a save takes at least where its duration is measured. */
const leastCells = 3;
/** Of the smallest job's saves, or without jobs of all bursts: smaller bursts are not worth a line. */
const leastUncertainOfSave = 0.1;
const leastUncertainOfAll = 0.02;
/** Cells of a burst that is more than a few saves. */
const intervalsWithoutPause = 1.5;

export function telemetryReport(path: string, telemetry: Telemetry): TelemetryReport {
  const { write, read, stepSeconds } = telemetry;
  const background = write === null ? null : backgroundOf(write);
  const found = write === null || background === null ? null : searchedJobs(write, background);
  const jobs = [...(found?.jobs ?? [])].sort((a, b) => b.bytes - a.bytes);
  const reads = read === null ? [] : burstsOf(read, backgroundOf(read));
  const restores = findRestores(jobs, reads);
  const uncertain = [...(found === null ? [] : uncertainWrites(jobs, found)), ...uncertainReads(jobs, restores, reads)];
  const largest = uncertain.sort((a, b) => b.bytes - a.bytes).slice(0, limits.telemetryUncertain);
  return {
    kind: 'telemetry',
    schemaVersion: 2,
    path,
    stepSeconds,
    jobs: jobs.map((job) => reportedJob(job, restores.restores.get(job) ?? [], stepSeconds * 1000)),
    background: { medianBytesPerSecond: background === null ? null : medianOrNull([...background.median]) },
    uncertain: largest.sort((a, b) => a.startedMs - b.startedMs),
    coverage: {
      source: telemetry.source,
      samples: telemetry.samples,
      missingSteps: telemetry.missingSteps,
      unlisted: uncertain.length - largest.length,
      notes: [
        ...telemetry.notes,
        ...unsearchedNote(found?.unsearched ?? 0),
        ...(write === null || found === null ? [] : commonNote(found.open, write)),
      ],
    },
  };
}

function unsearchedNote(unsearched: number): string[] {
  return unsearched === 0
    ? []
    : [`${counted(unsearched, 'smaller burst')} of writes ${unsearched === 1 ? 'was' : 'were'} not searched for saves`];
}

function transferOf({ startedMs, finishedMs, bytes }: Transfer): Transfer {
  return { startedMs: Math.round(startedMs), finishedMs: Math.round(finishedMs), bytes: Math.round(bytes) };
}

function reportedJob(job: FoundJob, restores: readonly Burst[], stepMs: number): TelemetryJob {
  const { saves } = job;
  const alone = saves.flatMap((save) => (save.alone === null || save.alone.isCut ? [] : [save.alone]));
  const medianBytes = medianOrNull((alone.length > 1 ? alone : saves).map(({ bytes }) => bytes)) ?? 0;
  const interval = job.intervalMs / 1000;
  const { seconds, rate, isMeasured } = timesOf(job, alone, medianBytes, stepMs);
  return {
    saves: saves.map(transferOf),
    medianIntervalSeconds: interval,
    medianSaveSeconds: isMeasured ? seconds : null,
    medianBytes: Math.round(medianBytes),
    effectiveBytesPerSecond: isMeasured ? rate : null,
    overlap: isMeasured ? seconds / interval : null,
    bounds:
      isMeasured || alone.length === 0
        ? null
        : { saveSecondsAtMost: seconds, bytesPerSecondAtLeast: rate, overlapAtMost: seconds / interval },
    restores: restores.map(transferOf),
    estimatedParameters: parametersOfBytes(medianBytes),
    coverage: { alone: alone.length, of: saves.length },
  };
}

/** Of bursts that are a save alone, which are no shorter than it; of none, as all saves fit best. */
function timesOf(
  job: FoundJob,
  alone: readonly Burst[],
  bytes: number,
  stepMs: number,
): { seconds: number; rate: number; isMeasured: boolean } {
  const secondsOf = ({ startedMs, finishedMs }: Burst) => (finishedMs - startedMs) / 1000;
  const seconds = medianOrNull(alone.map(secondsOf)) ?? job.durationMs / 1000;
  const rate = medianOrNull(alone.map((burst) => burst.bytes / secondsOf(burst))) ?? bytes / seconds;
  const cells = medianOrNull(alone.map(({ first, last }) => last - first + 1));
  return {
    seconds,
    rate,
    isMeasured: cells === null ? job.isTimed && job.durationMs >= leastCells * stepMs : cells >= leastCells,
  };
}

type Uncertain = TelemetryReport['uncertain'];

function uncertainWrites(jobs: readonly FoundJob[], { open, searched, unmeasured, drains, hidden }: SearchedJobs): Uncertain {
  return [
    ...openWrites(jobs, open, searched),
    ...unmeasured.flatMap((job) => unmeasuredSaves(job, jobs)),
    ...(drains === null ? [] : hidden.map((one) => belowDrains(one, drains))),
  ];
}

function openWrites(jobs: readonly FoundJob[], open: readonly Burst[], bursts: readonly Burst[]): Uncertain {
  const least = leastBytes(jobs, bursts);
  const nameOf = ({ first, last }: Burst) => `${first} ${last}`;
  const whole = new Set(bursts.map(nameOf));
  const shortest = jobs.reduce((least, { intervalMs }) => Math.min(least, intervalMs), Infinity);
  const left = open
    .filter(({ bytes }) => bytes >= least)
    .map((burst) => ({ ...transferOf(burst), why: whyOpen(burst, whole.has(nameOf(burst)), shortest, bursts) }));
  const hidden = jobs.flatMap((job, index) =>
    missingSaves(job)
      .filter((save) => !isListed(save, jobs))
      .map((save) => ({
        ...transferOf(save),
        why: `job ${index + 1} saves at an interval that expects a save here, and none is there or can be distinguished from other writes`,
      })),
  );
  return [...left, ...hidden];
}

function unmeasuredSaves({ saves, intervalMs }: FoundJob, jobs: readonly FoundJob[]): Uncertain {
  const why = `saves of about this size seem to come every ${shortTime(intervalMs / 1000)}, and none is apart from other writes: their size cannot be measured`;
  return saves.filter((save) => !isListed(save, jobs)).map((save) => ({ ...transferOf(save), why }));
}

/** As one for each stretch of drains: what they hide may be anywhere in it. */
function belowDrains({ fromMs, toMs, bytesPerSecond }: Hidden, { intervalMs }: OverlappingDrains): Uncertain[number] {
  return {
    ...transferOf({ startedMs: fromMs, finishedMs: toMs, bytes: (bytesPerSecond * intervalMs) / 1000 }),
    why: `drains that take longer than an interval overlap here: a save that adds less than ${shortRate(bytesPerSecond)} to them cannot be distinguished from what their rate varies by`,
  };
}

function whyOpen(burst: Burst, isWhole: boolean, intervalMs: number, bursts: readonly Burst[]): string {
  if (burst.isCut) return 'its beginning or end was not recorded: what it wrote is at least this';
  if (!isWhole) return 'what is left of a burst when the saves of known jobs are taken out of it';
  if (burst.finishedMs - burst.startedMs > intervalsWithoutPause * intervalMs)
    return 'it writes without a pause for longer than intervals of jobs: saves that follow each other at once cannot be separated';
  if (isCommon(burst, bursts)) return 'bursts of this size come so often that an interval among them may be chance';
  return 'no other bursts of its size come at an interval that is more than chance: a single save, several at once, or other traffic';
}

function leastBytes(jobs: readonly FoundJob[], bursts: readonly Burst[]): number {
  if (jobs.length === 0) return leastUncertainOfAll * bursts.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  return leastUncertainOfSave * jobs.reduce((least, { bytes }) => Math.min(least, bytes), Infinity);
}

function uncertainReads(jobs: readonly FoundJob[], { ambiguous, other }: FoundRestores, reads: readonly Burst[]): Uncertain {
  const least = leastBytes(jobs, reads);
  return [
    ...ambiguous.map(({ burst, jobs: own }) => ({
      ...transferOf(burst),
      why: `it reads as much as a save of jobs ${own.map((job) => jobs.indexOf(job) + 1).join(' and ')}`,
    })),
    ...other
      .filter(({ bytes }) => bytes >= least)
      .map((burst) => ({ ...transferOf(burst), why: 'it reads what no save of a job that runs then has' })),
  ];
}
