/**
 * `save_top_k` and `save_last` of Lightning's ModelCheckpoint (lightning/pytorch/callbacks/model_checkpoint.py, 2.2 and newer), of which NeMo's is made.
 */
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';

/** Whether the newest one is a whole checkpoint of its own; with `link` it is a symbolic link. */
export function savesLast(options: Fields, usual: boolean): boolean {
  const written = options.scalar('save_last');
  return written === undefined ? usual : String(written).toLowerCase() === 'true';
}

/** @param usual what the callback has where these are not set */
export function keptBy(
  options: Fields,
  usual: { kept: number; savesLast: boolean },
  notes: PlanNote[],
): Pick<TrainingPlan, 'keep' | 'newestAgain'> {
  const written = options.signedInteger('save_top_k');
  if (options.isOpen('save_top_k')) {
    notes.push('keep-open');
    return {};
  }
  const kept = written ?? usual.kept;
  const hasLast = savesLast(options, usual.savesLast);
  // Without others the newest is the only one.
  if (kept === 0) {
    if (!hasLast) notes.push('saves-never');
    return { keep: hasLast ? 1 : 0 };
  }
  if (!hasLast) return { keep: kept < 0 ? null : kept };
  notes.push('newest-again');
  return { keep: kept < 0 ? null : kept + 1, newestAgain: true };
}
