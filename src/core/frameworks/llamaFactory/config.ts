/** LLaMA-Factory (llamafactory/hparams/*.py): the Trainer's arguments, and its own beside them. */
import type { ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import type { ModelPart } from '../../configs/architectures/modelParts.js';
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { valueHeadName } from '../../configs/trainedHead.js';
import type { TrainedLayers } from '../../configs/trainedLayers.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import { positive } from '../../configs/values/positive.js';
import { batchDefaults, trainerPlan } from '../huggingFace/trainerPlan.js';
import { blockwise } from './blockwise.js';
import { backendOf, backendPlan } from './megatronBackends.js';
import { asksToTrain, trainsNothing } from './trainsNothing.js';

export const llamaFactory: ConfigKind = {
  id: 'llama-factory',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json' || document.syntax === 'shell') &&
    fields.has('model_name_or_path') &&
    fields.has('finetuning_type', 'stage', 'template') &&
    fields.has('cutoff_len', 'dataset', 'finetuning_type', 'template', 'do_train') &&
    !exportsAlone(fields),
  async read({ fields }, access) {
    const name = fields.text('model_name_or_path');
    const trainer = await trainerPlan(fields, access);
    const notes: PlanNote[] = [...(batchDefaults(trainer, fields).notes ?? [])];
    const isServing = trainsNothing(fields);
    if (!isServing && !asksToTrain(fields)) notes.push('trains-if-asked');
    const plan = planOf({
      ...trainer,
      ...launchPlan(fields),
      ...batchDefaults(trainer, fields),
      // `trainer.save_model()` (llamafactory/train/*/workflow.py).
      endFolder: backendOf(fields) === undefined ? 'weights' : undefined,
      // PPO generates its answers to prompts of that length.
      sequenceLength: fields.text('stage') === 'ppo' ? undefined : (positive(fields.integer('cutoff_len')) ?? 2048),
      ...tuning(fields, trainer, notes),
      ...projected(fields),
      ...blockwise(fields, trainer, notes),
      ...backendPlan(fields, trainer, notes),
      notes,
    });
    return {
      model: name === undefined ? null : { kind: 'named', name, key: 'model_name_or_path', hasValueHead: hasValueHead(fields) },
      plan: completePlan(plan),
      serving: isServing ? servingFrom(fields, trainer) : undefined,
    };
  },
};

/** Scales are quantized as well unless `double_quantization` is off (llamafactory/hparams/model_args.py). */
function quantizationOf(fields: Fields, bits: number | undefined): ServingSettings['quantization'] {
  if (bits === 8) return 'bnb-8bit';
  return bits === 4 ? (fields.flag('double_quantization') === false ? 'bnb-4bit' : 'bnb-double') : undefined;
}

/** llamafactory/hparams/model_args.py and parser.py (get_infer_args): `infer_dtype`, else the precision of an evaluation, else that of the model. */
function servingFrom(fields: Fields, { precision }: TrainingPlan): ServingSettings {
  const bits = fields.integer('quantization_bit');
  return {
    contextTokens: positive(fields.integer('vllm_maxlen', 'sglang_maxlen', 'cutoff_len')),
    sequences: positive(fields.integer('per_device_eval_batch_size', 'batch_size')),
    dtype: precisionOf(fields.text('infer_dtype')) ?? (precision === 'f32' ? undefined : precision),
    quantization: quantizationOf(fields, bits),
    leavesExperts: true,
  };
}

/** Reward models and policies of PPO have one (llamafactory/train/rm and ppo: `add_valuehead`), in a file beside model or adapter (FixValueHeadModelCallback). */
function hasValueHead(fields: Fields): boolean {
  return ['rm', 'ppo'].includes(fields.text('stage') ?? '');
}

/** Neither trains nor serves (llamafactory-cli export). */
function exportsAlone(fields: Fields): boolean {
  return fields.has('export_dir') && !fields.has('do_train', 'output_dir', 'dataset');
}

function tuning(fields: Fields, trainer: TrainingPlan, notes: PlanNote[]): Partial<TrainingPlan> {
  const type = fields.text('finetuning_type') ?? 'lora';
  const bits = fields.integer('quantization_bit');
  if (!fields.has('cutoff_len') && fields.text('stage') !== 'ppo') notes.push('default-sequence');
  if (type === 'freeze') notes.push('partly-frozen');
  // llamafactory/model/patcher.py, patch_tokenizer.
  if (fields.flag('resize_vocab') === true || fields.has('add_tokens', 'add_special_tokens', 'new_special_tokens_config'))
    notes.push('vocabulary-may-grow');
  const adapter = type === 'lora' ? adapterFrom(fields) : type === 'oft' ? orthogonalFrom(fields) : undefined;
  const parameterDtype = trainer.parameterDtype ?? parameterDtypeOf(fields, trainer);
  const trainedLayers = type === 'freeze' ? trainedLayersOf(fields) : undefined;
  // All of it at once: blocks that take turns leave nothing frozen.
  const isWhole = adapter === undefined && type !== 'freeze' && fields.flag('use_badam') !== true;
  return planOf({
    adapter,
    loadBits: bits === 4 || bits === 8 ? bits : fields.flag('load_in_4bit') === true ? 4 : undefined,
    parameterDtype,
    trainedLayers,
    frozenParts: isWhole ? frozenParts(fields) : undefined,
    frozenDtype: (trainedLayers !== undefined || isWhole) && parameterDtype === 'f32' ? trainer.precision : undefined,
  });
}

/** Parts of a multimodal model (llamafactory/hparams/finetuning_args.py); what reads images, and its projector, are frozen unless it is set. */
function frozenParts(fields: Fields): ModelPart[] {
  return [
    ...(fields.flag('freeze_language_model') === true ? (['language'] as const) : []),
    ...(fields.flag('freeze_vision_tower') === false ? [] : (['tower'] as const)),
    ...(fields.flag('freeze_multi_modal_projector') === false ? [] : (['projector'] as const)),
  ];
}

const projecting = ['galore', 'apollo'] as const;

/**
 * Optimizers of gradients that are projected, of rank 16 unless it is set. Those that step layer by layer are behind an optimizer of nothing, so that no state
 * of theirs is saved (llamafactory/train/trainer_utils.py, DummyOptimizer).
 */
function projected(fields: Fields): Partial<TrainingPlan> {
  const used = projecting.find((name) => fields.flag(`use_${name}`) === true);
  if (used === undefined) return {};
  const isOf8Bits = used === 'galore' && /8bit/.test(fields.text('optim') ?? '');
  return planOf({
    optimizer: isOf8Bits ? 'galore-8bit' : used,
    optimizerName: used === 'galore' ? 'GaLore' : 'APOLLO',
    projectionRank: positive(fields.integer(`${used}_rank`)) ?? 16,
    savesOptimizer: fields.flag(`${used}_layerwise`) === true ? false : undefined,
  });
}

/**
 * As many of the last layers, of the first ones where the number is negative, or of those that LLaMA Pro put in between (llamafactory/model/adapter.py,
 * _setup_freeze_tuning), with the modules beside the layers that are named.
 */
function trainedLayersOf(fields: Fields): TrainedLayers | undefined {
  const listed = (key: string): string[] =>
    (fields.texts(key) ?? []).flatMap((text) => text.split(',')).map((name) => name.trim());
  const extra = listed('freeze_extra_modules');
  // What is frozen of a multimodal model unless it is set; which of it is trained otherwise is not counted.
  const isOfLanguage = frozenParts(fields).join() === 'tower,projector';
  const count = Math.abs(fields.signedInteger('freeze_trainable_layers') ?? 2);
  const names = fields.has('freeze_trainable_modules') ? listed('freeze_trainable_modules') : ['all'];
  if (count === 0) return undefined;
  return {
    count,
    ...(isOfLanguage ? { isOfLanguage } : {}),
    ...(names.includes('all') ? {} : { modules: names }),
    ...(extra.length === 0 ? {} : { extra }),
  };
}

/** What is trained is kept in 32 bits unless `pure_bf16` (llamafactory/model/adapter.py, "Upcasting trainable params"). */
function parameterDtypeOf(fields: Fields, { precision, writer, zeroStage }: TrainingPlan): Precision | undefined {
  if (fields.flag('pure_bf16') === true) return 'bf16';
  return writer === 'deepspeed' || (zeroStage ?? 0) > 0 ? undefined : precision === undefined ? undefined : 'f32';
}

function adapterFrom(fields: Fields): AdapterPlan {
  const adapter = namedAdapter(fields);
  const whole = hasValueHead(fields) ? { savedModules: [...(adapter.savedModules ?? []), valueHeadName] } : {};
  return { ...adapter, ...whole, frozenParts: frozenParts(fields) };
}

function namedAdapter(fields: Fields): AdapterPlan {
  return adapterOf(
    fields,
    {
      rank: ['lora_rank'],
      alpha: ['lora_alpha'],
      targets: ['lora_target'],
      saved: ['additional_target'],
      dora: ['use_dora'],
    },
    { rank: 8, targets: ['all-linear'] },
  );
}

/** On the modules that `lora_target` names, as of LoRA: `oft_target` is read and not used (llamafactory/model/adapter.py, _setup_lora_tuning). */
function orthogonalFrom(fields: Fields): AdapterPlan {
  const { targets, savedModules } = adapterFrom(fields);
  return {
    kind: 'oft',
    rank: fields.integer('oft_rank') ?? 0,
    blockSize: fields.integer('oft_block_size') ?? 32,
    targets,
    frozenParts: frozenParts(fields),
    ...(savedModules === undefined ? {} : { savedModules }),
  };
}
