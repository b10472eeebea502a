/** accelerate's YAML (accelerate/commands/config, launchers' arguments in commands/launch.py). It tells ranks and engine, not the model. */
import type { ConfigAccess, ConfigFile, ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { deepspeedPlan } from '../deepspeed/config.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { positive } from '../../configs/values/positive.js';

export const accelerate: ConfigKind = {
  id: 'accelerate',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json') &&
    fields.has('distributed_type') &&
    fields.has('compute_environment', 'num_processes', 'mixed_precision', 'fsdp_config', 'deepspeed_config'),
  async read({ fields }: ConfigFile, access: ConfigAccess) {
    return { model: null, plan: completePlan(await acceleratePlan(fields, access)) };
  },
};

/** What accelerate's config says of ranks and engine, wherever it is named. */
export async function acceleratePlan(fields: Fields, access: ConfigAccess): Promise<TrainingPlan> {
  const type = fields.text('distributed_type')?.toUpperCase();
  const worldSize = positive(fields.integer('num_processes'));
  const parallelism = fields.at('parallelism_config');
  const precision = precisionOf(fields.text('mixed_precision'));
  const common = planOf({
    precision,
    worldSize,
    nodes: positive(fields.integer('num_machines')),
    tensorParallel: positive(parallelism.integer('parallelism_config_tp_size', 'tp_size')),
    contextParallel: positive(parallelism.integer('parallelism_config_cp_size', 'cp_size')),
    ...replicatedShards(parallelism, 'parallelism_config_'),
  });
  if (type === 'DEEPSPEED')
    return { ...common, ...(await deepspeedPart(fields.at('deepspeed_config'), access)), writer: 'deepspeed' };
  if (type === 'FSDP') return planOf({ ...common, ...sharded(fields.at('fsdp_config'), precision) });
  if (type === 'MEGATRON_LM') return planOf({ ...common, ...megatronPart(fields.at('megatron_lm_config')) });
  return { ...common, writer: 'huggingface-trainer' };
}

/** Replicas of shards, as accelerate's ParallelismConfig has them. */
export function replicatedShards(config: Fields, prefix = ''): Partial<TrainingPlan> {
  const shards = positive(config.integer(`${prefix}dp_shard_size`, 'dp_shard_size'));
  const replicas = positive(config.integer(`${prefix}dp_replicate_size`, 'dp_replicate_size'));
  return planOf({
    dataParallel: product(shards, replicas),
    shardDegree: (replicas ?? 1) > 1 && (shards ?? 1) > 1 ? shards : undefined,
  });
}

/** The engine that flags of `accelerate launch` choose, which go before its file; null where none does. */
export async function launchedEngine(fields: Fields, access: ConfigAccess): Promise<TrainingPlan | null> {
  const precision = precisionOf(fields.text('mixed_precision'));
  const common = planOf({ precision });
  if (fields.flag('use_deepspeed') === true) return { ...common, ...(await deepspeedPart(fields, access)), writer: 'deepspeed' };
  if (fields.flag('use_fsdp') === true) return planOf({ ...common, ...sharded(fields, precision) });
  return fields.flag('use_megatron_lm') === true ? planOf({ ...common, ...megatronPart(fields) }) : null;
}

async function deepspeedPart(config: Fields, access: ConfigAccess): Promise<TrainingPlan> {
  const path = config.text('deepspeed_config_file');
  const file = path === undefined ? null : await openBeside(path, access);
  if (path !== undefined && file === null) config.problem('file-missing', 'deepspeed_config_file', path);
  const stage = config.integer('zero_stage');
  // Either the file says everything or these keys do; accelerate refuses both.
  const own = planOf({
    zeroStage: stage !== undefined && stage <= 3 ? stage : file === null && path === undefined ? 2 : undefined,
    accumulation: positive(config.integer('gradient_accumulation_steps')),
    gathersWeights: config.flag('zero3_save_16bit_model'),
    ...(stage === undefined && path === undefined ? { notes: ['default-zero-stage'] } : {}),
  });
  return { ...own, ...(file === null ? {} : deepspeedPlan(file.fields)) };
}

/**
 * By the strategy of FSDP 1, or as FSDP 2 reshards: `reshard_after_forward` is true unless it is set, and may be a strategy itself.
 * @param prefix of the keys
 */
export function fullySharded(config: Fields, prefix: string): Pick<TrainingPlan, 'sharding' | 'isShardedInNode'> {
  const written = config.scalar(`${prefix}sharding_strategy`) ?? config.scalar(`${prefix}reshard_after_forward`);
  const isResharded = typeof written === 'string' && /^(?:true|false)$/i.test(written) ? /^true$/i.test(written) : written;
  if (isResharded === undefined || isResharded === true) return { sharding: 'weights' };
  return isResharded === false ? { sharding: 'gradients' } : shardingOfStrategy(isResharded);
}

/** Parameters stay in 32 bits where FSDP computes in 16; whether they are gathered is the kind of state dict. */
function sharded(config: Fields, precision: TrainingPlan['precision']): Partial<TrainingPlan> {
  const kind = config.scalar('fsdp_state_dict_type');
  return planOf({
    writer: 'fsdp',
    ...fullySharded(config, 'fsdp_'),
    gathersWeights: kind === undefined ? undefined : kind === 'FULL_STATE_DICT' || kind === 1,
    parameterDtype: precision === 'bf16' || precision === 'f16' ? 'f32' : undefined,
  });
}

function megatronPart(config: Fields): Partial<TrainingPlan> {
  return planOf({
    writer: 'megatron',
    tensorParallel: positive(config.integer('megatron_lm_tp_degree')),
    pipelineParallel: positive(config.integer('megatron_lm_pp_degree')),
    expertParallel: positive(config.integer('megatron_lm_expert_degree')),
    accumulation: positive(config.integer('megatron_lm_num_micro_batches')),
  });
}
