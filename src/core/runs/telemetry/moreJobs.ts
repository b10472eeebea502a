/** Further jobs in what the others leave: from bursts that repeat at an interval, and then from single ones, whose like is hidden by other saves. */
import { binsOf } from './bins.js';
import { burstsOf, largestOf, type Burst } from './bursts.js';
import { isByChance, mostByChance } from './chance.js';
import { explainedBy } from './explained.js';
import { jobOf, type FoundJob } from './foundJob.js';
import { leftOf, likelier, refittedAmong, refittedState, stateOf, type State } from './foundJobs.js';
import { hiding } from './hiding.js';
import { jobLike } from './jobLike.js';
import type { Written } from './likelihood.js';
import { bestChain, isSameSize } from './schedules.js';

/** Jobs on one file system: more are not separated. */
const mostJobs = 64;
/** Chains in a row that make nothing likelier. */
const mostRefused = 4;

/** With each job that makes what was written likelier. */
export function withMore(state: State, written: Written): State {
  let best = withChains(state, written);
  for (;;) {
    const next = withOneLike(best, written);
    if (next === best) return best;
    best = withChains(next, written);
  }
}

/** The same, with jobs from single bursts first. */
export function withMoreOfOneBurst(state: State, written: Written): State {
  const next = withOneLike(state, written);
  return next === state ? withMore(state, written) : withMoreOfOneBurst(next, written);
}

function withChains(state: State, written: Written): State {
  const refused = new Set<string>();
  const nameOf = ({ first, last }: Burst) => `${first} ${last}`;
  let best = state;
  for (let inARow = 0; inARow < mostRefused && best.jobs.length < mostJobs; inARow += 1) {
    const left = leftOf(best.jobs, written);
    const open = largestOf(burstsOf(left, written.background));
    const chain = bestChain(
      open.filter((burst) => !refused.has(nameOf(burst))),
      hiding(open, left),
      left.stepMs,
    );
    if (chain === null) break;
    const next = withJob(jobOf(chain), best, written);
    if (next.score > best.score) [best, inARow] = [next, -1];
    else for (const { burst } of chain.members) refused.add(nameOf(burst));
  }
  return best;
}

/** With the job too, as it is among the others; without it where it makes nothing likelier, or chance would make it. */
function withJob(job: FoundJob, state: State, written: Written): State {
  const added = refittedAmong(job, state.jobs, written);
  if (added === null) return state;
  const grown = stateOf([...state.jobs, added], written);
  if (grown.score <= state.score || isByChance(added, state.jobs, written, mostByChance.searched)) return state;
  return likelier(grown, refittedState(grown, written));
}

/** With the first job that is like one burst and makes what was written likelier; the same if none does. */
function withOneLike(state: State, written: Written): State {
  if (state.jobs.length >= mostJobs) return state;
  const explained = explainedBy(state.jobs, written.series);
  const open = burstsOf(leftOf(state.jobs, written), written.background);
  if (open.length > mostOpen) return state;
  for (const burst of commonestOf(open)) {
    const job = jobLike(burst, binsOf(written, explained, burst.finishedMs - burst.startedMs));
    const next = job === null ? state : withJob(job, state, written);
    if (next.score > state.score + costOfChoice) return next;
  }
  return state;
}

/** With more bursts of no job, saves like one of them come at any interval by chance. */
const mostOpen = 600;
/** Of the choice among so many bursts, intervals and durations, as a log of a likelihood. */
const costOfChoice = 12;
/** Bursts that jobs are looked for from, of different sizes or durations. */
const mostTried = 12;
const sameDuration = 1.4;

/** One of each kind, the commonest kinds first. */
function commonestOf(bursts: readonly Burst[]): Burst[] {
  const isAlike = (one: Burst, other: Burst): boolean => {
    const ratio = (one.finishedMs - one.startedMs) / (other.finishedMs - other.startedMs);
    return isSameSize(one.bytes, other.bytes, 0) && ratio < sameDuration && 1 / ratio < sameDuration;
  };
  const counted = largestOf(bursts)
    .filter(({ isCut }) => !isCut)
    .map((burst, _index, all) => ({ burst, count: all.filter((other) => isAlike(burst, other)).length }))
    .sort((a, b) => b.count - a.count || b.burst.bytes - a.burst.bytes);
  const kinds: Burst[] = [];
  for (const { burst } of counted) if (kinds.length < mostTried && !kinds.some((kind) => isAlike(kind, burst))) kinds.push(burst);
  return kinds;
}
