/** ms-swift (swift/arguments/*.py, docs Command-line-parameters): the Trainer's arguments under its own defaults, and its own beside them. */
import type { ConfigFile, ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { inferringCommands, infersAlone } from '../../configs/document/otherPrograms.js';
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import type { TrainingStep } from '../../configs/trainedSteps.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { rewardHead, type TrainedHead } from '../../configs/trainedHead.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { trainerDefaults, trainerPlan } from '../huggingFace/trainerPlan.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import { tokenCount } from '../../configs/values/tokenCount.js';
import { frozenParts } from './frozenParts.js';
import { hasMegatronArguments, megatronReading } from './onMegatron.js';

/** What of ms-swift trains, and what answers or is measured; `export` does neither. */
const training = ['sft', 'pt', 'rlhf'] as const;
const serving = inferringCommands.swift;
const commands: ReadonlySet<string> = new Set([...training, ...serving]);

/** Its own DeepSpeed files (swift/config/zero*.json), of which that of stage 3 gathers the weights. */
const engines: Readonly<Record<string, TrainingPlan>> = Object.fromEntries(
  [0, 1, 2, 3].flatMap((zeroStage) => {
    const engine: TrainingPlan = { writer: 'deepspeed', zeroStage, ...(zeroStage === 3 ? { gathersWeights: true } : {}) };
    return [`zero${zeroStage}`, `zero${zeroStage}_offload`].map((name) => [name, engine]);
  }),
);

/** `swift sft`, or its file under a launcher: `deepspeed swift/cli/sft.py`. */
function isSwift(programs: readonly string[], name: string, folder: string): boolean {
  const isFile = (program: string): boolean => [...commands].some((command) => program.endsWith(`${folder}/${command}.py`));
  return programs.some(isFile) || (programs.includes(name) && programs.some((program) => commands.has(program)));
}

/** `megatron sft`, or YAML with Megatron's arguments beside those of ms-swift. */
function isOnMegatron({ document, fields }: Pick<ConfigFile, 'document' | 'fields'>): boolean {
  return document.syntax === 'shell'
    ? isSwift(document.programs, 'megatron', 'swift/cli/_megatron')
    : fields.text('model') !== undefined && fields.has('dataset') && hasMegatronArguments(fields);
}

export const msSwift: ConfigKind = {
  id: 'ms-swift',
  match: ({ document, fields }) =>
    (document.syntax === 'shell'
      ? isSwift(document.programs, 'swift', 'swift/cli') && (!isServed(document.programs) || hasModel(fields))
      : fields.has('tuner_type', 'train_type') && fields.has('model') && fields.has('dataset')) ||
    isOnMegatron({ document, fields }),
  async read({ document, fields }, access) {
    if (isOnMegatron({ document, fields })) return megatronReading(fields, headOf(fields));
    const name = fields.text('model', 'model_id_or_path');
    const trainer = await trainerPlan(fields, access, { ...trainerDefaults, engines });
    const notes: PlanNote[] = [...(trainer.notes ?? [])];
    return {
      model:
        name === undefined
          ? null
          : { kind: 'named', name, key: fields.has('model') ? 'model' : 'model_id_or_path', head: headOf(fields) },
      plan: completePlan(planOf({ ...trainer, ...launchPlan(fields), ...ownPlan(fields, trainer, notes), notes })),
      serving: isServed(document.programs) ? servingFrom(fields) : undefined,
    };
  },
};

function isServed(programs: readonly string[]): boolean {
  return infersAlone(programs) || programs.some((program) => serving.some((one) => program.endsWith(`swift/cli/${one}.py`)));
}

/** Else what is served is an adapter, whose base its own config names. */
function hasModel(fields: Fields): boolean {
  return fields.has('model', 'model_id_or_path');
}

/** swift/arguments/infer_args.py: engines have options of their own. */
function servingFrom(fields: Fields): ServingSettings {
  const bits = fields.integer('quant_bits');
  const isDouble = fields.flag('bnb_4bit_use_double_quant') !== false;
  return {
    contextTokens: tokenCount(fields, 'vllm_max_model_len', 'sglang_context_length', 'max_model_len'),
    sequences: positive(fields.integer('vllm_max_num_seqs', 'max_batch_size')),
    dtype: precisionOf(fields.text('torch_dtype')),
    // Scales are quantized as well unless it is off (swift/arguments/base_args/quant_args.py).
    quantization: bits === 8 ? 'bnb-8bit' : bits !== 4 ? undefined : isDouble ? 'bnb-double' : 'bnb-4bit',
    leavesExperts: true,
  };
}

/** What trains on answers that it generates: `max_length` is of prompts. */
const generates: ReadonlySet<string> = new Set(['grpo', 'ppo', 'gkd']);

/** swift/arguments/rlhf_args.py, _init_rm, and `task_type` of model_args.py. */
function headOf(fields: Fields): TrainedHead | undefined {
  if (fields.text('rlhf_type') === 'rm') return rewardHead;
  if (fields.text('task_type') !== 'seq_cls') return undefined;
  return { task: 'SequenceClassification', labels: positive(fields.integer('num_labels')) ?? null };
}

function ownPlan(fields: Fields, trainer: TrainingPlan, notes: PlanNote[]): Partial<TrainingPlan> {
  const type = fields.text('tuner_type', 'train_type') ?? 'lora';
  const dtype = precisionOf(fields.text('torch_dtype')) ?? 'bf16';
  const bits = fields.integer('quant_bits');
  if (!fields.has('per_device_train_batch_size')) notes.push('default-batch');
  if (!fields.has('torch_dtype')) notes.push('default-precision');
  if (type === 'full' && isPartlyFrozen(fields)) notes.push('partly-frozen');
  return planOf({
    microBatch: trainer.microBatch ?? 1,
    // The model is loaded and trained in it; FSDP keeps what is trained in 32 bits (see accelerate).
    precision: trainer.precision ?? dtype,
    parameterDtype: trainer.zeroStage !== undefined ? undefined : trainer.writer === 'fsdp' ? 'f32' : trainedDtype(type, dtype),
    adapterCast: adapterCast(fields, trainer),
    sequenceLength: generates.has(fields.text('rlhf_type') ?? '') ? undefined : positive(fields.integer('max_length')),
    adapter: type === 'full' ? undefined : adapterFrom(fields, type),
    frozenParts: type === 'full' ? frozenParts(fields) : undefined,
    trainingSteps: type === 'full' ? stepsOf(fields) : undefined,
    loadBits: bits === 4 || bits === 8 ? bits : undefined,
  });
}

const byPattern = ['freeze_parameters_ratio', 'freeze_parameters_regex', 'trainable_parameters_regex'] as const;

function isPartlyFrozen(fields: Fields): boolean {
  const isSet = ['freeze_llm', 'freeze_vit', 'freeze_aligner'].some((key) => fields.flag(key) === true);
  return isSet || isByPattern(fields) || fields.has('freeze_parameters');
}

function isByPattern(fields: Fields): boolean {
  return byPattern.some((key) => fields.has(key) && !fields.isNull(key) && fields.number(key) !== 0);
}

/** Beginnings of names, those that are trained again after those that are frozen (swift/pipelines/train/tuner.py, prepare_model). */
function stepsOf(fields: Fields): TrainingStep[] | undefined {
  const frozen = fields.texts('freeze_parameters') ?? [];
  const hasParts = ['freeze_llm', 'freeze_vit', 'freeze_aligner'].some((key) => fields.has(key));
  if (frozen.length === 0 || hasParts || isByPattern(fields)) return undefined;
  const step = (texts: readonly string[], isTrained: boolean): TrainingStep[] =>
    texts.length === 0 ? [] : [{ isTrained, path: '', names: { texts, at: 'start', isOther: false } }];
  return [...step(frozen, false), ...step(fields.texts('trainable_parameters') ?? [], true)];
}

/** Beside an adapter, modules that are trained in fp16 are cast (swift/pipelines/train/tuner.py, prepare_model). */
function trainedDtype(type: string, dtype: Precision): Precision {
  return type !== 'full' && dtype === 'f16' ? 'f32' : dtype;
}

/** `lora_dtype` stays, but fp16, which is cast as above, and what FSDP casts (swift/tuners/peft.py, _cast_adapter_dtype_hook). */
function adapterCast(fields: Fields, { writer }: TrainingPlan): TrainingPlan['adapterCast'] {
  const dtype = precisionOf(fields.text('lora_dtype'));
  return dtype === undefined || dtype === 'f16' || writer === 'fsdp' ? undefined : { dtype, by: 'config' };
}

function adapterFrom(fields: Fields, type: string): AdapterPlan {
  const adapter = adapterOf(
    fields,
    {
      rank: ['lora_rank'],
      alpha: ['lora_alpha'],
      targets: ['target_modules'],
      saved: ['modules_to_save'],
      dora: ['use_dora'],
    },
    { rank: 8, targets: ['all-linear'] },
  );
  if (type !== 'lora') return { ...adapter, kind: 'other' };
  // Names that are set are taken wherever they are (get_target_modules in swift/pipelines/train/tuner.py).
  return adapter.targets.includes('all-linear') ? { ...adapter, frozenParts: frozenParts(fields) } : adapter;
}
