/**
 * Jobs from bursts, one by one: bursts that repeat are a job, which is looked for in all that the others leave; what they leave together may be the bursts
 * of a further job. A job stays where with it what was written is likelier than without it, and where chance would not make it.
 */
import { burstsOf, largestOf, type Burst } from './bursts.js';
import { isByChance, mostByChance } from './chance.js';
import type { FoundJob } from './foundJob.js';
import { leftOf, settled, stateOf } from './foundJobs.js';
import type { Written } from './likelihood.js';
import { measuredJobs } from './measuredJobs.js';
import { withMore } from './moreJobs.js';
import { withOthersInstead, withoutSome } from './otherJobs.js';
import { restsOf } from './rests.js';

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
  const { jobs, unmeasured } = measuredJobs(withoutChance(state.jobs, written), written);
  const open = largestOf(burstsOf(leftOf([...jobs, ...unmeasured], written), written.background));
  return { jobs, unmeasured, open: restsOf(open, jobs, written) };
}

/** Among all that are found in the end: what chance would make is seen with the others taken out. */
function withoutChance(jobs: readonly FoundJob[], written: Written): FoundJob[] {
  return jobs.filter((job) => {
    const others = jobs.filter((other) => other !== job);
    return !isByChance(job, others, written, mostByChance.found);
  });
}
