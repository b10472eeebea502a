/** `TrainingArguments` as YAML, JSON or flags of a script; with it what TRL and alignment-handbook add (trl/trainer/model_config.py). */
import type { ConfigAccess, ConfigFile, ConfigKind } from '../../configs/configKind.js';
import type { ConfigDocument } from '../../configs/document/configNode.js';
import type { Fields } from '../../configs/fields.js';
import { infersAlone } from '../../configs/document/otherPrograms.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { hasOpenTargets } from '../../configs/adapters/countAdapter.js';
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { castKey, frozenKey, stepsOfFrozen } from '../../configs/document/pythonModel.js';
import { modelClassKey, preparedKey } from '../../configs/document/pythonTrainer.js';
import { endSaveKey, mergedSaveKey } from '../../configs/document/pythonSaves.js';
import { unslothKey } from '../../configs/document/pythonUnsloth.js';
import { allocatesKey, peftKey } from '../../configs/document/pythonPeft.js';
import { headOfExample } from '../../configs/exampleHead.js';
import { isTransformersExample } from '../../configs/transformersExamples.js';
import { headOfClass, headOfTrl } from '../../configs/trainedHead.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { positive } from '../../configs/values/positive.js';
import { asksToTrain, trainsNothing } from '../llamaFactory/trainsNothing.js';
import { adapterFrom as adapterOfPeft } from '../peft/config.js';
import { adapterOfOtherScripts, bitsOfOtherScripts, partlyTrainedKey } from './otherScripts.js';
import { batchDefaults, trainerDefaults, trainerPlan } from './trainerPlan.js';
import { isTrlArguments, isTrlCommand, trlEngines } from './trlArguments.js';
import { weightLoading } from './weightLoading.js';

/** Names that no other program has. */
const telling = [
  'per_device_train_batch_size',
  'per_device_eval_batch_size',
  'save_total_limit',
  'num_train_epochs',
  'save_strategy',
];

/** Flags of loops that took over the Trainer's names and not its saves: ColossalAI's `run_clm.py`. */
const otherLoops = ['mem_cap'] as const;

function isTelling(fields: Fields): boolean {
  return (
    telling.filter((key) => fields.has(key)).length >= 2 ||
    (fields.has('per_device_train_batch_size') && fields.keys.length > 1) ||
    (fields.has('output_dir', 'model_name_or_path') && telling.some((key) => fields.has(key)))
  );
}

/** Examples of transformers, which train with `--do_train` alone (examples/pytorch/language-modeling/run_clm.py). */
function evaluatesAlone({ syntax, programs }: ConfigDocument, fields: Fields): boolean {
  if (fields.has('do_train') && fields.flag('do_train') !== false) return false;
  // What predicts has been trained.
  if (fields.flag('do_predict') === true || (syntax === 'shell' && fields.flag('do_train') === false)) return true;
  return fields.flag('do_eval') === true && programs.some((program) => /(?:^|\/)run_\w+\.py$/.test(program));
}

/** Examples of transformers, whose arguments may be all defaults but for the model. */
function isExampleRun({ programs }: ConfigDocument, fields: Fields): boolean {
  return isTransformersExample(programs) && fields.has('model_name_or_path', 'config_name') && fields.has('output_dir');
}

/** A command of TRL that names its model and data, or the file that does. */
function isTrlRun({ programs }: ConfigDocument, fields: Fields): boolean {
  return isTrlCommand(programs) && fields.has('model_name_or_path', 'config');
}

/** Flags of a command of TRL go before the file that it names with `--config` (trl/scripts/utils.py, parse_args_and_config). */
async function withConfigOfTrl({ document, fields }: ConfigFile, access: ConfigAccess): Promise<Fields> {
  const path = isTrlCommand(document.programs) ? fields.text('config') : undefined;
  if (path === undefined) return fields;
  const named = await openBeside(path, access);
  if (named === null) fields.problem('file-missing', 'config', path);
  return named === null ? fields : fields.withIncluded(named.fields.node);
}

const nameKeys = ['model_name_or_path', 'model_name'] as const;

export const trainingArguments: ConfigKind = {
  id: 'training-arguments',
  match: ({ document, fields }) =>
    (document.syntax === 'python' && document.programs.length > 0) ||
    (document.syntax !== 'python' &&
      document.syntax !== 'toml' &&
      (isTelling(fields) ||
        isTrlArguments({ document, fields }) ||
        isTrlRun(document, fields) ||
        isExampleRun(document, fields)) &&
      !fields.has(...otherLoops) &&
      !trainsNothing(fields)),
  async read(file, access) {
    const { document } = file;
    const fields = await withConfigOfTrl(file, access);
    const name = fields.text(...nameKeys) ?? (isTransformersExample(document.programs) ? fields.text('config_name') : undefined);
    const loadBits = loadBitsOf(fields) ?? bitsOfOtherScripts(document, fields);
    const trainer = withCast(await trainerPlan(fields, access, { ...trainerDefaults, launches: trlEngines }), fields, loadBits);
    const adapter = adapterOfOtherScripts(document, fields) ?? adapterFrom(fields);
    const notes = notesOf(fields, adapter, batchDefaults(trainer, fields).notes ?? trainer.notes);
    if (isEngineOpen(document, trainer) && !namesLaunch(fields) && fields.flag('multi_gpu') !== true) notes.push('plain-launch');
    if (isTransformersExample(document.programs) && !asksToTrain(fields)) notes.push('trains-if-asked');
    const sequenceLength = positive(
      fields.integer('max_length', 'max_seq_length', 'block_size', 'model_max_length', 'cutoff_len'),
    );
    return {
      model:
        name === undefined
          ? null
          : {
              kind: 'named',
              name,
              key: [...nameKeys, 'config_name'].find((key) => fields.has(key)) ?? 'model_name_or_path',
              head:
                headOfClass(fields.text(modelClassKey), fields.integer('num_labels')) ??
                headOfTrl(document.programs) ??
                headOfExample(document.programs, fields),
            },
      plan: completePlan(
        planOf({
          ...trainer,
          ...launchPlan(fields),
          ...batchDefaults(trainer, fields),
          sequenceLength,
          adapter,
          trainingSteps: adapter === undefined ? stepsOfFrozen(document, fields.text(frozenKey)) : undefined,
          // In the folder that holds the checkpoints, or in another one.
          endFolder: fields.has(endSaveKey) ? 'weights' : undefined,
          loadBits,
          adapterCast: adapterCast(document, fields, loadBits),
          ...loading(document, fields, trainer, loadBits),
          notes,
        }),
      ),
      serving:
        evaluatesAlone(document, fields) || infersAlone(document.programs)
          ? {
              contextTokens: sequenceLength,
              sequences: positive(fields.integer('per_device_eval_batch_size')),
              dtype: evaluatedDtype(fields),
              quantization: loadBits === undefined ? undefined : `bnb-${loadBits}bit`,
              leavesExperts: true,
            }
          : undefined,
    };
  },
};

/**
 * In what weights are that are not quantized: of a quantized model in 32 bits where it is prepared (peft/utils/other.py, prepare_model_for_kbit_training), which scripts that
 * are not here are taken to do, else as they were loaded.
 */
function loading(
  document: ConfigDocument,
  fields: Fields,
  trainer: TrainingPlan,
  loadBits: 4 | 8 | undefined,
): Partial<TrainingPlan> {
  if (loadBits === undefined)
    return planOf({ loadedDtype: fields.has(...nameKeys) ? weightLoading(document, fields, trainer) : undefined });
  if (document.syntax !== 'python') return {};
  if (fields.has(preparedKey)) return { parameterDtype: 'f32' };
  return planOf({ loadedDtype: trainer.parameterDtype === undefined ? 'of-model' : undefined });
}

/** `bf16` is of passes alone; these cast the weights (transformers, trainer.py, evaluation_loop). */
function evaluatedDtype(fields: Fields): Precision | undefined {
  if (fields.flag('bf16_full_eval') === true) return 'bf16';
  return fields.flag('fp16_full_eval') === true ? 'f16' : precisionOf(fields.text('torch_dtype', 'dtype'));
}

/** What a script casts the model to after it has loaded it; quantized weights have no other dtype, and an engine casts them itself. */
function withCast(trainer: TrainingPlan, fields: Fields, loadBits: 4 | 8 | undefined): TrainingPlan {
  const cast = precisionOf(fields.text(castKey));
  if (cast === undefined || loadBits !== undefined || trainer.writer !== 'huggingface-trainer') return trainer;
  return { ...trainer, parameterDtype: cast, notes: [...(trainer.notes ?? []), 'weights-cast'] };
}

/** Whether an accelerate file that is not named here may choose an engine: of recipes, and of launches that name none that is here. */
function isEngineOpen({ syntax, programs }: ConfigDocument, { writer, zeroStage }: TrainingPlan): boolean {
  const isLaunched = syntax === 'yaml' || syntax === 'json' || (syntax === 'shell' && programs.includes('accelerate'));
  return isLaunched && writer === 'huggingface-trainer' && zeroStage === undefined;
}

/** A file of accelerate that comes with TRL. */
function namesLaunch(fields: Fields): boolean {
  return Object.hasOwn(trlEngines, fields.text('accelerate_config') ?? '');
}

/** What the adapter and the vocabulary rest on, beside what the Trainer does. */
function notesOf(fields: Fields, adapter: AdapterPlan | undefined, notes: TrainingPlan['notes'] = []): PlanNote[] {
  return [
    ...notes,
    ...(adapter !== undefined && hasOpenTargets(adapter) ? (['default-adapter-targets'] as const) : []),
    ...(adapter === undefined && fields.has(frozenKey, partlyTrainedKey) ? (['partly-frozen'] as const) : []),
    ...(adapter !== undefined && reducesRanks(fields) ? (['ranks-reduced'] as const) : []),
    ...(fields.has(mergedSaveKey) ? (['merged-at-end'] as const) : []),
    ...(takesTemplate(fields) ? (['vocabulary-may-grow'] as const) : []),
  ];
}

/** To an average below the one that all begin with, and 8 unless it is set (peft/tuners/adalora/config.py). */
function reducesRanks(fields: Fields): boolean {
  const adapter = fields.at(peftKey);
  return adapter.has(allocatesKey) && (adapter.integer('target_r') ?? 8) < (adapter.integer('init_r') ?? 12);
}

/** The tokens of another tokenizer come with its template (trl/chat_template_utils.py, clone_chat_template); a template in a file has none. */
function takesTemplate(fields: Fields): boolean {
  const template = fields.text('chat_template_path');
  return template !== undefined && !/\.(?:jinja|j2)$/.test(template);
}

/** `use_4bit_quantization` is of PEFT's own launches (examples/sft/train.py). */
function loadBitsOf(fields: Fields): 4 | 8 | undefined {
  if (fields.flag('load_in_4bit', 'use_4bit_quantization') === true) return 4;
  return fields.flag('load_in_8bit', 'use_8bit_quantization') === true ? 8 : undefined;
}

/**
 * Trainers of TRL cast what is trained on a quantized model to bf16 (trl/trainer/sft_trainer.py and those of DPO, GRPO, KTO, rewards and RLOO).
 * `use_peft` is a key of TRL's own ModelConfig, `use_peft_lora` one of PEFT's script over its SFTTrainer (examples/sft/train.py), which Unsloth replaces.
 */
function isTrl(programs: readonly string[], fields: Fields): boolean {
  if (programs.some((program) => /orpo|cpo/i.test(program)) || fields.has(unslothKey)) return false;
  return (
    fields.has('use_peft') ||
    (fields.has('use_peft_lora') && fields.flag('use_unsloth') !== true) ||
    programs.includes('trl') ||
    programs.some((program) =>
      /^(?:SFT|DPO|GRPO|KTO|Reward|RLOO)Config$|(?:^|\/)trl\/scripts\/\w+\.py$|^trl\.scripts\.\w+$/.test(program),
    )
  );
}

/** Quantized weights have no dtype that an adapter could keep (peft/tuners/tuners_utils.py, _move_adapter_to_device_of_base_layer). */
function adapterCast({ programs }: ConfigDocument, fields: Fields, loadBits: 4 | 8 | undefined): TrainingPlan['adapterCast'] {
  if (loadBits !== undefined) return isTrl(programs, fields) ? { dtype: 'bf16', by: 'program' } : undefined;
  return fields.at(peftKey).flag('autocast_adapter_dtype') === false ? { dtype: 'of-base', by: 'config' } : undefined;
}

const switches = ['use_peft', 'use_lora', 'use_peft_lora'] as const;

function adapterFrom(fields: Fields): AdapterPlan | undefined {
  const inScript = fields.at(peftKey);
  if (inScript.has('peft_type')) return adapterOfPeft(inScript);
  const isUsed = fields.flag(...switches) ?? (fields.has('lora_r') && !fields.has(...switches));
  if (!isUsed) return undefined;
  return adapterOf(
    fields,
    {
      rank: ['lora_r', 'lora_rank'],
      alpha: ['lora_alpha'],
      targets: ['lora_target_modules'],
      saved: ['lora_modules_to_save'],
      dora: ['use_dora'],
    },
    { rank: 16, targets: [] },
  );
}
