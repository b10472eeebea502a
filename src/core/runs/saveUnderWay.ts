/** The save that a run is writing, as far as its files show. */
import type { SavedCheckpoint } from './savedCheckpoint.js';
import type { TrainingRun } from './trainingRun.js';

export interface SaveUnderWay {
  path: string;
  step: number | null;
  bytes: number;
  /** Of the newest whole save; null of the first. */
  usualBytes: number | null;
  usualSeconds: number | null;
  /** Since a file of it was last written. */
  quietSeconds: number;
  /** Nothing was written for longer than a whole save usually takes. */
  isStalled: boolean;
}

/** A save writes its files without long pauses; one on slow storage may have some. */
const leastStallSeconds = 60;
/** What is quiet for longer was cut off. */
const mostQuietSeconds = 3600;

/**
 * Null where none is: the newest save is whole, or nothing was written to it for a long time.
 * @param nowMs milliseconds since 1970
 */
export function saveUnderWay({ checkpoints, save }: TrainingRun, nowMs: number): SaveUnderWay | null {
  const newest = newestOf(checkpoints);
  if (newest === null || newest.complete || newest.finishedMs === null) return null;
  const quietSeconds = Math.max(0, (nowMs - newest.finishedMs) / 1000);
  if (quietSeconds > Math.max(mostQuietSeconds, save.medianSeconds ?? 0)) return null;
  const { path, step, bytes } = newest;
  return {
    path,
    step,
    bytes,
    usualBytes: newestOf(checkpoints.filter(({ complete }) => complete))?.bytes ?? null,
    usualSeconds: save.medianSeconds,
    quietSeconds,
    isStalled: quietSeconds > Math.max(leastStallSeconds, save.medianSeconds ?? 0),
  };
}

function newestOf(checkpoints: readonly SavedCheckpoint[]): SavedCheckpoint | null {
  return checkpoints.reduce<SavedCheckpoint | null>(
    (newest, one) => ((one.finishedMs ?? 0) > (newest?.finishedMs ?? 0) ? one : newest),
    null,
  );
}
