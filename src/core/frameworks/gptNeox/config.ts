/** GPT-NeoX yml (megatron/neox_arguments/*.py of EleutherAI/gpt-neox; modules of megatron/model). Keys are written with `-` or `_`. */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import { decoderTensors } from '../../configs/architectures/decoderTensors.js';
import { growingRun } from '../megatron/trainingLength.js';
import { curriculumOf } from '../deepspeed/curriculum.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { dashed } from '../../configs/values/dashed.js';
import { deepspeedPlan } from '../deepspeed/config.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive } from '../../configs/values/positive.js';

const telling = [
  'pipe_parallel_size',
  'model_parallel_size',
  'pos_emb',
  'no_weight_tying',
  'attention_config',
  'checkpoint_factor',
  'gpt_j_residual',
  'train_micro_batch_size_per_gpu',
];

export const gptNeox: ConfigKind = {
  id: 'gpt-neox',
  match({ document, fields: written }) {
    const fields = written.spelled(dashed);
    return (
      (document.syntax === 'yaml' || document.syntax === 'json') &&
      fields.has('num_layers') &&
      fields.has('hidden_size') &&
      fields.has(...telling) &&
      !fields.has('model_type', 'architectures')
    );
  },
  read(file) {
    const fields = file.fields.spelled(dashed);
    const notes: PlanNote[] = [];
    return { model: modelOf(fields, notes), plan: withCurriculum(fields, completePlan(planFrom(fields, notes)), notes) };
  },
};

/** Sequences that grow read fewer tokens (megatron/training.py, forward_step). */
function withCurriculum(fields: Fields, plan: TrainingPlan, notes: PlanNote[]): TrainingPlan {
  const curriculum = curriculumOf(fields);
  const { steps, globalBatch, sequenceLength: sequence } = plan;
  if (curriculum === null || steps === undefined || globalBatch === undefined || sequence === undefined) return plan;
  const stages = [{ from: 0, batch: globalBatch }];
  const run = curriculum === 'open' ? undefined : growingRun(stages, { curriculum, sequence }, { iterations: steps });
  notes.push(run === undefined ? 'lengths-not-followed' : 'lengths-grow');
  return run === undefined ? plan : { ...plan, maxTokens: run.tokens };
}

function modelOf(fields: Fields, notes: PlanNote[]): ModelSource | null {
  const hidden = fields.integer('hidden_size');
  const layers = fields.integer('num_layers');
  const heads = fields.integer('num_attention_heads');
  const vocabulary = vocabularyOf(fields, notes);
  if (hidden === undefined || layers === undefined || heads === undefined || heads === 0 || vocabulary === undefined) return null;
  if (isOtherBlock(fields)) return null;
  const positions = fields.text('pos_emb') ?? 'learned';
  const shape: DecoderShape = {
    vocabulary,
    hidden,
    layers,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: fields.integer('num_kv_heads') ?? heads,
      headSize: Math.floor(hidden / heads),
      queryKeyValueBias: fields.flag('use_bias_in_attn_linear') ?? true,
      outputBias: fields.flag('use_bias_in_attn_linear') ?? true,
      queryKeyNorm: null,
      hasSinks: false,
    },
    feedForward: feedForwardOf(fields, hidden),
    norm: {
      perLayer: fields.flag('gpt_j_residual') === true && fields.flag('gpt_j_tied') === true ? 1 : 2,
      hasWeight: true,
      hasBias: (fields.text('norm') ?? 'layernorm').endsWith('layernorm'),
      hasFinal: true,
    },
    positions: positions === 'learned' ? (fields.integer('max_position_embeddings') ?? 0) : 0,
    isTied: fields.flag('no_weight_tying') !== true,
    headBias: false,
    experts: null,
  };
  // StableEmbedding has a norm of its own (bitsandbytes/nn/modules.py).
  if (fields.flag('use_bnb_optimizer') === true && positions === 'learned')
    return {
      kind: 'tensors',
      tensors: decoderTensors(shape).norm('model.embed_positions.norm', hidden, { bias: true }),
      name: 'GPT-NeoX',
    };
  return { kind: 'shape', shape, name: 'GPT-NeoX' };
}

/** Mamba, RWKV and experts have other modules. */
function isOtherBlock(fields: Fields): boolean {
  const experts = fields.integer('moe_num_experts', 'num_experts') ?? 1;
  const blocks = fields.nestedTexts('attention_config');
  return experts > 1 || blocks.some((block) => /mamba|rwkv|gmlp/.test(block));
}

/**
 * A gate takes two thirds of the width for both halves together, so that each has a third; rounded up to `mlp_multiple_of`
 * (megatron/model/transformer.py, ParallelMLP). `mlp_type: llama` is the block of earlier versions: no biases, multiples of 256.
 */
function feedForwardOf(fields: Fields, hidden: number): DecoderShape['feedForward'] {
  const activation = fields.text('activation') ?? 'gelu';
  const isGated = activation.endsWith('glu');
  if (!isGated && fields.text('mlp_type') === 'llama')
    return { width: padded(Math.floor((2 * 4 * hidden) / 3), 256), isGated: true, hasBias: false };
  const whole = fields.integer('intermediate_size') ?? Math.floor((fields.number('expansion_factor') ?? 4) * hidden);
  const half = isGated ? Math.floor(Math.floor((whole * 2) / 3) / 2) : whole;
  const width = padded(half, Math.max(fields.integer('mlp_multiple_of') ?? 1, 1));
  return { width, isGated, hasBias: fields.flag('use_bias_in_mlp') ?? true };
}

function vocabularyOf(fields: Fields, notes: PlanNote[]): number | undefined {
  const whole = fields.integer('padded_vocab_size');
  if (whole !== undefined) return whole;
  const type = fields.text('tokenizer_type') ?? 'GPT2BPETokenizer';
  const file = fields.text('vocab_file') ?? '';
  // 20B_tokenizer.json has 50,277 tokens; GPT-2's 50,257.
  const size = /20B_tokenizer/.test(file) ? 50_277 : type === 'GPT2BPETokenizer' ? 50_257 : undefined;
  if (size === undefined) return undefined;
  notes.push(fields.has('tokenizer_type') ? 'vocabulary-of-tokenizer' : 'default-tokenizer', 'vocabulary-padded');
  const multiple = fields.integer('make_vocab_size_divisible_by') ?? 128;
  return padded(size, multiple * Math.max(fields.integer('model_parallel_size') ?? 1, 1));
}

/**
 * Adam of bitsandbytes (megatron/training.py, get_optimizer). Its StableEmbedding keeps its state in 32 bits, and is the class of learned positions alone
 * (megatron/model/word_embeddings.py).
 */
function bitsandbytesOf(fields: Fields): Partial<TrainingPlan> {
  if (fields.flag('use_bnb_optimizer') !== true) return {};
  return { ...optimizerPlan('adam8bit'), hasWideEmbeddingState: 'positions' };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const steps = positive(fields.integer('train_iters'));
  const isByPowers = fields.text('checkpoint_scale') === 'log';
  const interval = isByPowers ? undefined : positive(fields.signedInteger(...intervalKeys));
  const powers = isByPowers ? powersOf(fields.number(...intervalKeys) ?? 0, steps) : [];
  // 0 among them: before training (megatron/training.py, pretrain and is_save_iter).
  const extra = [...(fields.integers('extra_save_iters') ?? []), ...powers];
  // The folder is often in a config of the machine, which is given beside this one.
  if (!fields.has('save')) notes.push('save-folder-elsewhere');
  else if (interval === undefined && extra.length === 0) noteInterval(fields, isByPowers, notes);
  const engine = { ...deepspeedPlan(fields), ...bitsandbytesOf(fields) };
  const precision = precisionOf(fields.text('precision')) ?? engine.precision;
  return planOf({
    ...engine,
    writer: 'gpt-neox',
    steps,
    saveIntervalSteps: interval,
    extraSaveSteps: extra.length === 0 ? undefined : extra,
    // megatron/training.py, pretrain.
    lastSave: 'all',
    keep: positive(fields.integer('keep_last_n_checkpoints')) ?? null,
    sequenceLength: positive(fields.integer('seq_length')),
    globalBatch: engine.globalBatch ?? positive(fields.integer('train_batch_size')),
    microBatch: engine.microBatch ?? positive(fields.integer('train_micro_batch_size_per_gpu')),
    precision,
    parameterDtype: precision,
    tensorParallel: positive(fields.integer('model_parallel_size')) ?? 1,
    pipelineParallel: positive(fields.integer('pipe_parallel_size')) ?? 1,
    outputFolder: fields.text('save'),
    resumesFrom: fields.text('load'),
    notes,
  });
}

const intervalKeys = ['checkpoint_factor', 'save_interval'] as const;

/** It does not start without one (megatron/neox_arguments/arguments.py, validate_values), and saves when training ends at one of 0. */
function noteInterval(fields: Fields, isByPowers: boolean, notes: PlanNote[]): void {
  if (!fields.has(...intervalKeys)) notes.push('interval-required');
  else if (fields.number(...intervalKeys) === 0) notes.push('saves-at-end');
  else if (isByPowers) notes.push('interval-refused');
}

/** More of them are at nearly every step. */
const mostPowers = 10_000;

/** Iterations that are a power of the factor, rounded down (`checkpoint_scale: log`; megatron/training.py, is_save_iter). A factor of 1 or less is refused there. */
function powersOf(factor: number, steps = Number.MAX_SAFE_INTEGER): number[] {
  const powers = new Set<number>();
  if (factor <= 1) return [];
  for (let [power, count] = [1, 0]; power < steps + 1 && count < mostPowers; power *= factor, count++)
    powers.add(Math.floor(power));
  return [...powers];
}
