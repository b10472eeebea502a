/** How a checkpoint of a run is read: by its own files, and by those beside it. */
import type { Layout } from '../../checkpoints/layout.js';
import { parentPath } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { huggingFaceTrainer } from '../../frameworks/huggingFace/layout.js';
import { ownModels } from './besideCheckpoints.js';
import type { RunMember } from './run.js';

const trainerName = /^checkpoint-\d+$/;

/**
 * A model alone under the name of a Trainer's checkpoint, beside others of the same Trainer, is one of these that has lost its state: Trainer takes
 * the highest step whatever is in it (transformers/trainer_utils.py: get_last_checkpoint).
 */
export function layoutOfMember({ root, listing }: RunMember, members: readonly RunMember[]): Layout {
  const own = detectLayout(listing);
  if (!ownModels.has(own.id) || !trainerName.test(listing.rootName)) return own;
  const isOfTrainer = (other: RunMember): boolean =>
    parentPath(other.root) === parentPath(root) && detectLayout(other.listing).id === huggingFaceTrainer.id;
  return members.some(isOfTrainer) ? huggingFaceTrainer : own;
}
