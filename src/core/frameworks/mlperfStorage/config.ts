/** MLPerf Storage and DLIO workloads with a `checkpoint` part (dlio_benchmark/checkpointing/base_checkpointing.py). Its model is what they write. */
import { ModelTensors } from '../../configs/architectures/tensorGroup.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { shardingOfStage } from '../../configs/values/shardingNames.js';
import { positive } from '../../configs/values/positive.js';

export const mlperfStorage: ConfigKind = {
  id: 'mlperf-storage',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json') &&
    fields.has('model', 'workflow') &&
    fields.has('workflow', 'checkpoint') &&
    (fields.at('model').has('transformer', 'parallelism', 'optimization_groups', 'layer_parameters', 'model_size') ||
      fields.at('workflow').has('generate_data', 'checkpoint')) &&
    (fields.has('framework') || fields.at('checkpoint').has('checkpoint_folder', 'num_checkpoints_write')),
  read: ({ fields }) => ({ model: modelOf(fields.at('model')), plan: planFrom(fields) }),
};

function modelOf(model: Fields): ModelSource | null {
  const transformer = model.at('transformer');
  const vocabulary = transformer.integer('vocab_size');
  const hidden = transformer.integer('hidden_size');
  const width = transformer.integer('ffn_hidden_size');
  const layers = model.integer('num_layers');
  const heads = transformer.integer('num_attention_heads') ?? 32;
  if (vocabulary === undefined || hidden === undefined || width === undefined || layers === undefined || heads === 0) return null;
  const keys = Math.floor(hidden / heads) * (transformer.integer('num_kv_heads') ?? heads);
  const prefix = 'layer_N';
  const tensors = new ModelTensors()
    .embedding('embedding', vocabulary, hidden)
    .norm(`${prefix}.input_norm`, hidden, { copies: layers })
    .linear(`${prefix}.self_attn`, hidden, hidden + 2 * keys, { copies: layers })
    .linear(`${prefix}.dense`, hidden, hidden, { copies: layers })
    .norm(`${prefix}.layer_norm`, hidden, { copies: layers })
    .linear(`${prefix}.mlp_h_to_4h`, hidden, 2 * width, { copies: layers })
    .linear(`${prefix}.mlp_4h_to_h`, width, hidden, { copies: layers })
    .norm('weight', hidden)
    .head('lm_head', vocabulary, hidden);
  return { kind: 'tensors', tensors, name: model.text('name') ?? 'DLIO' };
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const model = fields.at('model');
  const parallelism = model.at('parallelism');
  const checkpoint = fields.at('checkpoint');
  if (fields.at('workflow').flag('checkpoint') === false) notes.push('saves-never');
  const dtype = precisionOf(model.text('model_datatype')) ?? 'f16';
  const zeroStage = positive(parallelism.signedInteger('zero_stage')) ?? 0;
  const writes = positive(checkpoint.integer('num_checkpoints_write'));
  return planOf({
    writer: 'mlperf-storage',
    // All that are written stay: each is a save of the run.
    steps: writes,
    saveIntervalSteps: writes === undefined ? positive(checkpoint.integer('steps_between_checkpoints')) : 1,
    saveIntervalEpochs: writes === undefined ? positive(checkpoint.integer('epochs_between_checkpoints')) : undefined,
    keep: null,
    precision: dtype,
    parameterDtype: dtype,
    // Three tensors as wide as the optimizer's kind of number: master weights and two moments.
    hasMasterWeights: true,
    optimizer: 'adam',
    zeroStage,
    sharding: shardingOfStage(zeroStage),
    tensorParallel: positive(parallelism.integer('tensor')) ?? 1,
    pipelineParallel: positive(parallelism.integer('pipeline')) ?? 1,
    outputFolder: checkpoint.text('checkpoint_folder'),
    notes,
  });
}
