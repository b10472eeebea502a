/**
 * Weights that the tensor-parallel ranks of a DeepSpeed save repeat: of `mp_rank_<n>` where there are no pipeline stages, and of the
 * files by layer that a pipeline writes (`layer_<n>-model_<rank>-model_states.pt`: GPT-NeoX, Megatron-DeepSpeed).
 */
import { findReplicas } from '../../checkpoints/layouts/replicas.js';
import { isReplicatedByName } from '../../checkpoints/layouts/replicatedNames.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { TagFiles } from './deepspeedFiles.js';

/** Where a file's names are parameters of their own, and which rank's parts of these it has. */
interface TensorRank {
  scope: string;
  rank: number;
}

/** @param isPipeline tells saves whose model-parallel ranks are stages too: what equal names of these are is not known */
export function findDeepSpeedReplicas(
  parts: Parts,
  tags: readonly TagFiles[],
  isPipeline: (tag: TagFiles) => boolean,
): ReadonlySet<number> {
  const ranks = new Map<string, TensorRank>();
  for (const tag of tags) {
    for (const { path, layer, tensorRank } of tag.layers)
      if (tensorRank !== null) ranks.set(path, { scope: `${tag.directory}\nlayer ${layer}`, rank: tensorRank });
    if (isPipeline(tag)) continue;
    for (const { path, model } of tag.modelStates) ranks.set(path, { scope: tag.directory, rank: model });
  }
  return findReplicas(parts, ({ name, shape, path }) => {
    const place = ranks.get(path);
    if (place === undefined) return undefined;
    return [place.scope, isReplicatedByName(name, shape) ? 'whole' : place.rank, name].join('\n');
  });
}
