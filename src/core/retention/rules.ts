/** The rules of a policy over the checkpoints that count: whole ones without caveats. */
import type { Candidate } from './candidate.js';
import { reason, type CaveatCode, type DropCode, type Reason, type RuleCode } from './reason.js';
import type { RetentionPolicy } from './retentionPolicy.js';

/** What one rule says of one checkpoint. */
interface Judged {
  keep: Reason<RuleCode> | null;
  /** Why the rule does not keep it; null where the rule only keeps. */
  drop: Reason<DropCode> | null;
  caveat: Reason<CaveatCode> | null;
}

type Rule = (candidate: Candidate) => Judged;

const nothing: Judged = { keep: null, drop: null, caveat: null };
const kept = (code: RuleCode, detail: string | number | null): Judged => ({ ...nothing, keep: reason(code, detail) });
const dropped = (code: DropCode, detail: string | number | null): Judged => ({ ...nothing, drop: reason(code, detail) });
const undecided = (code: CaveatCode): Judged => ({ ...nothing, caveat: reason(code) });

export interface Moment {
  nowMs: number;
  /** The times are those of a copy. */
  areTimesLost: boolean;
}

/**
 * The rules that the policy has.
 * @param counted the checkpoints that count, in the order of their steps
 */
export function rulesOf(policy: RetentionPolicy, counted: readonly Candidate[], moment: Moment): Rule[] {
  return [
    lastRule(policy, counted, moment),
    stepsRule(policy, counted),
    hoursRule(policy, counted, moment),
    bestRule(policy, counted),
    milestoneRule(policy),
    ageRule(policy, moment),
  ].filter((rule) => rule !== null);
}

function lastRule({ keepLast }: RetentionPolicy, counted: readonly Candidate[], moment: Moment): Rule | null {
  if (keepLast === null) return null;
  // Training that went back to an earlier step goes on from there: what it wrote last has lower steps.
  const written = [...counted].sort((a, b) => (a.finishedMs ?? 0) - (b.finishedMs ?? 0));
  const last = new Set([...counted.slice(-keepLast), ...(moment.areTimesLost ? [] : written.slice(-keepLast))]);
  return (candidate) => (last.has(candidate) ? kept('keepLast', keepLast) : dropped('not-last', keepLast));
}

/** Windows begin at step 0, so that the same checkpoints stay whatever was dropped before. */
function stepsRule({ keepEverySteps: steps }: RetentionPolicy, counted: readonly Candidate[]): Rule | null {
  if (steps === null) return null;
  const first = firstOfWindows(counted, ({ step }) => (step === null ? null : Math.floor(step / steps)));
  return (candidate) => {
    if (candidate.step === null) return undecided('steps-unknown');
    const stays = first.get(Math.floor(candidate.step / steps));
    return stays === candidate ? kept('keepEverySteps', steps) : dropped('not-first-of-steps', stays?.path ?? null);
  };
}

const hourMs = 3_600_000;

/** Windows begin in 1970. */
function hoursRule({ keepEveryHours: hours }: RetentionPolicy, counted: readonly Candidate[], moment: Moment): Rule | null {
  if (hours === null) return null;
  const windowOf = ({ finishedMs, isTimeKnown }: Candidate): number | null =>
    finishedMs === null || !isTimeKnown || moment.areTimesLost ? null : Math.floor(finishedMs / (hours * hourMs));
  const byTime = [...counted].sort((a, b) => (a.finishedMs ?? 0) - (b.finishedMs ?? 0));
  const first = firstOfWindows(byTime, windowOf);
  return (candidate) => {
    const window = windowOf(candidate);
    if (window === null) return undecided('hours-unknown');
    const stays = first.get(window);
    return stays === candidate ? kept('keepEveryHours', hours) : dropped('not-first-of-hours', stays?.path ?? null);
  };
}

function firstOfWindows(inOrder: readonly Candidate[], windowOf: (one: Candidate) => number | null): Map<number, Candidate> {
  const first = new Map<number, Candidate>();
  for (const candidate of inOrder) {
    const window = windowOf(candidate);
    if (window !== null && !first.has(window)) first.set(window, candidate);
  }
  return first;
}

function bestRule({ keepBest }: RetentionPolicy, counted: readonly Candidate[]): Rule | null {
  if (keepBest === null) return null;
  const { metric, mode, count } = keepBest;
  const sign = mode === 'min' ? 1 : -1;
  const values = counted.flatMap(({ metric: value }) => (typeof value === 'number' ? [value] : []));
  values.sort((a, b) => sign * (a - b));
  // Equal values stay together: which of them the trainer takes for its best is not known.
  const worst = values[Math.min(count, values.length) - 1];
  return ({ metric: value }) => {
    if (value === null) return undecided('metric-unknown');
    const isBest = typeof value === 'number' && worst !== undefined && sign * (value - worst) <= 0;
    return isBest
      ? kept('keepBest', `${metric} ${value}`)
      : dropped('not-best', value === 'unmeasured' ? null : `${metric} ${value}`);
  };
}

function milestoneRule({ milestones }: RetentionPolicy): Rule | null {
  if (milestones.length === 0) return null;
  const steps = new Set(milestones);
  return ({ step }) => {
    if (step === null) return undecided('steps-unknown');
    return steps.has(step) ? kept('milestone', step) : dropped('no-milestone', null);
  };
}

function ageRule({ minimumAgeHours: hours }: RetentionPolicy, { nowMs, areTimesLost }: Moment): Rule | null {
  if (hours === 0) return null;
  return ({ finishedMs }) => {
    if (finishedMs === null || areTimesLost) return undecided('age-unknown');
    return nowMs - finishedMs < hours * hourMs ? kept('minimumAge', hours) : nothing;
  };
}
