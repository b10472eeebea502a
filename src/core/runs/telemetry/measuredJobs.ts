/** Jobs whose size is known, as it is measured where few of their saves are bursts of their own; and jobs that are seen too little to be distinguished from others' rests. */
import { alignedJob } from './alignedJob.js';
import type { Burst } from './bursts.js';
import type { FoundJob } from './foundJob.js';
import type { Written } from './likelihood.js';
import { isSameSize } from './schedules.js';
import { sharedSize } from './sharedSizes.js';

export interface Measured {
  jobs: FoundJob[];
  /** What repeats like a job, of unknown size. */
  unmeasured: FoundJob[];
}

/** With so many saves that are bursts of their own a job is measured. */
const leastAlone = 3;
/** Of the others, so many saves are supported by what is seen between other writes, and so many of all. */
const [leastSupported, leastSupportedShare] = [4, 0.4];
/** A size that a job's course contradicts by more is not the size of its saves. */
const mostOffShare = 0.04;

export function measuredJobs(found: readonly FoundJob[], written: Written): Measured {
  const all = found.map((job) => withAlone(job, found, written.bursts));
  const known = all.filter((job) => job.isMeasured || aloneOf(job) > 0);
  const measured: Measured = { jobs: [], unmeasured: [] };
  for (const job of all) {
    const others = all.filter((other) => other !== job);
    const whole = aloneOf(job) >= leastAlone ? job : measuredAmong(job, others, known, written);
    if (whole !== null) measured.jobs.push(whole);
    else if (aloneOf(job) === 0) measured.unmeasured.push(job);
  }
  return measured;
}

function aloneOf({ saves }: FoundJob): number {
  return saves.filter(({ alone }) => alone !== null).length;
}

/** Null where too few of its saves are seen, or where nothing says how large they are. */
function measuredAmong(
  job: FoundJob,
  others: readonly FoundJob[],
  known: readonly FoundJob[],
  written: Written,
): FoundJob | null {
  const aligned = alignedJob(job, others, written);
  if (aligned === null || aligned.supported < Math.max(leastSupported, leastSupportedShare * job.saves.length)) return null;
  const bySums = known.includes(job) ? job.bytes : sharedSize(job, others, known, written);
  const isOff = bySums === null || (aligned.bytes !== null && Math.abs(bySums / aligned.bytes - 1) > mostOffShare);
  const bytes = isOff ? aligned.bytes : bySums;
  if (bytes === null) return null;
  const saves = aligned.job.saves.map((save) => ({ ...save, bytes }));
  return withAlone({ ...aligned.job, bytes, saves }, [job, ...others], written.bursts, job);
}

/** Where the background may account for more of a save, the job's other saves know its size better. */
const mostNoiseShare = 0.01;

/** Saves that are bursts of their own have their times and bytes. */
function withAlone(job: FoundJob, jobs: readonly FoundJob[], bursts: readonly Burst[], before = job): FoundJob {
  const others = jobs.filter((other) => other !== before).flatMap(({ saves }) => saves);
  const saves = job.saves.map((save) => {
    const burst = bursts.find(({ startedMs, finishedMs }) => startedMs <= save.centreMs && finishedMs >= save.centreMs);
    if (burst === undefined || burst.isCut || !isSameSize(burst.bytes, save.bytes, burst.noiseBytes)) return save;
    if (others.some(({ centreMs }) => burst.startedMs <= centreMs && burst.finishedMs >= centreMs)) return save;
    const { startedMs, finishedMs, centreMs, noiseBytes } = burst;
    const bytes = noiseBytes > mostNoiseShare * save.bytes ? save.bytes : burst.bytes;
    return { startedMs, finishedMs, bytes, centreMs, alone: burst };
  });
  return { ...job, saves };
}
