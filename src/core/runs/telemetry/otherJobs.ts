/** Jobs that are taken out again: where others explain what they do, or where others are found instead that explain more. */
import type { FoundJob } from './foundJob.js';
import { settled, stateOf, type State } from './foundJobs.js';
import type { Written } from './likelihood.js';
import { withMoreOfOneBurst } from './moreJobs.js';

const [sameSizeShare, sameIntervalShare] = [0.1, 0.03];

/** Whether another job, or two at once, are as large, or one saves as often. */
function isLikeOthers(job: FoundJob, jobs: readonly FoundJob[]): boolean {
  const others = jobs.filter((other) => other !== job);
  return others.some(
    ({ bytes, intervalMs }, index) =>
      Math.abs(intervalMs / job.intervalMs - 1) < sameIntervalShare ||
      [0, ...others.slice(index + 1).map((other) => other.bytes)].some(
        (other) => Math.abs((bytes + other) / job.bytes - 1) < sameSizeShare,
      ),
  );
}

function withoutJob(job: FoundJob, { jobs }: State, written: Written): State {
  const others = jobs.filter((other) => other !== job);
  return settled(stateOf(others, written), written);
}

/** Without each job that others explain, and with one for two that are alike. */
export function withoutSome(state: State, written: Written): State {
  let best = state;
  for (const job of [...state.jobs].sort((a, b) => b.bytes - a.bytes)) {
    if (!best.jobs.includes(job) || !isLikeOthers(job, best.jobs)) continue;
    const others = withoutJob(job, best, written);
    if (others.score >= best.score) best = others;
  }
  return best;
}

/** Saves whose intervals differ by more may be those of several jobs. */
const doubtfulJitter = 0.05;
/** Of the jobs with such intervals, so many are tried: a search for each takes as long as the first one. */
const mostDoubtful = 3;

/** With others instead of each job whose interval is doubtful, where that is likelier. */
export function withOthersInstead(state: State, written: Written): State {
  let best = state;
  const doubtful = state.jobs.filter(({ jitterMs, intervalMs }) => jitterMs >= doubtfulJitter * intervalMs);
  for (const job of doubtful.slice(0, mostDoubtful)) {
    if (!best.jobs.includes(job)) continue;
    const others = settled(withMoreOfOneBurst(withoutJob(job, best, written), written), written);
    if (others.score > best.score) best = others;
  }
  return best;
}
