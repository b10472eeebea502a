/** Fields that Megatron-LM's arguments, NeMo and Megatron-Bridge name alike, after TransformerConfig and ModelParallelConfig. */
import type { Fields } from '../../configs/fields.js';
import { entryOf } from '../../text/entryOf.js';
import type { Sharding, TrainingPlan } from '../../configs/trainingPlan.js';
import { positive } from '../../configs/values/positive.js';
import { layerPattern } from './layerPattern.js';
import type { LatentSizes, MegatronExperts, MegatronSizes } from './megatronSizes.js';

/**
 * Null for a dense model, `unreadable` where it is unknown which layers have experts.
 * @param count experts of a layer, the one field that has two names
 */
export function expertsOf(
  fields: Fields,
  count: number | undefined,
  { layers, width }: Pick<MegatronSizes, 'layers' | 'width'>,
): MegatronExperts | null | 'unreadable' {
  if (count === undefined || count === 0) return null;
  const frequency = frequencyOf(fields);
  const pattern = layerPattern(frequency, layers);
  if (pattern === null) {
    fields.problem('invalid-value', 'moe_layer_freq', String(frequency));
    return 'unreadable';
  }
  return {
    count,
    active: fields.integer('moe_router_topk') ?? 2,
    width: fields.integer('moe_ffn_hidden_size') ?? width,
    layers: pattern,
    sharedWidth: fields.integer('moe_shared_expert_intermediate_size') ?? 0,
    hasSharedGate: fields.flag('moe_shared_expert_gate') === true,
    hasRouterBias: fields.flag('moe_router_enable_expert_bias') === true,
  };
}

/** In YAML the list may be a list. */
function frequencyOf(fields: Fields): number | string | undefined {
  const scalar = fields.scalar('moe_layer_freq');
  if (scalar !== undefined) return typeof scalar === 'boolean' ? undefined : scalar;
  const list = fields.integers('moe_layer_freq');
  return list === undefined ? undefined : `[${list.join(',')}]`;
}

/**
 * Null without multi-latent attention.
 * @param keyValueRank unless it is set; the programs differ in it
 */
export function latentOf(fields: Fields, keyValueRank: number): LatentSizes | null {
  if (fields.flag('multi_latent_attention') !== true) return null;
  return {
    queryRank: positive(fields.integer('q_lora_rank')) ?? null,
    keyValueRank: fields.integer('kv_lora_rank') ?? keyValueRank,
    plainSize: fields.integer('qk_head_dim') ?? 128,
    rotarySize: fields.integer('qk_pos_emb_head_dim') ?? 64,
    valueSize: fields.integer('v_head_dim') ?? 128,
  };
}

/** By `data_parallel_sharding_strategy` (megatron/core/distributed/distributed_data_parallel_config.py). */
const sharedByStrategy: Readonly<Record<string, Sharding>> = {
  no_shard: 'none',
  optim: 'optimizer',
  optim_grads: 'gradients',
  optim_grads_params: 'weights',
};

/** What data-parallel ranks share: Megatron's FSDP by its strategy, else the optimizer's state where it is distributed. */
export function sharedState(fields: Fields): Pick<TrainingPlan, 'sharding'> {
  const isFullySharded = fields.flag('use_megatron_fsdp', 'use_custom_fsdp') === true;
  const strategy = isFullySharded ? fields.text('data_parallel_sharding_strategy') : undefined;
  const isDistributed = fields.flag('use_distributed_optimizer');
  const sharding =
    entryOf(sharedByStrategy, strategy ?? '') ??
    (isDistributed === undefined ? undefined : isDistributed ? ('optimizer' as const) : ('none' as const));
  return sharding === undefined ? {} : { sharding };
}

export function parallelSizes(fields: Fields): Partial<TrainingPlan> {
  return {
    tensorParallel: positive(fields.integer('tensor_model_parallel_size')) ?? 1,
    pipelineParallel: positive(fields.integer('pipeline_model_parallel_size')) ?? 1,
    contextParallel: positive(fields.integer('context_parallel_size')) ?? 1,
    expertParallel: positive(fields.integer('expert_model_parallel_size')) ?? 1,
  };
}
