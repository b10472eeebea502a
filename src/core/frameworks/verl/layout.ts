/**
 * verl: `actor/` and `critic/`, each with a file of the model, the optimizer and the rest for every rank, and `data.pt`
 * (verl/utils/checkpoint/fsdp_checkpoint_manager.py).
 */
import { loadsConverted } from '../../checkpoints/reshard.js';
import { baseName, parentPath } from '../../files/paths.js';
import { confidenceOfSaves, directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { verlOwnRoles } from './roles.js';
import type { Listing } from '../../files/listing.js';
import { followPointers } from '../../checkpoints/layouts/pointers.js';
import { describeWorldSizeNames } from '../../checkpoints/layouts/rankNames.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';

const modelName = /^model_world_size_\d+_rank_\d+\.pt$/;
const extraName = /^extra_state_world_size_\d+_rank_\d+\.pt$/;
const workers = new Set(['actor', 'critic', 'ref', 'reward']);

export const verl = directoryLayout(
  'verl',
  matchVerl,
  (result, listing) => {
    const { parts } = result;
    parts.framework = { name: 'verl', version: null };
    parts.expected = ['weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
    followPointers(result, new Set(['latest_checkpointed_iteration.txt']), (text) => `global_step_${text}`);
    describeWorldSizeNames(parts);
    parts.step = stepOfName(listing.rootName) ?? stepOfName(savesOf(listing).values().next().value ?? '');
    const { worldSize } = parts.topology;
    parts.reshard = loadsConverted(
      `Each rank loads its own files: the same number of ranks (${worldSize ?? '?'}); verl.model_merger puts the weights together for others.`,
      'python -m verl.model_merger merge --backend fsdp --local_dir SAVED --target_dir CONVERTED',
    );
  },
  verlOwnRoles,
);

function matchVerl(listing: Listing): number {
  // A worker alone: other training code writes models by rank as well, but not the extra state.
  if (listing.hasMatch(extraName)) return 0.92;
  return confidenceOfSaves(savesOf(listing));
}

/** Directories that hold those of the workers. */
function savesOf(listing: Listing): Set<string> {
  const saves = new Set<string>();
  for (const { path } of listing.entries) {
    if (!modelName.test(baseName(path))) continue;
    const worker = parentPath(path);
    if (workers.has(baseName(worker))) saves.add(parentPath(worker));
  }
  return saves;
}
