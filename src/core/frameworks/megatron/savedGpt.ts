/**
 * The GPT that Megatron-LM builds of the arguments in a save (megatron/training/arguments.py; pretrain_gpt.py, model_provider). It is stated only where every
 * argument that adds or changes tensors is followed here; for any other there is the reason.
 */
import { Fields } from '../../configs/fields.js';
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { gptOf } from './config.js';
import { plainArguments } from './savedArguments.js';

export interface SavedGpt {
  /** Names as in the modules of the model, with `N` for numbers; shapes of whole tensors. */
  groups: readonly TensorGroup[];
  layers: number;
  experts: number;
  /** Groups of queries that share keys and values; null without grouping. */
  queryGroups: number | null;
  tensorParallel: number;
}

const sizeKeys = ['num_layers', 'hidden_size', 'num_attention_heads', 'ffn_hidden_size', 'padded_vocab_size'] as const;

/** Arguments of which at least one name or shape depends, and which are read from text, numbers or flags. */
const followedKeys = [
  ...sizeKeys,
  ...['num_query_groups', 'group_query_attention', 'kv_channels', 'untie_embeddings_and_output_weights', 'swiglu'],
  ...['normalization', 'add_bias_linear', 'add_qkv_bias', 'qk_layernorm', 'position_embedding_type', 'max_position_embeddings'],
  ...['num_experts', 'moe_ffn_hidden_size', 'moe_layer_freq', 'moe_shared_expert_intermediate_size', 'moe_shared_expert_gate'],
  ...['moe_router_enable_expert_bias', 'softmax_type', 'tensor_model_parallel_size'],
] as const;

/** Sizes that are whole numbers above 0 where they are set. */
const countKeys = [
  'kv_channels',
  'num_query_groups',
  'moe_ffn_hidden_size',
  'max_position_embeddings',
  'tensor_model_parallel_size',
] as const;

/** Other modules, whose tensors are not known here by name and shape in every release. */
const otherModules = [
  ...['multi_latent_attention', 'mtp_num_layers', 'moe_latent_size', 'retro_add_retriever', 'decoder_num_layers'],
  ...['vision_model_type', 'language_model_type', 'heterogeneous_layers_config_path', 'heterogeneous_layers_config_encoded_json'],
  ...['embed_layernorm', 'post_self_attn_layernorm', 'post_mlp_layernorm', 'spec', 'use_legacy_models'],
] as const;

const knownTexts: Readonly<Record<string, readonly string[]>> = {
  normalization: ['LayerNorm', 'RMSNorm'],
  position_embedding_type: ['learned_absolute', 'rope', 'none'],
  softmax_type: ['vanilla', 'off-by-one', 'learnable'],
};

/** The model of the saved arguments, or why its tensors do not follow from them, as a clause. */
export function savedGpt(args: PickleValue): SavedGpt | string {
  const { values, objects } = plainArguments(args);
  const lacking = sizeKeys.find((key) => !isCount(values[key]));
  if (lacking !== undefined) return `its arguments have no ${lacking}`;
  const opaque = followedKeys.find((key) => objects.has(key));
  if (opaque !== undefined) return `its argument ${opaque} is an object`;
  const invalid = countKeys.find((key) => values[key] !== undefined && !isCount(values[key]));
  if (invalid !== undefined) return `its argument ${invalid} is no count`;
  const other = otherModules.find((key) => objects.has(key) || isSet(values[key]));
  if (other !== undefined) return `its arguments set ${other}`;
  for (const [key, known] of Object.entries(knownTexts)) {
    const value = values[key];
    if (value !== undefined && !known.includes(String(value)))
      return `its arguments set ${key} to a value that is not known here`;
  }
  if (values['add_position_embedding'] === false && values['position_embedding_type'] === 'learned_absolute')
    return 'its arguments set learned positions and no positions';
  const fields = Fields.fromValues(values);
  const source = gptOf(fields, []);
  if (fields.problems.length > 0) return 'its arguments have a value of another kind than Megatron’s parser gives';
  if (source?.kind !== 'tensors') return 'its arguments describe layers that are not known here';
  const ranks = values['tensor_model_parallel_size'];
  const tensorParallel = isCount(ranks) ? ranks : 1;
  const { groups } = source.tensors;
  if (!Number.isSafeInteger(groups.reduce((sum, { copies }) => sum + copies * tensorParallel, 0)))
    return 'its arguments ask for more tensors than any model has';
  return {
    groups,
    layers: values['num_layers'] as number,
    experts: isCount(values['num_experts']) ? values['num_experts'] : 0,
    queryGroups: values['group_query_attention'] === true ? Number(values['num_query_groups'] ?? 1) : null,
    tensorParallel,
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 0 && value !== '';
}
