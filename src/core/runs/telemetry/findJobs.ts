/**
 * Jobs from bursts, one by one: bursts that repeat are a job, which is looked for in all that the others leave; what they leave together may be the bursts
 * of a further job. A job stays where with it what was written is likelier than without it.
 */
import { burstsOf, largestOf, type Burst } from './bursts.js';
import type { FoundJob } from './foundJob.js';
import { leftOf, settled, stateOf } from './foundJobs.js';
import type { Written } from './likelihood.js';
import { withMore } from './moreJobs.js';
import { withOthersInstead, withoutSome } from './otherJobs.js';
import { isSameSize } from './schedules.js';
import { sharedSize } from './sharedSizes.js';

export interface Found {
  jobs: FoundJob[];
  /** What repeats like a job, of unknown size: see `measuredJobs`. */
  unmeasured: FoundJob[];
  /** Bursts, and rests of them, that no job explains. */
  open: Burst[];
}

const mostRounds = 3;

export function findJobs(written: Written): Found {
  let state = stateOf([], written);
  for (let round = 0; round < mostRounds; round += 1) {
    const before = state.score;
    state = settled(withMore(state, written), written);
    state = withOthersInstead(withoutSome(state, written), written);
    if (state.score <= before) break;
  }
  for (const job of state.jobs) setAlone(job, state.jobs, written.bursts);
  const jobs = measuredJobs(state.jobs, written);
  const unmeasured = state.jobs.filter((job) => !jobs.some(({ from }) => from === job));
  const open = largestOf(burstsOf(leftOf([...jobs.map(({ job }) => job), ...unmeasured], written), written.background));
  return { jobs: jobs.map(({ job }) => job), unmeasured, open };
}

/** Jobs whose size is known: of some save that is a burst of its own, or of what saves share with those of others. */
function measuredJobs(jobs: readonly FoundJob[], written: Written): { job: FoundJob; from: FoundJob }[] {
  const known = jobs.filter((job) => job.isMeasured || job.saves.some(({ alone }) => alone !== null));
  return jobs.flatMap((from) => {
    if (known.includes(from)) return [{ job: from, from }];
    const others = jobs.filter((other) => other !== from);
    const bytes = sharedSize(from, others, known, written);
    return bytes === null ? [] : [{ job: { ...from, bytes, saves: from.saves.map((save) => ({ ...save, bytes })) }, from }];
  });
}

/** Where the background may account for more of a save, the job's other saves know its size better. */
const mostNoiseShare = 0.01;

/** Saves that are bursts of their own have their times and bytes. */
function setAlone(job: FoundJob, jobs: readonly FoundJob[], bursts: readonly Burst[]): void {
  const others = jobs.filter((other) => other !== job).flatMap(({ saves }) => saves);
  job.saves = job.saves.map((save) => {
    const burst = bursts.find(({ startedMs, finishedMs }) => startedMs <= save.centreMs && finishedMs >= save.centreMs);
    if (burst === undefined || burst.isCut || !isSameSize(burst.bytes, save.bytes, burst.noiseBytes)) return save;
    if (others.some(({ centreMs }) => burst.startedMs <= centreMs && burst.finishedMs >= centreMs)) return save;
    const { startedMs, finishedMs, centreMs, noiseBytes } = burst;
    const bytes = noiseBytes > mostNoiseShare * save.bytes ? save.bytes : burst.bytes;
    return { startedMs, finishedMs, bytes, centreMs, alone: burst };
  });
}
