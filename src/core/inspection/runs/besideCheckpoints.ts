/** What trainers leave in the directory of their checkpoints: a model that is done is one of them; configs, arguments and logs are of the run. */
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import type { RoleId } from '../../files/roleLabels.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { isPipeline } from '../../frameworks/huggingFace/pipeline.js';
import { fileRoles } from '../../frameworks/layouts.js';
import type { ComponentId } from '../../tensors/component.js';
import type { LayoutId } from '../../text/frameworkLabels.js';

/** Models that trainers leave beside their checkpoints when they are done. */
export const ownModels: ReadonlySet<LayoutId> = new Set<LayoutId>(['huggingface-model', 'peft-adapter']);

/** Files that Trainer writes there as well as into each checkpoint (transformers/trainer.py: save_state, _save). */
const filesOfRun: ReadonlySet<string> = new Set(['trainer_state.json', 'training_args.bin']);

/** State that no trainer saves outside of a checkpoint. */
const stateOfCheckpoints: ReadonlySet<ComponentId> = new Set<ComponentId>(['optimizer', 'scheduler', 'rng', 'gradScaler']);

const weightRoles: ReadonlySet<RoleId> = new Set<RoleId>(['model-weights', 'adapter-weights', 'shard-index']);

export interface BesideCheckpoints {
  /** A model that lies there; undefined where there is none, or another kind of checkpoint. */
  model: Listing | undefined;
  /** Files of no checkpoint. */
  rest: readonly FileEntry[];
}

/** The files that are beside the checkpoints of a run. */
export function besideCheckpoints(own: Listing): BesideCheckpoints {
  const model = withoutFilesOfRun(own);
  const { id } = detectLayout(model);
  const isModel = (ownModels.has(id) || id === 'torch-file') && (holdsWeights(model) || isPipeline(model));
  if (!isModel) return { model: undefined, rest: own.entries };
  const ofModel = new Set(model.entries);
  return { model, rest: own.entries.filter((entry) => !ofModel.has(entry)) };
}

/** The listing without what is Trainer's beside checkpoints as well; itself where it has the state of a checkpoint. */
export function withoutFilesOfRun(listing: Listing): Listing {
  const hasState = listing.entries.some(({ path }) => isOwn(path) && stateOfCheckpoints.has(fileRoles.of(path).component));
  const others = listing.entries.filter(({ path }) => !filesOfRun.has(path));
  return hasState || others.length === listing.entries.length ? listing : new Listing(listing.rootName, others);
}

/** Weights, or an index that lists some: a config alone is what the run began with. */
function holdsWeights({ entries }: Listing): boolean {
  return entries.some(({ path }) => isOwn(path) && (path.endsWith('.safetensors') || weightRoles.has(fileRoles.of(path).role)));
}

function isOwn(path: string): boolean {
  return !path.includes('/');
}
