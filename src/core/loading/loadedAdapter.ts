import type { CountedModel } from '../configs/countModel.js';
import { parentPath } from '../files/paths.js';
import { labelsIn, type AdaptedBase } from './adaptedModel.js';
import type { StoredTensor } from './adapterNames.js';
import type { StoredAdapter } from './storedAdapters.js';

/** An adapter, and what it is loaded into. */
export interface LoadedAdapter {
  /** Its folder in the checkpoint; empty for the checkpoint itself. */
  directory: string;
  tensors: readonly StoredTensor[];
  /** As its config names it; undefined where it names none. */
  task: string | undefined;
  /** Of its output layer, where the config of the base does not give them: `from_pretrained` takes them as `num_labels`. */
  labels?: number;
  /** The base model as the class of the task; null where its config was not found. */
  base: CountedModel | null;
}

/** @param adapted undefined where the base was not compared */
export function loadedAdapter({ path, tensors, config }: StoredAdapter, adapted: AdaptedBase | undefined): LoadedAdapter {
  const task = config['task_type'];
  const labels = adapted?.hasOwnHead === false ? labelsIn(tensors) : undefined;
  return {
    directory: parentPath(path),
    tensors,
    task: typeof task === 'string' ? task : undefined,
    base: adapted?.model ?? null,
    ...(labels === undefined ? {} : { labels }),
  };
}
