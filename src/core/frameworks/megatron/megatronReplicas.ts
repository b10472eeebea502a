/**
 * What the ranks of a legacy Megatron save repeat. Tensor-parallel ranks hold norms, positions and routers whole, expert-parallel ranks
 * all but the experts, and the last pipeline stage a copy of the word embedding where it is the output layer too
 * (megatron/core/models/common/language_module: setup_embeddings_and_output_layer; megatron/legacy/model/module.py:
 * initialize_word_embeddings).
 */
import { findReplicas, type RankTensor } from '../../checkpoints/layouts/replicas.js';
import { isReplicatedByName, type WholeOutputs } from '../../checkpoints/layouts/replicatedNames.js';
import type { Parts } from '../../checkpoints/parts.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { countIn } from './megatronArguments.js';

/** Ranks in a directory's name, with the directory of the save. */
export interface ModelRank {
  save: string;
  tensor: number;
  pipeline: number;
  expert: number;
}

/**
 * Rows that count no parameter: another rank's file holds the same one.
 * @param args the job's arguments; without them an output layer is not known to be tied
 */
export function findMegatronReplicas(
  parts: Parts,
  ranks: ReadonlyMap<string, ModelRank>,
  args: PickleValue | undefined,
): ReadonlySet<number> {
  const model: ModelTraits = {
    tiesOutput: args !== undefined && member(args, 'untie_embeddings_and_output_weights') !== true,
    outputs: latentOutputs(args),
    expertTensorParallel: countIn(args, 'expert_tensor_parallel_size'),
  };
  return findReplicas(parts, (tensor) => {
    const rank = ranks.get(tensor.path);
    return rank === undefined ? undefined : identityOf(tensor, rank, model);
  });
}

interface ModelTraits {
  tiesOutput: boolean;
  outputs: WholeOutputs;
  /** Null where experts are split as all else is. */
  expertTensorParallel: number | null;
}

/** Each stage numbers its layers anew, so that a name is one parameter within its stage; embeddings are the same on all stages. */
function identityOf(
  { name, shape }: RankTensor,
  { save, tensor, pipeline, expert }: ModelRank,
  { tiesOutput, outputs, expertTensorParallel }: ModelTraits,
): string {
  const [parameter = '', module = '', parent = ''] = name.split('.').reverse();
  const isReplicated = isReplicatedByName(name, shape, outputs);
  const part = isReplicated ? 'whole' : String(tensor);
  const isTied = module === 'word_embeddings_for_head' || (tiesOutput && module === 'output_layer');
  if (isTied && parameter === 'weight') return [save, 'word_embeddings', part, parameter].join('\n');
  if (parent === 'embedding') return [save, module, part, parameter].join('\n');
  if (!isOfExpert(name)) return [save, pipeline, part, name].join('\n');
  const expertPart = isReplicated ? 'whole' : tensor % (expertTensorParallel ?? Number.MAX_SAFE_INTEGER);
  return [save, pipeline, `expert ${expert}`, expertPart, name].join('\n');
}

/** Each expert-parallel rank numbers its own experts from 0. Shared experts are on all of them. */
function isOfExpert(name: string): boolean {
  return name.split('.').some((segment) => segment === 'experts' || segment === 'local_experts');
}

/** Down-projections of multi-head latent attention: column-parallel in early versions of Megatron-Core, whole in later ones. */
function latentOutputs(args: PickleValue | undefined): WholeOutputs {
  const outputs = new Map<string, number>();
  const [query, keyValue] = [countIn(args, 'q_lora_rank'), countIn(args, 'kv_lora_rank')];
  if (query !== null) outputs.set('linear_q_down_proj', query);
  if (keyValue !== null) outputs.set('linear_kv_down_proj', keyValue + (countIn(args, 'qk_pos_emb_head_dim') ?? 0));
  return outputs;
}
