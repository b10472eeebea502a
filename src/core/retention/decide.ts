/**
 * Which checkpoints stay, which may go and which cannot be judged. What is protected stays whatever the policy says; what has caveats counts for no
 * rule and never goes. A checkpoint goes only where all rules of the policy were judged and none keeps it.
 */
import type { ComponentId } from '../tensors/component.js';
import type { Candidate } from './candidate.js';
import { reason, type CaveatCode, type DropCode, type ProtectionCode, type Reason, type RuleCode } from './reason.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import { rulesOf, type Moment } from './rules.js';

export interface Decision {
  keep: { candidate: Candidate; reasons: Reason<ProtectionCode | RuleCode>[] }[];
  drop: { candidate: Candidate; reasons: Reason<DropCode>[] }[];
  undecided: { candidate: Candidate; why: Reason<CaveatCode>[] }[];
}

/** Whole checkpoints that stay at least: the newest, and another. */
const leastWhole = 2;
/** What a save has in bytes varies by less from one to the next: a smaller one may lack files that no other has either. */
const leastShare = 0.9;
/** State that a run cannot make again. */
const states: readonly ComponentId[] = ['weights', 'masterWeights', 'optimizer', 'ema'];

/** @param candidates in any order; each is in one of the three lists, in the order of their steps */
export function decide(candidates: readonly Candidate[], policy: RetentionPolicy, moment: Moment): Decision {
  const inOrder = [...candidates].sort(byOrder);
  const counted = inOrder.filter(({ caveats }) => caveats.length === 0);
  const always = protectionsOf(counted);
  const rules = rulesOf(policy, counted, moment);
  const decision: Decision = { keep: [], drop: [], undecided: [] };
  for (const candidate of inOrder) {
    const { protections, caveats } = candidate;
    const isCounted = caveats.length === 0;
    const judged = isCounted ? rules.map((rule) => rule(candidate)) : [];
    const reasons = [...protections, ...(always.get(candidate) ?? []), ...judged.flatMap(({ keep }) => keep ?? [])];
    const why = [...caveats, ...judged.flatMap(({ caveat }) => caveat ?? [])];
    if (reasons.length > 0) decision.keep.push({ candidate, reasons });
    else if (why.length > 0) decision.undecided.push({ candidate, why });
    else decision.drop.push({ candidate, reasons: judged.flatMap(({ drop }) => drop ?? []) });
  }
  return withoutTheIrreplaceable(withCopies(decision, policy));
}

function byOrder(a: Candidate, b: Candidate): number {
  return (a.order ?? Infinity) - (b.order ?? Infinity) || (a.path < b.path ? -1 : 1);
}

/** Of those that count: the newest by step and by time, two of them, and for each kind of state the newest that has it. */
function protectionsOf(counted: readonly Candidate[]): Map<Candidate, Reason<ProtectionCode>[]> {
  const all = new Map<Candidate, Reason<ProtectionCode>[]>();
  const protect = (candidate: Candidate | undefined, why: Reason<ProtectionCode>): void => {
    if (candidate !== undefined) all.set(candidate, [...(all.get(candidate) ?? []), why]);
  };
  const newest = counted.at(-1);
  protect(newest, reason('newest'));
  // Training that went back to an earlier step saves on from there: its latest save has a lower step.
  const latest = counted.reduce<Candidate | undefined>(
    (last, one) => ((one.finishedMs ?? -Infinity) >= (last?.finishedMs ?? -Infinity) ? one : last),
    undefined,
  );
  if (latest !== newest) protect(latest, reason('latest-written'));
  else protect(counted.at(-2), reason('two-stay'));
  for (const state of states) {
    const last = counted.findLast(({ components }) => components.has(state));
    if (last !== undefined && !all.has(last)) protect(last, reason('only-component', state));
  }
  return all;
}

function withCopies(decision: Decision, { copies }: RetentionPolicy): Decision {
  if (copies === null) return decision;
  return moveToUndecided(decision, ({ copies: verified }) => (verified < copies.wanted ? reason('no-verified-copy') : null));
}

/** What goes must have two that stay in its place, none of them much smaller. */
function withoutTheIrreplaceable(decision: Decision): Decision {
  const staying = decision.keep.map(({ candidate }) => candidate).filter(({ caveats }) => caveats.length === 0);
  const sizes = staying.map(({ bytes }) => bytes).sort((a, b) => b - a);
  const size = sizes[leastWhole - 1] ?? -1;
  return moveToUndecided(decision, ({ bytes }) => (size < leastShare * bytes ? reason('larger-than-kept') : null));
}

function moveToUndecided(decision: Decision, caveatOf: (candidate: Candidate) => Reason<CaveatCode> | null): Decision {
  const drop: Decision['drop'] = [];
  const undecided = [...decision.undecided];
  for (const one of decision.drop) {
    const caveat = caveatOf(one.candidate);
    if (caveat === null) drop.push(one);
    else undecided.push({ candidate: one.candidate, why: [caveat] });
  }
  return { keep: decision.keep, drop, undecided: undecided.sort((a, b) => byOrder(a.candidate, b.candidate)) };
}
