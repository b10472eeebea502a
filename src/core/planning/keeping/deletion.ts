/**
 * What a policy keeps and drops of the checkpoints that there are. It only plans: nothing here deletes. What must not go whatever the
 * policy says: the newest complete one, what `latest` points at, and what may still be being written.
 */
import type { SavedCheckpoint } from '../inputs/planDocument.js';
import type { PlanInputs } from '../inputs/planInputs.js';

/** Why a checkpoint stays or goes, the strongest reason. */
export type DeletionReason =
  'newest-complete' | 'latest-points-here' | 'maybe-being-written' | 'among-newest' | 'every-nth' | 'interrupted' | 'superseded';

export interface DeletionRow {
  path: string;
  step: number | null;
  bytes: number;
  isKept: boolean;
  reason: DeletionReason;
}

export interface Deletion {
  /** Oldest first. */
  rows: DeletionRow[];
  kept: number;
  dropped: number;
  freedBytes: number;
  /** Held ones and milestones look like any other here: this many more must be looked up before anything is deleted. */
  unnamed: number;
}

type Policy = Pick<PlanInputs, 'keepLast' | 'keepEvery' | 'milestones' | 'legalHolds'>;

/** @returns null where there are no checkpoints to speak of */
export function deletion(saved: readonly SavedCheckpoint[], policy: Policy): Deletion | null {
  if (saved.length === 0) return null;
  const ordered = inOrder(saved);
  const newest = ordered.findLastIndex(({ isFinished }) => isFinished);
  const window = newestComplete(ordered, Math.max(1, policy.keepLast));
  const numberOf = saveNumbers(ordered);
  const rows = ordered.map((checkpoint, index): DeletionRow => {
    const reason = reasonOf(checkpoint, index, { newest, window, every: policy.keepEvery, number: numberOf(index) });
    const { path, step, bytes } = checkpoint;
    return { path, step, bytes, reason, isKept: reason !== 'interrupted' && reason !== 'superseded' };
  });
  const dropped = rows.filter(({ isKept }) => !isKept);
  return {
    rows,
    kept: rows.length - dropped.length,
    dropped: dropped.length,
    freedBytes: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
    unnamed: policy.milestones + policy.legalHolds,
  };
}

interface Place {
  newest: number;
  window: ReadonlySet<number>;
  every: number;
  number: number | null;
}

function reasonOf(checkpoint: SavedCheckpoint, index: number, { newest, window, every, number }: Place): DeletionReason {
  if (index === newest) return 'newest-complete';
  if (checkpoint.isLatest) return 'latest-points-here';
  if (!checkpoint.isFinished) return index > newest ? 'maybe-being-written' : 'interrupted';
  if (window.has(index)) return 'among-newest';
  return every > 0 && number !== null && number % every === 0 ? 'every-nth' : 'superseded';
}

/** By step where all have one, else by time; what has neither stays in its place. */
function inOrder(saved: readonly SavedCheckpoint[]): SavedCheckpoint[] {
  if (saved.every(({ step }) => step !== null)) return [...saved].sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
  if (saved.every(({ savedAtSeconds }) => savedAtSeconds !== null))
    return [...saved].sort((a, b) => (a.savedAtSeconds ?? 0) - (b.savedAtSeconds ?? 0));
  return [...saved];
}

function newestComplete(ordered: readonly SavedCheckpoint[], count: number): Set<number> {
  const complete = ordered.flatMap(({ isFinished }, index) => (isFinished ? [index] : []));
  return new Set(complete.slice(-count));
}

/**
 * Which save of the run a checkpoint is: its step ÷ the distance that most steps have, as earlier ones may be gone already. Without
 * steps its place among those that are there; null for a step between two saves (an emergency save).
 */
function saveNumbers(ordered: readonly SavedCheckpoint[]): (index: number) => number | null {
  const steps = ordered.map(({ step }) => step);
  if (steps.some((step) => step === null)) return (index) => index + 1;
  const distances = steps.slice(1).map((step, index) => (step ?? 0) - (steps[index] ?? 0));
  const distance = mostFrequent(distances.filter((value) => value > 0));
  if (distance === null) return () => null;
  return (index) => {
    const number = (steps[index] ?? 0) / distance;
    return Number.isInteger(number) ? number : null;
  };
}

/** The smallest of those that occur most often; null without any. */
function mostFrequent(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: [number, number] | null = null;
  for (const [value, count] of counts)
    if (best === null || count > best[1] || (count === best[1] && value < best[0])) best = [value, count];
  return best === null ? null : best[0];
}
