/**
 * Jobs from bursts, one by one: bursts that repeat are a job, which is looked for in all that the others leave; what they leave together may be the bursts
 * of a further job. A job stays where with it what was written is likelier than without it.
 */
import { burstsOf, largestOf, type Burst } from './bursts.js';
import { explainedBy, unexplained } from './explained.js';
import { jobOf, type FoundJob } from './foundJob.js';
import { hiding } from './hiding.js';
import { binsOf, likelihoodOf, type Written } from './likelihood.js';
import { refitted } from './refit.js';
import { bestChain, isSameSize } from './schedules.js';
import type { Series } from './series.js';
import { sharedSize } from './sharedSizes.js';

export interface Found {
  jobs: FoundJob[];
  /** What repeats like a job, of unknown size: see `measuredJobs`. */
  unmeasured: FoundJob[];
  /** Bursts, and rests of them, that no job explains. */
  open: Burst[];
}

/** Jobs on one file system: more are not separated. */
const mostJobs = 64;
/** Chains in a row that make nothing likelier. */
const mostRefused = 4;
const mostRounds = 3;
/** Costs, as logs of likelihoods: of a job, and of a save. */
const [costOfJob, costOfSave] = [12, 1];

export function findJobs(written: Written): Found {
  let state = stateOf([], written);
  for (let round = 0; round < mostRounds; round += 1) {
    const before = state.score;
    state = settled(withMore(state, written), written);
    state = withoutSome(state, written);
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

interface State {
  jobs: readonly FoundJob[];
  score: number;
}

function leftOf(jobs: readonly FoundJob[], { series, excess }: Written): Series {
  return unexplained(series, excess, explainedBy(jobs, series));
}

function stateOf(jobs: readonly FoundJob[], written: Written): State {
  const costs = jobs.reduce((sum, { saves, cost }) => sum + costOfJob + costOfSave * saves.length + cost, 0);
  return { jobs, score: likelihoodOf(written, explainedBy(jobs, written.series)) - costs };
}

/** With each job that makes what was written likelier. */
function withMore(state: State, written: Written): State {
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
    const added = refittedAmong(jobOf(chain), best.jobs, written);
    const jobs = added === null ? best.jobs : [...best.jobs, added];
    const grown = stateOf(jobs, written);
    const next = grown.score > best.score ? likelier(grown, refittedState(grown, written)) : grown;
    if (next.score > best.score) [best, inARow] = [next, -1];
    else for (const { burst } of chain.members) refused.add(nameOf(burst));
  }
  return best;
}

const mostRefits = 3;

/** Refitted until that makes nothing likelier. */
function settled(state: State, written: Written): State {
  let best = state;
  for (let refit = 0; refit < mostRefits; refit += 1) {
    const next = refittedState(best, written);
    if (next.score <= best.score) break;
    best = next;
  }
  return best;
}

const sameSizeShare = 0.1;

/** Whether another job, or two at once, are as large. */
function isLikeOthers(job: FoundJob, jobs: readonly FoundJob[]): boolean {
  const others = jobs.filter((other) => other !== job).map(({ bytes }) => bytes);
  return others.some((one, index) =>
    [0, ...others.slice(index + 1)].some((other) => Math.abs((one + other) / job.bytes - 1) < sameSizeShare),
  );
}

/** Without each job that others explain, and with one for two of the same size. */
function withoutSome(state: State, written: Written): State {
  let best = state;
  for (const job of [...state.jobs].sort((a, b) => b.bytes - a.bytes)) {
    if (!best.jobs.includes(job) || !isLikeOthers(job, best.jobs)) continue;
    const without = best.jobs.filter((other) => other !== job);
    const others = settled(stateOf(without, written), written);
    if (others.score >= best.score) best = others;
  }
  return best;
}

function rateOf({ bytes, durationMs }: FoundJob): number {
  return bytes / Math.max(1, durationMs);
}

/** The job in what the others leave. */
function refittedAmong(job: FoundJob, jobs: readonly FoundJob[], written: Written): FoundJob | null {
  const others = jobs.filter((other) => other !== job);
  const before = fittedAmong.get(job);
  if (before !== undefined && before.length === others.length && others.every((other) => before.includes(other))) return job;
  const fit = refitted(job, binsOf(written, explainedBy(others, written.series), job.durationMs));
  if (fit !== null) fittedAmong.set(fit, others);
  return fit;
}

/** The other jobs among which each was fitted: it need not be again. */
const fittedAmong = new WeakMap<FoundJob, readonly FoundJob[]>();

/** With each job searched again in what the others leave, the fastest first: what is slower is hidden by them, and not they by it. */
function refittedState({ jobs }: State, written: Written): State {
  let kept = jobs;
  for (const job of [...jobs].sort((a, b) => rateOf(b) - rateOf(a))) {
    const fit = refittedAmong(job, kept, written);
    if (fit !== job) kept = kept.flatMap((other) => (other !== job ? [other] : fit === null ? [] : [fit]));
  }
  return stateOf(kept, written);
}

function likelier(one: State, other: State): State {
  return other.score > one.score ? other : one;
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
