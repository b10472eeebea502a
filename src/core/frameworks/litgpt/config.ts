/** LitGPT YAML (litgpt/config.py for the model, litgpt/args.py for training, litgpt/model.py for the modules). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, AdapterRole, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive, wholeNumber } from '../../configs/values/positive.js';
import { isNoInterval } from '../../configs/values/saveInterval.js';

export const litgpt: ConfigKind = {
  id: 'litgpt',
  match: ({ fields }) =>
    isModelConfig(fields) ||
    isModelConfig(fields.at('model_config')) ||
    ((fields.has('model_name', 'checkpoint_dir') || fields.has('model_config')) &&
      fields.at('train').has('save_interval', 'global_batch_size', 'max_tokens', 'lr_warmup_steps')),
  read: ({ fields }) => ({ model: modelOf(fields), plan: completePlan(planFrom(fields)) }),
};

/** `model_config.yaml`, which LitGPT writes beside its checkpoints. */
function isModelConfig(fields: Fields): boolean {
  return fields.has('n_embd') && fields.has('n_layer') && fields.has('padded_vocab_size', 'norm_class_name', 'mlp_class_name');
}

function modelOf(fields: Fields): ModelSource | null {
  const config = isModelConfig(fields) ? fields : fields.at('model_config');
  if (config.has('n_embd')) return shapeOf(config, fields.at('train').flag('tie_embeddings') === true);
  const key = ['model_name', 'checkpoint_dir'].find((name) => fields.has(name));
  const name = key === undefined ? undefined : fields.text(key);
  if (key === undefined || name === undefined) return null;
  // Its GPT has an output layer of its own, into which converted checkpoints copy a tied embedding (litgpt/model.py).
  const isTied = fields.at('train').flag('tie_embeddings') === true;
  return { kind: 'named', name: name.replace(/^checkpoints\//, ''), key, instead: { tie_word_embeddings: isTied } };
}

function shapeOf(config: Fields, isTied: boolean): ModelSource | null {
  const hidden = config.integer('n_embd') ?? 4096;
  const layers = config.integer('n_layer') ?? 16;
  const heads = config.integer('n_head') ?? 32;
  const mlp = config.text('mlp_class_name') ?? 'GptNeoxMLP';
  const isGated = mlp === 'LLaMAMLP' || mlp === 'GemmaMLP' || mlp === 'LLaMAMoE';
  const width = config.integer('intermediate_size') ?? (isGated ? undefined : 4 * hidden);
  const hasBias = config.flag('bias') ?? true;
  const experts = config.integer('n_expert') ?? 0;
  // DeepSeek's layers are not among the sizes below.
  if (width === undefined || config.at('latent_attention').keys.length > 0) return null;
  const perLayer =
    (config.flag('shared_attention_norm') === true ? 1 : 2) +
    (config.flag('post_attention_norm') === true ? 1 : 0) +
    (config.flag('post_mlp_norm') === true ? 1 : 0);
  const feedForward = { width, isGated, hasBias };
  const shape: DecoderShape = {
    vocabulary:
      config.integer('padded_vocab_size') ??
      padded(config.integer('vocab_size') ?? 50254, config.integer('padding_multiple') ?? 512),
    hidden,
    layers,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: config.integer('n_query_groups') ?? heads,
      headSize: config.integer('head_size') ?? Math.floor(hidden / Math.max(heads, 1)),
      queryKeyValueBias: config.flag('attn_bias') ?? hasBias,
      outputBias: hasBias,
      queryKeyNorm: config.flag('norm_qk') === true ? (config.text('norm_qk_type') === 'olmo2' ? 'full' : 'head') : null,
      hasSinks: false,
    },
    feedForward,
    norm: { perLayer, hasWeight: true, hasBias: (config.text('norm_class_name') ?? 'LayerNorm') === 'LayerNorm', hasFinal: true },
    positions: 0,
    isTied,
    headBias: config.flag('lm_head_bias') ?? false,
    experts:
      mlp !== 'LLaMAMoE'
        ? null
        : {
            count: experts,
            active: config.integer('n_expert_per_token') ?? 0,
            width: config.integer('moe_intermediate_size') ?? width,
            isGated: true,
            layers,
            sharedWidth: 0,
            hasSharedGate: false,
            routerBias: false,
            expertBias: hasBias,
          },
  };
  return { kind: 'shape', shape, name: config.text('name') ?? 'LitGPT' };
}

/** Only the adapter's matrices are saved, never an optimizer (litgpt/finetune/lora.py, save_lora_checkpoint); in `final/` they are merged as well (merge_lora). */
function adapterOf(
  fields: Fields,
  notes: PlanNote[],
): Pick<TrainingPlan, 'adapter' | 'savesOptimizer' | 'loadBits' | 'mergesAtEnd'> {
  if (!fields.has('lora_r')) return {};
  if (!notes.includes('interval-refused')) notes.push('merged-and-counted');
  const roles = loraModules.filter(([key, , isUsual]) => fields.flag(key) ?? isUsual).map(([, role]) => role);
  const adapter: AdapterPlan = { kind: 'lora', rank: fields.integer('lora_r') ?? 8, targets: [], roles };
  const quantized = fields.text('quantize') ?? '';
  const loadBits = /nf4|fp4/.test(quantized) ? 4 : /int8/.test(quantized) ? 8 : undefined;
  return { adapter, savesOptimizer: false, mergesAtEnd: true, ...(loadBits === undefined ? {} : { loadBits }) };
}

/** Its switches, what they adapt, and its defaults (litgpt/finetune/lora.py). */
const loraModules: readonly [string, AdapterRole, boolean][] = [
  ['lora_query', 'query', true],
  ['lora_key', 'key', false],
  ['lora_value', 'value', true],
  ['lora_projection', 'output', false],
  ['lora_mlp', 'mlp', false],
  ['lora_head', 'head', false],
];

/** 1000 by default (litgpt/pretrain.py and finetune); null saves at the end alone. */
function intervalOf(fields: Fields, notes: PlanNote[]): number | undefined {
  const train = fields.at('train');
  const written = positive(train.signedInteger('save_interval'));
  if (written !== undefined || !fields.has('train')) return written;
  if (isNoInterval(train, 'save_interval')) {
    notes.push('interval-refused');
    return undefined;
  }
  const isDefault = !train.has('save_interval');
  notes.push(isDefault ? 'default-save-interval' : 'saves-at-end');
  return isDefault ? 1000 : undefined;
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const train = fields.at('train');
  const interval = intervalOf(fields, notes);
  // Finetuning ends with the model alone (litgpt/finetune/full.py).
  const isFinetuning = fields.has('checkpoint_dir');
  const precision = fields.scalar('precision');
  const computed = typeof precision === 'boolean' ? undefined : precisionOf(precision);
  const optimizer = fields.scalar('optimizer') ?? fields.at('optimizer').text('class_path');
  return planOf({
    writer: 'litgpt',
    steps: positive(train.integer('max_steps')),
    epochs: positive(train.number('epochs')),
    maxTokens: positive(train.integer('max_tokens')),
    saveIntervalSteps: interval,
    keep: null,
    // `final/` (litgpt/pretrain.py and finetune/*.py).
    ...adapterOf(fields, notes),
    endFolder: !fields.has('train', 'out_dir') ? undefined : isFinetuning ? 'weights' : 'all',
    sequenceLength:
      positive(train.integer('max_seq_length')) ??
      positive(fields.at('model_config').integer('block_size')) ??
      positive(fields.at('data', 'init_args').integer('max_seq_length')),
    globalBatch: positive(train.integer('global_batch_size')),
    microBatch: positive(train.integer('micro_batch_size')),
    precision: computed,
    // `-true` keeps everything in it, `-mixed` keeps 32-bit parameters (Lightning Fabric's precision plugins).
    parameterDtype:
      typeof precision === 'string' && precision.endsWith('-true') ? computed : computed === undefined ? undefined : 'f32',
    ...optimizerPlan(typeof optimizer === 'string' ? optimizer : undefined),
    gpusPerNode: wholeNumber(fields.scalar('devices')),
    nodes: positive(fields.integer('num_nodes')) ?? (fields.has('devices') ? 1 : undefined),
    outputFolder: fields.text('out_dir'),
    notes,
  });
}
