/** nanoGPT's `config/*.py` (train.py for names and defaults, model.py for the modules). */
import { entryOf } from '../../text/entryOf.js';
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { servingOf } from '../../configs/plans/servingPlan.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive } from '../../configs/values/positive.js';
import { isRefused } from '../../configs/values/saveInterval.js';

const names = [
  'n_layer',
  'n_head',
  'n_embd',
  'block_size',
  'batch_size',
  'max_iters',
  'lr_decay_iters',
  'eval_interval',
  'eval_iters',
  'init_from',
  'gradient_accumulation_steps',
  'always_save_checkpoint',
  'wandb_run_name',
  'wandb_log',
  'out_dir',
];

export const nanogpt: ConfigKind = {
  id: 'nanogpt',
  match: ({ document, fields }) =>
    (document.syntax === 'python' ||
      (document.syntax === 'shell' && document.programs.some((name) => name.startsWith('config/')))) &&
    names.filter((name) => fields.has(name)).length >= 3 &&
    fields.has('block_size', 'batch_size', 'init_from', 'n_layer', 'max_iters') &&
    // Trainers of Llamas that began as nanoGPT name sizes and models otherwise (llama2.c, TinyLlama, LitGPT).
    !fields.has('dim', 'n_kv_heads', 'n_query_groups', 'model_name', 'micro_batch_size', 'checkpoint_dir'),
  read({ fields }) {
    const notes: PlanNote[] = [];
    const model = modelOf(fields, notes);
    const plan = completePlan(planFrom(fields, notes));
    const evaluates = fields.flag('eval_only') === true;
    return { model, plan, serving: evaluates ? { ...servingOf(plan), sequences: plan.microBatch } : undefined };
  },
};

/** GPT-2 as published, which `init_from` starts with: layers, heads, hidden size. */
const pretrained: Readonly<Record<string, readonly [number, number, number]>> = {
  gpt2: [12, 12, 768],
  'gpt2-medium': [24, 16, 1024],
  'gpt2-large': [36, 20, 1280],
  'gpt2-xl': [48, 25, 1600],
};

function modelOf(fields: Fields, notes: PlanNote[]): ModelSource | null {
  const start = fields.text('init_from') ?? 'scratch';
  const published = entryOf(pretrained, start);
  if (published === undefined && !fields.has('n_layer', 'n_embd')) notes.push('default-model-sizes');
  const hasBias = published !== undefined || fields.flag('bias') === true;
  const [layers, heads, hidden] = published ?? [
    fields.integer('n_layer') ?? 12,
    fields.integer('n_head') ?? 12,
    fields.integer('n_embd') ?? 768,
  ];
  if (heads === 0 || hidden % heads !== 0) return null;
  const shape: DecoderShape = {
    vocabulary: published === undefined ? vocabularyOf(fields) : 50_257,
    hidden,
    layers,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: heads,
      headSize: hidden / heads,
      queryKeyValueBias: hasBias,
      outputBias: hasBias,
      queryKeyNorm: null,
      hasSinks: false,
    },
    feedForward: { width: 4 * hidden, isGated: false, hasBias },
    norm: { perLayer: 2, hasWeight: true, hasBias, hasFinal: true },
    positions: fields.integer('block_size') ?? 1024,
    isTied: true,
    headBias: false,
    experts: null,
  };
  return { kind: 'shape', shape, name: 'nanoGPT' };
}

/** `meta.pkl` of a dataset tells it, which is a pickle; only characters of Shakespeare are known. Else GPT-2's, rounded up to 64. */
function vocabularyOf(fields: Fields): number {
  const written = fields.integer('vocab_size', 'meta_vocab_size');
  return written ?? (fields.text('dataset') === 'shakespeare_char' ? 65 : 50_304);
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const interval = positive(fields.signedInteger('eval_interval'));
  const isStopped = isRefused(notes, fields, 'eval_interval');
  if (interval === undefined && !isStopped) notes.push('default-save-interval');
  if (fields.flag('always_save_checkpoint') === false) notes.push('saves-best');
  const steps = positive(fields.integer('max_iters'));
  if (steps === undefined) notes.push('default-steps');
  const microBatch = positive(fields.integer('batch_size')) ?? 12;
  return planOf({
    writer: 'nanogpt',
    steps: steps ?? 600_000,
    saveIntervalSteps: interval ?? (isStopped ? undefined : 2000),
    // One file, which the next save replaces.
    keep: 1,
    sequenceLength: positive(fields.integer('block_size')) ?? 1024,
    microBatch,
    // The steps are shared out among the ranks, so their number does not change the batch.
    globalBatch: product(microBatch, positive(fields.integer('gradient_accumulation_steps')) ?? 40),
    precision: precisionOf(fields.text('dtype')) ?? 'bf16',
    parameterDtype: 'f32',
    optimizer: 'adam',
    optimizerName: 'AdamW',
    outputFolder: fields.text('out_dir') ?? 'out',
    notes,
  });
}
