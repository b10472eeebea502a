/** Meta Lingua YAML (lingua/transformer.py and apps/main for sizes, lingua/checkpoint.py for saving; names and defaults as there). */
import { llamaShape } from '../../configs/architectures/llamaShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';

export const lingua: ConfigKind = {
  id: 'lingua',
  match: ({ document, fields }) =>
    document.syntax === 'yaml' &&
    fields.has('steps') &&
    fields.at('model').has('dim') &&
    (fields.at('checkpoint', 'dump').has('every', 'keep') || fields.at('distributed').has('fsdp_type')),
  read({ fields }) {
    const notes: PlanNote[] = [];
    return { model: modelOf(fields), plan: completePlan(planFrom(fields, notes)) };
  },
};

/** Bytes, and the tokens that begin and end a text (lingua/tokenizer.py, ByteTokenizer). */
const byteTokens = 258;

/** Its decoder without layers of other apps (Mamba, multi-token prediction); the vocabulary is the tokenizer's unless it is set. */
function modelOf(fields: Fields): ModelSource | null {
  const model = fields.at('model');
  const hidden = model.integer('dim') ?? 512;
  const layers = model.integer('n_layers') ?? 8;
  const headSize = positive(model.integer('head_dim'));
  const heads = positive(model.integer('n_heads')) ?? (headSize === undefined ? undefined : Math.floor(hidden / headSize));
  const tokenizer = fields.at('data', 'tokenizer').text('name');
  const vocabulary = positive(model.signedInteger('vocab_size')) ?? (tokenizer === 'bytes' ? byteTokens : undefined);
  if (heads === undefined || vocabulary === undefined || isOtherBlock(model)) return null;
  const whole = Math.floor((2 * 4 * hidden) / 3);
  const width = padded(Math.floor((model.number('ffn_dim_multiplier') ?? 1) * whole), model.integer('multiple_of') ?? 256);
  const shape = llamaShape({
    vocabulary,
    hidden,
    layers,
    heads,
    keyValueHeads: positive(model.integer('n_kv_heads')) ?? heads,
    width,
    ...(headSize === undefined ? {} : { headSize }),
    isTied: model.flag('weight_tying') === true,
  });
  return { kind: 'shape', shape, name: 'Lingua' };
}

function isOtherBlock(model: Fields): boolean {
  return model.has('state_dim', 'dt_bias', 'conv_size', 'n_future_head', 'lru_dim_multiplier', 'block_type', 'dimensions');
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const [data, dump, evaluated] = [fields.at('data'), fields.at('checkpoint', 'dump'), fields.at('checkpoint', 'eval')];
  const kept = dump.signedInteger('keep') ?? 0;
  const keptOfEvaluations = evaluated.signedInteger('keep') ?? 0;
  const isStopped = isRefused(notes, dump, 'every');
  if (!dump.has('every')) notes.push('default-save-interval');
  notes.push('default-optimizer');
  return planOf({
    writer: 'lingua',
    steps: positive(fields.integer('steps')) ?? 1000,
    saveIntervalSteps: positive(dump.signedInteger('every')) ?? (isStopped ? undefined : 1000),
    keep: kept > 0 ? kept : null,
    // What is saved for evaluations has a rotation of its own, and stays without one.
    keepEverySteps: keptOfEvaluations > 0 ? undefined : positive(evaluated.integer('every')),
    lastSave: 'all',
    sequenceLength: positive(data.integer('seq_len')),
    microBatch: positive(data.integer('batch_size')),
    accumulation: positive(fields.integer('grad_acc_steps')) ?? 1,
    precision: precisionOf(fields.at('distributed').text('model_dtype')),
    parameterDtype: 'f32',
    optimizer: 'adam',
    optimizerName: 'AdamW',
    ...shardingOfStrategy(fields.at('distributed').text('fsdp_type') ?? ''),
    dataParallel: product(
      positive(fields.at('distributed').integer('dp_replicate')),
      positive(fields.at('distributed').integer('dp_shard')),
    ),
    tensorParallel: positive(fields.at('distributed').integer('tp_size')) ?? 1,
    outputFolder: fields.text('dump_dir'),
    resumesFrom: fields.at('checkpoint').text('init_ckpt_path'),
    notes,
  });
}
