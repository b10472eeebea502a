/** Jobs that are found so far, and how likely what was written is with them. */
import { binsOf } from './bins.js';
import { explainedBy, unexplained } from './explained.js';
import type { FoundJob } from './foundJob.js';
import { likelihoodOf, type Written } from './likelihood.js';
import { refitted } from './refit.js';
import type { Series } from './series.js';

/** Costs, as logs of likelihoods: of a job, and of a save. */
const [costOfJob, costOfSave] = [12, 1];

export interface State {
  jobs: readonly FoundJob[];
  score: number;
}

export function leftOf(jobs: readonly FoundJob[], { series, excess }: Written): Series {
  return unexplained(series, excess, explainedBy(jobs, series));
}

export function stateOf(jobs: readonly FoundJob[], written: Written): State {
  const costs = jobs.reduce((sum, { saves, cost }) => sum + costOfJob + costOfSave * saves.length + cost, 0);
  return { jobs, score: likelihoodOf(written, explainedBy(jobs, written.series)) - costs };
}

/** The job in what the others leave. */
export function refittedAmong(job: FoundJob, jobs: readonly FoundJob[], written: Written): FoundJob | null {
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
export function refittedState({ jobs }: State, written: Written): State {
  let kept = jobs;
  for (const job of [...jobs].sort((a, b) => rateOf(b) - rateOf(a))) {
    const fit = refittedAmong(job, kept, written);
    if (fit !== job) kept = kept.flatMap((other) => (other !== job ? [other] : fit === null ? [] : [fit]));
  }
  return stateOf(kept, written);
}

export function likelier(one: State, other: State): State {
  return other.score > one.score ? other : one;
}

const mostRefits = 3;

/** Refitted until that makes nothing likelier. */
export function settled(state: State, written: Written): State {
  let best = state;
  for (let refit = 0; refit < mostRefits; refit += 1) {
    const next = refittedState(best, written);
    if (next.score <= best.score) break;
    best = next;
  }
  return best;
}

function rateOf({ bytes, durationMs }: FoundJob): number {
  return bytes / Math.max(1, durationMs);
}
