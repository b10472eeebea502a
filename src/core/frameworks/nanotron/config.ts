/** nanotron YAML (nanotron/config/config.py, models_config.py; the model as in nanotron/models/llama.py, qwen.py, starcoder2.py). */
import { llamaShape } from '../../configs/architectures/llamaShape.js';
import type { ExpertShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive } from '../../configs/values/positive.js';
import { isRefused } from '../../configs/values/saveInterval.js';

export const nanotron: ConfigKind = {
  id: 'nanotron',
  match: ({ fields }) =>
    fields.at('model').has('model_config') && (fields.has('checkpoints', 'tokens', 'parallelism') || fields.has('data_stages')),
  read: ({ fields }) => ({ model: modelOf(fields), plan: completePlan(planFrom(fields)) }),
};

function modelOf(fields: Fields): ModelSource | null {
  const model = fields.at('model');
  const config = model.at('model_config');
  const hidden = config.integer('hidden_size');
  const layers = config.integer('num_hidden_layers');
  const heads = config.integer('num_attention_heads');
  const width = config.integer('intermediate_size');
  const vocabulary = config.integer('vocab_size');
  if (hidden === undefined || layers === undefined || heads === undefined || width === undefined || vocabulary === undefined)
    return null;
  const multiple = (model.integer('make_vocab_size_divisible_by') ?? 1) * (fields.at('parallelism').integer('tp') ?? 1);
  const shape = llamaShape({
    hidden,
    layers,
    heads,
    width,
    vocabulary: padded(vocabulary, multiple),
    keyValueHeads: config.integer('num_key_value_heads') ?? heads,
    // DoReMi's trainer builds classes of its own, which name no tied embedding (examples/doremi).
    isTied: !fields.has('doremi') && (config.flag('tie_word_embeddings') ?? false),
  });
  const isQwen = config.flag('is_qwen2_config') === true;
  const hasBias = config.flag('attention_bias') ?? false;
  const experts = expertsOf(config, { layers, width });
  if (experts === 'other') return null;
  const attention = { ...shape.attention, queryKeyValueBias: hasBias, outputBias: hasBias && !isQwen };
  return { kind: 'shape', shape: { ...shape, attention, experts }, name: isQwen ? 'Qwen2' : 'Llama' };
}

/**
 * Experts of Qwen2's layers (nanotron/nn/moe.py, config/models_config.py MoEConfig); `other` for those of the examples, whose experts are modules of their own
 * (examples/moe, `moe_num_experts`).
 */
function expertsOf(config: Fields, { layers, width }: { layers: number; width: number }): ExpertShape | null | 'other' {
  if ((config.integer('moe_num_experts') ?? 1) > 1) return 'other';
  const moe = config.at('moe_config');
  if (moe.keys.length === 0) return null;
  const listed = moe.integers('layers') ?? [-1];
  const hasShared = moe.flag('enable_shared_expert') === true;
  return {
    count: moe.integer('num_experts') ?? 8,
    active: moe.integer('top_k') ?? 2,
    width: moe.integer('moe_intermediate_size') ?? 1408,
    isGated: true,
    layers: listed.length === 1 && listed[0] === -1 ? layers : new Set(listed).size,
    sharedWidth: hasShared ? (moe.integer('shared_expert_intermediate_size') ?? width) : 0,
    hasSharedGate: hasShared,
    routerBias: false,
    expertBias: false,
  };
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const checkpoints = fields.at('checkpoints');
  const tokens = fields.at('tokens');
  const parallel = fields.at('parallelism');
  const optimizer = fields.at('optimizer');
  const factory = optimizer.at('optimizer_factory');
  const interval = positive(checkpoints.signedInteger('checkpoint_interval'));
  if (interval === undefined && !isRefused(notes, checkpoints, 'checkpoint_interval')) notes.push('saves-never');
  const dtype = precisionOf(fields.at('model').text('dtype'));
  const isMasterKept = optimizer.flag('accumulate_grad_in_fp32');
  return planOf({
    writer: 'nanotron',
    steps: positive(tokens.integer('train_steps')),
    saveIntervalSteps: interval,
    lastSave: interval === undefined || checkpoints.flag('save_final_state') === false ? undefined : 'all',
    keep: null,
    sequenceLength: positive(tokens.integer('sequence_length')),
    microBatch: positive(tokens.integer('micro_batch_size')),
    accumulation: positive(tokens.integer('batch_accumulation_per_replica')) ?? 1,
    precision: dtype,
    parameterDtype: dtype,
    // The optimizer keeps 32-bit copies together with 32-bit gradients, never one without the other (optim/gradient_accumulator.py).
    hasMasterWeights: isMasterKept,
    ...optimizerPlan(factory.text('name') ?? optimizer.text('name')),
    zeroStage: optimizer.integer('zero_stage'),
    dataParallel: positive(parallel.integer('dp')),
    tensorParallel: positive(parallel.integer('tp')),
    pipelineParallel: positive(parallel.integer('pp')),
    contextParallel: positive(parallel.integer('context_parallel_size')),
    expertParallel: positive(parallel.integer('expert_parallel_size')),
    outputFolder: checkpoints.text('checkpoints_path'),
    resumesFrom: checkpoints.text('resume_checkpoint_path'),
    notes,
  });
}
