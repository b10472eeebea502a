/**
 * LLaMA-Factory on Megatron, by the environment: `USE_MCA` (mcore_adapter of alibaba/ROLL: training_args.py, trainer/trainer.py) and `USE_MEGATRON_BRIDGE`
 * (llamafactory/hparams/megatron_bridge_args.py, train/megatron_bridge/config_builder.py). Their arguments are refused without it, so these tell.
 */
import type { Fields } from '../../configs/fields.js';
import { givenRank } from '../../configs/plans/adapterPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { trainedIn } from '../megatron/config.js';
import { parallelSizes, sharedState } from '../megatron/transformerFields.js';

const shared = [
  ...['tensor_model_parallel_size', 'pipeline_model_parallel_size', 'expert_model_parallel_size', 'context_parallel_size'],
  ...['virtual_pipeline_model_parallel_size', 'use_distributed_optimizer', 'overlap_param_gather', 'overlap_grad_reduce'],
  ...['moe_grouped_gemm', 'moe_token_dispatcher_type', 'recompute_granularity', 'apply_rope_fusion', 'bias_activation_fusion'],
];
const ofBridge = [
  'megatron_pretrained_checkpoint',
  'export_hf_on_finish',
  'use_packed_sequences',
  'mixed_precision',
  'extra_config',
];

export type Backend = 'mcore-adapter' | 'megatron-bridge';

/** Undefined where PyTorch and the Trainer train. */
export function backendOf(fields: Fields): Backend | undefined {
  if (!fields.has(...shared)) return undefined;
  return fields.has(...ofBridge) ? 'megatron-bridge' : 'mcore-adapter';
}

/** What the backend has otherwise than the Trainer. */
export function backendPlan(fields: Fields, trainer: TrainingPlan, notes: PlanNote[]): Partial<TrainingPlan> {
  switch (backendOf(fields)) {
    case 'mcore-adapter':
      return mcoreAdapter(fields, trainer);
    case 'megatron-bridge':
      return megatronBridge(fields, notes);
    case undefined:
      return {};
  }
}

/** The Trainer's own steps, rotation and `save_model()` at the end; Megatron's weights, 32-bit copy and moments. */
function mcoreAdapter(fields: Fields, trainer: TrainingPlan): Partial<TrainingPlan> {
  return planOf({
    ...onMegatron(fields, trainer),
    endFolder: 'weights',
    writer: 'megatron',
    exportedWeights: fields.flag('save_hf_model') === true ? (trainer.precision ?? 'f32') : undefined,
    sharding: sharedState(fields).sharding ?? 'none',
  });
}

/** What `linear_qkv`, `linear_proj`, `linear_fc1` and `linear_fc2` are in transformers. */
const allLinear = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];

/** Every checkpoint stays, one more is written when training ends; LoRA is beside Megatron's fused matrices (its `lora_target` is not used). */
function megatronBridge(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  if (fields.text('stage') !== 'pt' && !fields.has('megatron_pretrained_checkpoint')) notes.push('base-converted');
  const written = fields.text('mixed_precision');
  const isLora = (fields.text('finetuning_type') ?? 'lora') === 'lora' && fields.text('stage') !== 'pt';
  if (written === undefined) notes.push('default-precision');
  const rank = positive(fields.integer('lora_rank'));
  const adapter: AdapterPlan | undefined = isLora
    ? { kind: 'lora', ...givenRank(rank, 8), targets: allLinear, isFused: true }
    : undefined;
  return planOf({
    ...onMegatron(fields, { precision: precisionOf(written?.replace(/[-_].*$/, '')) ?? 'bf16' }),
    writer: 'nemo',
    keep: null,
    lastSave: 'all',
    endFolder: fields.flag('export_hf_on_finish') === true ? 'weights' : undefined,
    savesOptimizer: true,
    sharding: fields.flag('use_distributed_optimizer') === false ? 'none' : 'optimizer',
    adapter,
  });
}

function onMegatron(fields: Fields, { precision = 'f32' }: TrainingPlan): TrainingPlan {
  return planOf({ ...trainedIn(fields, precision), ...parallelSizes(fields) });
}
