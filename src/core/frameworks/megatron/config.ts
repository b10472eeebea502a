/** Megatron-LM arguments in scripts and YAML (megatron/training/arguments.py): what pretrain_gpt.py builds of them. */
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import type { PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product, quotient } from '../../configs/plans/completePlan.js';
import { dashed } from '../../configs/values/dashed.js';
import { infersAlone } from '../../configs/document/otherPrograms.js';
import { servingOf } from '../../configs/plans/servingPlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import type { MegatronSizes } from './megatronSizes.js';
import { megatronTensors } from './megatronTensors.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { positive } from '../../configs/values/positive.js';
import { isNoInterval } from '../../configs/values/saveInterval.js';
import { gpt2Vocabulary, tokenizerVocabulary } from '../../configs/values/tokenizerVocabulary.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { type Curriculum, curriculumOf } from '../deepspeed/curriculum.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { trainingLength } from './trainingLength.js';
import { savedState, type StateSetting, stateSettingOf } from './savedState.js';
import { expertsOf, latentOf, parallelSizes, sharedState } from './transformerFields.js';

export const megatron: ConfigKind = {
  id: 'megatron',
  match({ document, fields }) {
    if (document.syntax !== 'shell' && document.syntax !== 'yaml') return false;
    const root = argumentsOf(fields);
    return (
      root.has('num_layers') &&
      root.has('hidden_size', 'encoder_num_layers') &&
      root.has('num_attention_heads', 'micro_batch_size', 'train_iters', 'seq_length') &&
      // `guess_file` is compared with another text, `retro_tasks` make data, nothing trains (tasks/msdp, tools/retro).
      !root.has('model_type', 'architectures', 'guess_file', 'retro_tasks')
    );
  },
  async read(file, access) {
    const notes: PlanNote[] = [];
    const model = modelOf(file, notes);
    if (isModelAlone(file)) return { model, plan: { notes: [...notes, 'model-alone'] } };
    const root = argumentsOf(file.fields);
    const curriculum = await curriculumFrom(root, file, access);
    if (curriculum === 'open') notes.push('lengths-not-followed');
    const plan = completePlan(planFrom(root, notes, curriculum === 'open' ? null : curriculum));
    // Evaluates alone (megatron/training/training.py, pretrain).
    const isServing = root.flag('skip_train') === true || infersAlone(file.document.programs);
    return { model, plan, serving: isServing ? servingFrom(root, plan) : undefined };
  },
};

/**
 * Of the file of `--deepspeed_config` (megatron/training.py of Megatron-DeepSpeed). Scripts write that as they run: those with settings of a curriculum have one.
 */
async function curriculumFrom(
  root: Fields,
  { text, document }: ConfigFile,
  access: ConfigAccess,
): Promise<Curriculum | 'open' | null> {
  if (root.flag('data_efficiency_curriculum_learning') === true) return 'open';
  const path = root.text('deepspeed_config');
  if (path === undefined || document.syntax !== 'shell') return null;
  const file = /[$<]/.test(path) ? null : await openBeside(path, access);
  if (file?.document.syntax === 'json' && file.document.problems.length === 0) return curriculumOf(file.fields);
  return /^[^#\n]{0,500}(?:CONFIG_CL_|_slw_|curriculum_learning)/m.test(text) ? 'open' : null;
}

/** megatron/training/arguments.py, _add_inference_args. */
function servingFrom(root: Fields, plan: TrainingPlan): ServingSettings {
  return {
    ...servingOf(plan),
    contextTokens: positive(root.integer('inference_max_seq_length')) ?? plan.sequenceLength,
    sequences: positive(root.integer('inference_max_requests', 'inference_max_batch_size')) ?? plan.microBatch,
  };
}

const trainingKeys = [
  ...['train_iters', 'train_samples', 'train_tokens', 'micro_batch_size', 'global_batch_size', 'lr', 'optimizer'],
  ...['save', 'save_interval', 'load', 'bf16', 'fp16', 'use_distributed_optimizer', 'data_path', 'mock_data'],
] as const;

/** Arguments that another script sources beside its own (slime, scripts/models): nothing here trains or saves. */
function isModelAlone({ document, fields }: ConfigFile): boolean {
  return document.syntax === 'shell' && document.programs.length === 0 && !fields.has(...trainingKeys);
}

/** Megatron-LM's own recipes have the flags as they are below `MODEL_ARGS` (tests/functional_tests). */
function argumentsOf(fields: Fields): Fields {
  return fields.at('MODEL_ARGS').keys.length > 0 ? fields.at('MODEL_ARGS').spelled(dashed) : fields;
}

/** Programs of Megatron-LM that build another model than a GPT. */
const others = /pretrain_(?:bert|t5|mamba|ict|retro|vision|vlm|realm)|train_vlm/;
/** A model of images beside the language model, which alone the other arguments describe (examples/multimodal/multimodal_args.py). */
const visionKeys = ['vision_model_type', 'language_model_type'] as const;

function modelOf({ fields, document, text }: ConfigFile, notes: PlanNote[]): ModelSource | null {
  if (document.programs.some((program) => others.test(program))) return null;
  const root = argumentsOf(fields);
  if (root.has(...visionKeys)) return null;
  return gptOf(root, notes, isPretrainGpt(root, { document, text }));
}

/**
 * The GPT that Megatron's arguments describe; null where sizes are missing, and for layers of other kinds.
 * @param hasDefaultTokenizer whether the tokenizer is GPT-2's unless another one is named
 */
export function gptOf(root: Fields, notes: PlanNote[], hasDefaultTokenizer = false): ModelSource | null {
  const sizes = sizesOf(root, notes, hasDefaultTokenizer);
  return sizes === null ? null : { kind: 'tensors', tensors: megatronTensors(sizes), name: 'GPT' };
}

function sizesOf(root: Fields, notes: PlanNote[], hasDefaultTokenizer: boolean): MegatronSizes | null {
  const hidden = root.integer('hidden_size');
  const layers = root.integer('num_layers');
  const heads = root.integer('num_attention_heads');
  const vocabulary = vocabularyOf(root, notes, hasDefaultTokenizer);
  if (hidden === undefined || layers === undefined || heads === undefined || heads === 0 || vocabulary === undefined) return null;
  // Layers of other kinds: delta nets, sparse attention by an index of keys, gates, modules that a function of the program's own builds.
  if (root.has('experimental_attention_variant', 'linear_attention_freq', 'linear_attention_type')) return null;
  if (!hasUsualLayers(root) || root.flag('attention_output_gate', 'use_gated_attention') === true) return null;
  if (root.has('hybrid_override_pattern', 'hybrid_layer_pattern') || root.flag('is_hybrid_model') === true) return null;
  const isGated = root.flag('swiglu') === true || root.flag('quick_geglu') === true || root.flag('geglu') === true;
  const width = root.integer('ffn_hidden_size') ?? (isGated ? Math.floor((4 * hidden * 2) / 3 / 64) * 64 : 4 * hidden);
  const experts = expertsOf(root, root.integer('num_experts'), { layers, width });
  if (experts === 'unreadable') return null;
  return {
    vocabulary,
    hidden,
    layers,
    heads,
    groups: root.flag('group_query_attention') === true ? (root.integer('num_query_groups') ?? 1) : heads,
    headSize: root.integer('kv_channels') ?? Math.floor(hidden / heads),
    width,
    isGated,
    positions: positionsOf(root),
    hasBias: root.flag('add_bias_linear') ?? root.flag('disable_bias_linear') !== true,
    hasQueryKeyValueBias: root.flag('add_qkv_bias') === true,
    hasNormBias: (root.text('normalization') ?? 'LayerNorm').toLowerCase() === 'layernorm',
    hasQueryKeyNorm: root.flag('qk_layernorm') === true,
    hasSinks: root.text('softmax_type') === 'learnable',
    isTied: !(root.flag('untie_embeddings_and_output_weights') ?? false),
    latent: latentOf(root, 32),
    experts,
    predictionLayers: root.integer('mtp_num_layers') ?? 0,
    hasEmbeddingNorm: root.flag('embed_layernorm') === true,
    // GLM-4's, in the Megatron-LM that slime patches (docker/patch/latest/megatron.patch).
    hasAttentionPostNorm: root.flag('post_self_attn_layernorm') === true,
    hasPerceptronPostNorm: root.flag('post_mlp_layernorm') === true,
  };
}

/** Modules whose functions for `--spec` build the layers that the other arguments describe (slime_plugins/models/glm4.py). */
const usualSpecs: ReadonlySet<string> = new Set(['slime_plugins.models.glm4']);

function hasUsualLayers(root: Fields): boolean {
  const [module] = root.texts('spec') ?? [];
  return !root.has('spec') || (module !== undefined && usualSpecs.has(module));
}

/** Padded to a multiple of 128 for each tensor-parallel rank (megatron/training/tokenizer, vocab_size_with_padding). */
function vocabularyOf(root: Fields, notes: PlanNote[], hasDefaultTokenizer: boolean): number | undefined {
  const whole = root.integer('padded_vocab_size', 'pad_vocab_size_to');
  if (whole !== undefined) return whole;
  let written = root.integer('vocab_size');
  if (written === undefined) {
    written =
      tokenizerVocabulary(root.text('tokenizer_type')) ??
      tokenizerVocabulary(root.text('tokenizer_model', 'tokenizer_name_or_path'));
    if (written === undefined && hasDefaultTokenizer) {
      written = gpt2Vocabulary;
      notes.push('default-tokenizer');
    } else if (written !== undefined) notes.push('vocabulary-of-tokenizer');
  }
  if (written === undefined || written === 0) return undefined;
  const multiple =
    (root.integer('make_vocab_size_divisible_by') ?? 128) * Math.max(root.integer('tensor_model_parallel_size') ?? 1, 1);
  const vocabulary = padded(written, multiple);
  if (vocabulary !== written) notes.push('vocabulary-padded');
  return vocabulary;
}

/**
 * Whether pretrain_gpt.py reads these arguments and no tokenizer is named, which then is GPT-2's (its `args_defaults`). A recipe has no program: files of GPT-2's vocabulary tell
 * it. Scripts that choose a tokenizer by a condition name one somewhere.
 */
function isPretrainGpt(root: Fields, { document, text }: Pick<ConfigFile, 'document' | 'text'>): boolean {
  if (/tokenizer[-_](?:type|model|name)/.test(text)) return false;
  return document.programs.length === 0
    ? /gpt2|bpe/i.test(root.text('vocab_file') ?? '')
    : document.programs.some((program) => /pretrain_gpt\b/.test(program));
}

/** Positions are learned unless another kind is asked for. */
function positionsOf(root: Fields): number {
  const kind =
    root.flag('use_rotary_position_embeddings') === true ? 'rope' : (root.text('position_embedding_type') ?? 'learned_absolute');
  const isLearned = kind === 'learned_absolute' || kind === 'absolute';
  if (!isLearned || root.flag('no_position_embedding') === true) return 0;
  return root.integer('max_position_embeddings') ?? root.integer('seq_length') ?? 0;
}

function planFrom(root: Fields, notes: PlanNote[], curriculum: Curriculum | null): TrainingPlan {
  const precision = root.flag('bf16') === true ? 'bf16' : root.flag('fp16') === true ? 'f16' : 'f32';
  const launch = launchPlan(root);
  const microBatch = positive(root.integer('micro_batch_size'));
  if (!root.has('optimizer')) notes.push('default-optimizer');
  const plan = planOf({
    writer: 'megatron',
    ...launch,
    ...savingOf(root, notes),
    // Beside images `--seq-length` is theirs.
    sequenceLength: positive(
      root.has(...visionKeys) ? root.integer('decoder_seq_length') : root.integer('seq_length', 'encoder_seq_length'),
    ),
    microBatch,
    ...trainedIn(root, precision),
    zeroStage: root.flag('deepspeed') === true ? root.integer('zero_stage') : undefined,
    ...shardingOf(root),
    ...parallelSizes(root),
    savesOptimizer: root.flag('no_save_optim') === true ? false : undefined,
    outputFolder: root.text('save'),
    resumesFrom: root.text('load'),
    notes,
  });
  // Without a global batch it is one micro batch a rank (arguments.py, validate_args).
  const { dataParallel } = completePlan(plan);
  const batch = positive(root.integer('global_batch_size')) ?? product(microBatch, dataParallel);
  // Instances of the distributed optimizer are replicas of its shards.
  const instances = positive(root.integer('num_distributed_optimizer_instances')) ?? 1;
  const length = trainingLength(root, planOf({ globalBatch: batch, sequenceLength: plan.sequenceLength }), notes, curriculum);
  return planOf({ ...plan, ...length, shardDegree: instances > 1 ? quotient(dataParallel, instances) : undefined });
}

/**
 * What weights and the optimizer's state are saved in.
 * @param setting where the arguments beside the optimizer's do not have it
 */
export function trainedIn(root: Fields, precision: Precision, setting: StateSetting = stateSettingOf(root)): TrainingPlan {
  return planOf({
    precision,
    parameterDtype: precision,
    hasMasterWeights: precision === 'f32' ? undefined : true,
    ...savedState(root, precision, setting),
    ...optimizerOf(root),
  });
}

const intervalKeys = ['save_interval', 'persistent_save_interval'] as const;

/** Without an interval it does not start, nor at one of 0 (megatron/training/arguments.py, validate_args), at which Megatron-DeepSpeed saves when training ends. */
function noteInterval(root: Fields, notes: PlanNote[]): void {
  if (!root.has(...intervalKeys)) notes.push('interval-required');
  else if (isNoInterval(root, ...intervalKeys)) notes.push(root.flag('deepspeed') === true ? 'saves-at-end' : 'interval-refused');
}

function savingOf(root: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const interval = positive(root.signedInteger(...intervalKeys));
  const retained = positive(root.integer('save_retain_interval'));
  const newest = positive(root.signedInteger('most_recent_k'));
  if (!root.has('save')) notes.push('saves-never');
  else noteInterval(root, notes);
  const temporarySave = temporarySaveOf(root);
  if (temporarySave !== undefined || isMultiLevel(root)) notes.push('ephemeral-checkpoints');
  const saveMode = isMultiLevel(root) ? 'multi-level' : saveModeOf(root.flag('async_save'));
  // When training ends, too (megatron/training/training.py, pretrain).
  const saving: Partial<TrainingPlan> = {
    ...planOf({ saveIntervalSteps: interval, saveMode, temporarySave: root.has('save') ? temporarySave : undefined }),
    ...(root.has('save') ? { lastSave: 'all' } : {}),
  };
  return planOf(retained === undefined ? { ...saving, keep: newest ?? null } : { ...saving, keep: 1, keepEverySteps: retained });
}

/**
 * More checkpoints on the same storage, `non_persistent` below `--save` or a folder of their own. Without a type none can be saved.
 * @param keep how many are there: Megatron-LM removes all but the newest before it writes the next (training/checkpointing.py, cleanup_old_non_persistent_checkpoint)
 */
export function temporarySaveOf(root: Fields, keep = 2): TrainingPlan['temporarySave'] {
  const interval = positive(root.integer('non_persistent_save_interval'));
  const isHere = interval !== undefined && root.text('non_persistent_ckpt_type') === 'global';
  return isHere ? { saveIntervalSteps: interval, keep } : undefined;
}

/** More checkpoints in the memory or on the drives of the nodes, between those on shared storage. */
function isMultiLevel(root: Fields): boolean {
  return (
    positive(root.integer('non_persistent_save_interval')) !== undefined &&
    ['local', 'in_memory'].includes(root.text('non_persistent_ckpt_type') ?? '')
  );
}

/** PyTorch's FSDP2, or what Megatron's own distributed data parallelism shares. */
function shardingOf(root: Fields): Partial<TrainingPlan> {
  if (root.flag('use_torch_fsdp2') === true) return { sharding: 'weights' };
  return sharedState(root);
}

function optimizerOf(root: Fields): Partial<TrainingPlan> {
  const name = root.text('optimizer') ?? 'adam';
  // `--sgd-momentum` is 0.9 by default.
  return optimizerPlan(name, name === 'sgd' ? (root.number('sgd_momentum') ?? 0.9) : undefined);
}
