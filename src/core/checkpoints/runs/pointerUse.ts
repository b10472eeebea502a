/** Which names lead a job to its newest checkpoint, and which frameworks go by them. */
import { baseName } from '../../files/paths.js';
import type { LayoutId } from '../../text/frameworkLabels.js';

/**
 * Frameworks that look for the directory with the highest step, whatever files and links are beside it: transformers/trainer_utils.py
 * (get_last_checkpoint), accelerate/accelerator.py (load_state), orbax/checkpoint (latest_step), flax/training/checkpoints.py
 * (latest_checkpoint), litgpt/utils.py (find_resume_path).
 */
const scanning: ReadonlySet<LayoutId> = new Set<LayoutId>([
  'huggingface-trainer',
  'accelerate',
  'orbax',
  'flax-msgpack',
  'litgpt',
]);

/** Whether jobs that save this layout may be led to a checkpoint by a file or a link beside it. */
export function followsPointers(layout: LayoutId): boolean {
  return !scanning.has(layout);
}

/** Links to the best checkpoint are for evaluation: no trainer resumes from them. */
const best = /best/i;
/** Universal checkpoints are converted from others, and loaded only where a job asks for them. */
const ofLatest = /(?:latest(?!_universal)|newest|last|current|resume)|^checkpoint$/i;

/** Whether a file or a link names a checkpoint to resume from. */
export function isForResume(path: string): boolean {
  return !best.test(baseName(path));
}

/** Whether it names the latest one, so that none should be newer. */
export function namesLatest(path: string): boolean {
  return isForResume(path) && ofLatest.test(baseName(path));
}
