/** What a run's checkpoints take on disk, from how often they are saved and how many stay. */
import type { TrainingPlan } from '../configs/trainingPlan.js';

export interface RunSize {
  /** Steps of the run; null where the config does not say. */
  steps: number | null;
  /** Checkpoints that are written. */
  saves: number | null;
  /** Checkpoints that lie on disk at the end. */
  kept: number | null;
  bytes: number | null;
  /** All that is written, also what is deleted again. */
  writtenBytes: number | null;
}

/**
 * @param bytes of one checkpoint, null where not known. `kept` is null too where the length of the run decides and is not known.
 */
export function runSize(bytes: number | null, plan: TrainingPlan): RunSize {
  const steps = plan.steps ?? null;
  const saves = savesOf(plan, steps);
  const kept = keptOf(plan, saves, steps);
  const times = (count: number | null) => (count === null || bytes === null ? null : safe(count * bytes));
  return { steps, saves, kept, bytes: times(kept), writtenBytes: times(saves) };
}

function savesOf({ epochs, saveIntervalSteps, saveIntervalEpochs }: TrainingPlan, steps: number | null): number | null {
  if (saveIntervalSteps !== undefined)
    return steps === null || saveIntervalSteps === 0 ? null : timesIn(steps, saveIntervalSteps);
  if (saveIntervalEpochs !== undefined && saveIntervalEpochs > 0 && epochs !== undefined)
    return timesIn(epochs, saveIntervalEpochs);
  return null;
}

function keptOf({ keep, keepEverySteps }: TrainingPlan, saves: number | null, steps: number | null): number | null {
  if (keep === undefined || keep === null) return saves;
  const milestones = keepEverySteps === undefined || keepEverySteps === 0 || steps === null ? 0 : timesIn(steps, keepEverySteps);
  const kept = milestones === null ? null : safe(keep + milestones);
  return saves === null || kept === null ? (kept ?? saves) : Math.min(kept, saves);
}

/** Null where no save is so frequent: an interval of nearly nothing. */
function timesIn(length: number, interval: number): number | null {
  return safe(Math.floor(length / interval));
}

function safe(value: number): number | null {
  return Number.isSafeInteger(value) ? value : null;
}
