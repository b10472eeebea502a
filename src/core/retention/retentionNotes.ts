/** What the reader should know beside the lists: pointers, holds and milestones that lead to nothing here. */
import { activeHolds, isHeldBy, type Hold } from './holds.js';
import type { RetentionNote } from './retentionReport.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { baseName } from '../files/paths.js';
import type { RetentionFacts } from './retentionFacts.js';

export function notesOf(
  { milestones }: RetentionPolicy,
  holds: readonly Hold[],
  { run, pointers, unseenBeside }: Pick<RetentionFacts, 'run' | 'pointers' | 'unseenBeside'>,
  nowMs: number,
): RetentionNote[] {
  const steps = new Set(run.members.map(({ root }) => stepOfName(baseName(root))));
  const missing = milestones.filter((step) => !steps.has(step));
  return [
    ...pointers
      .filter(({ names, isUnderstood }) => isUnderstood && names.length === 0)
      .map(({ path, text }): RetentionNote => ({ code: 'pointer-target-missing', path, detail: text?.trim() ?? null })),
    ...holds
      .filter(({ untilMs }) => untilMs !== null && untilMs <= nowMs)
      .map(({ path, reason }): RetentionNote => ({ code: 'hold-expired', path, detail: reason })),
    ...(unseenBeside === null ? [] : [{ code: 'beside-unseen', path: '..', detail: unseenBeside } as const]),
    ...missing.map((step): RetentionNote => ({ code: 'milestone-missing', path: String(step), detail: null })),
  ];
}

/** An active hold whose path is not there: what it is meant to hold is not known. */
export function holdWithoutTarget(holds: readonly Hold[], paths: readonly string[], nowMs: number): Hold | undefined {
  return activeHolds(holds, nowMs).find((hold) => !paths.some((path) => isHeldBy(hold, path)));
}
