/** nanotron YAML (nanotron/config/config.py, models_config.py; the model as in nanotron/models/llama.py, qwen.py, starcoder2.py). */
import { llamaShape } from '../../configs/architectures/llamaShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive } from '../../configs/values/positive.js';

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
    isTied: config.flag('tie_word_embeddings') ?? false,
  });
  const isQwen = config.flag('is_qwen2_config') === true;
  const hasBias = config.flag('attention_bias') ?? false;
  const attention = { ...shape.attention, queryKeyValueBias: hasBias, outputBias: hasBias && !isQwen };
  return { kind: 'shape', shape: { ...shape, attention }, name: isQwen ? 'Qwen2' : 'Llama' };
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const checkpoints = fields.at('checkpoints');
  const tokens = fields.at('tokens');
  const parallel = fields.at('parallelism');
  const optimizer = fields.at('optimizer');
  const factory = optimizer.at('optimizer_factory');
  const interval = positive(checkpoints.integer('checkpoint_interval'));
  if (interval === undefined) notes.push('saves-never');
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
