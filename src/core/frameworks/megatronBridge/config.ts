/**
 * Megatron-Bridge at 067f987: launches of a recipe (scripts/training/run_recipe.py) and YAML whose values go over those of a recipe. What neither sets is the recipe's
 * (megatron/bridge/recipes). Saved run configs, which have everything, are read as NeMo's.
 */
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { bridgeProgram } from '../../configs/document/pythonRecipe.js';
import { nameOfClass } from '../nemo/nemoRun.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { publishedFlavor } from '../../configs/publishedModels.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { trainedIn } from '../megatron/config.js';
import { bridgedSharding, bridgedState, bridgedTemporarySave, stepsOfSamples } from '../nemo/config.js';
import { adapterOfRecipe } from './recipeAdapter.js';
import { isAdapterRecipe, modelOfRecipe } from './recipeName.js';
import { type RecipeRun, runOfRecipe } from './recipeRuns.js';

const program = /(?:^|\/)run_recipe\.py$/;
/** Sections of a ConfigContainer (megatron/bridge/training/config.py) beside `train`. */
const sections = ['checkpoint', 'scheduler', 'optimizer', 'logger', 'ddp', 'dist', 'rng', 'validation', 'dataset'] as const;

export const megatronBridge: ConfigKind = {
  id: 'megatron-bridge',
  match: ({ document, fields }) =>
    document.syntax === 'python'
      ? document.programs.includes(bridgeProgram)
      : document.syntax === 'shell'
        ? document.programs.some((name) => program.test(name)) && fields.has('recipe', 'mode')
        : document.syntax === 'yaml' && isOverrides(fields),
  read({ fields }) {
    const notes: PlanNote[] = [];
    return { model: modelOf(fields), plan: completePlan(planFrom(fields, notes)) };
  },
};

function isOverrides(fields: Fields): boolean {
  return (
    fields.at('train').has('train_iters') &&
    sections.filter((name) => fields.at(name).keys.length > 0).length >= 3 &&
    !fields.has('exp_manager', 'trainer')
  );
}

/** `--recipe`, or `--model` with `--mode`. */
function modelOf(fields: Fields): ModelSource | null {
  const named = fields.text('hf_model');
  if (named !== undefined) return { kind: 'named', name: named, key: 'hf_model' };
  const key = fields.has('recipe') ? 'recipe' : fields.has('provider') ? 'provider' : 'model';
  const written = fields.text(key);
  const recipe = key === 'provider' && written !== undefined ? (nameOfClass(written, 'ModelProvider') ?? written) : written;
  if (recipe === undefined) return null;
  const known = publishedFlavor(modelOfRecipe(recipe));
  return known === null
    ? { kind: 'named', name: recipe, key }
    : { kind: 'fields', fields: known.fields, origin: { kind: 'published', name: known.name } };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const [train, checkpoint, model] = [fields.at('train'), fields.at('checkpoint'), fields.at('model')];
  const optimizer = fields.at('optimizer').text('optimizer');
  if (optimizer === undefined) notes.push('default-optimizer');
  const whole = (section: Fields, name: string, ...flags: readonly string[]): number | undefined =>
    positive(section.integer(name) ?? (flags.length === 0 ? undefined : fields.integer(...flags)));
  const run = runOf(fields);
  if (run !== null && (!train.has('train_iters', 'train_samples') || !checkpoint.has('save_interval')))
    notes.push('run-of-recipe');
  notes.push('rest-of-recipe');
  return planOf({
    writer: 'nemo',
    ...launchPlan(fields),
    steps: whole(train, 'train_iters', 'max_steps', 'ms') ?? stepsOfSamples(train) ?? run?.steps,
    ...savingOf(checkpoint, fields, run, notes),
    sequenceLength: whole(model, 'seq_length', 'seq_length', 'sl') ?? whole(fields.at('dataset'), 'seq_length'),
    globalBatch: whole(train, 'global_batch_size', 'global_batch_size', 'gb'),
    microBatch: whole(train, 'micro_batch_size', 'micro_batch_size', 'mb'),
    ...trainedIn(fields.at('optimizer'), precisionIn(fields, notes), bridgedState(fields)),
    ...(optimizer === undefined && muonRecipe.test(fields.text('recipe', 'model') ?? '') ? optimizerPlan('muon') : {}),
    ...bridgedSharding(fields),
    tensorParallel: whole(model, 'tensor_model_parallel_size', 'tensor_model_parallel_size', 'tp'),
    pipelineParallel: whole(model, 'pipeline_model_parallel_size', 'pipeline_model_parallel_size', 'pp'),
    contextParallel: whole(model, 'context_parallel_size', 'context_parallel_size', 'cp'),
    expertParallel: whole(model, 'expert_model_parallel_size', 'expert_model_parallel_size', 'ep'),
    adapter: adapterFrom(fields),
    resumesFrom: checkpoint.text('load', 'pretrained_checkpoint'),
    notes,
  });
}

/** All recipes are `bf16_mixed` or 8-bit kinds of it, of which the weights are bfloat16 as well (training/mixed_precision.py). */
function precisionIn(fields: Fields, notes: PlanNote[]): Precision {
  const written = fields.text('mixed_precision');
  if (written === undefined) notes.push('default-precision');
  return precisionOf(written?.replace(/[-_].*$/, '')) ?? 'bf16';
}

/** Recipes that call distributed_muon_with_cosine_annealing; the others have Adam. */
const muonRecipe = /^(?:kimi|deepseek_v4)/;

/** A folder and an interval are set in every recipe; the last checkpoint is written when training ends (training/train.py). */
function savingOf(checkpoint: Fields, fields: Fields, run: RecipeRun | null, notes: PlanNote[]): Partial<TrainingPlan> {
  const written = checkpoint.signedInteger('save_interval') ?? fields.signedInteger('save_interval');
  // 0 is never, not even when training ends (training/train.py).
  if (checkpoint.isNull('save') || written === 0) {
    notes.push('saves-never');
    return {};
  }
  const kept = checkpoint.signedInteger('most_recent_k');
  const temporarySave = bridgedTemporarySave(checkpoint);
  if (temporarySave !== undefined) notes.push('ephemeral-checkpoints');
  return planOf({
    saveIntervalSteps: positive(written) ?? run?.saveIntervalSteps,
    saveMode: saveModeOf(checkpoint.flag('async_save')),
    temporarySave,
    keep: kept !== undefined && kept > 0 ? kept : null,
    lastSave: 'all',
    savesOptimizer: checkpoint.flag('save_optim') === false ? false : undefined,
    exportedWeights: checkpoint.flag('also_save_hf_checkpoint') === true ? 'bf16' : undefined,
    outputFolder: checkpoint.text('save') ?? fields.text('save_dir'),
  });
}

/** By `--mode`, `peft` in the overrides, or the recipe's name. */
function adapterFrom(fields: Fields): AdapterPlan | undefined {
  const mode = fields.text('mode') ?? '';
  const recipe = recipeOf(fields);
  const peft = fields.at('peft');
  if (!isAdapterMode(mode) && peft.keys.length === 0 && !isAdapterRecipe(recipe)) return undefined;
  return adapterOfRecipe(recipe, peft, mode === 'dora' || /_dora(?:_|$)/.test(recipe));
}

function isAdapterMode(mode: string): boolean {
  return mode === 'lora' || mode === 'dora' || mode === 'peft';
}

function recipeOf(fields: Fields): string {
  return fields.text('recipe', 'model') ?? '';
}

/** Steps and saves of the recipe; null where it is not known, or trains on without an end of its own. */
function runOf(fields: Fields): RecipeRun | null {
  const [recipe, mode] = [recipeOf(fields), fields.text('mode') ?? ''];
  if (isAdapterMode(mode) || isAdapterRecipe(recipe)) return runOfRecipe(recipe, 'peft');
  if (mode === 'sft' || mode === 'pretrain') return runOfRecipe(recipe, mode);
  if (/_(?:sft|finetune)(?:_|$)/.test(recipe)) return runOfRecipe(recipe, 'sft');
  return /_pretrain(?:_|$)/.test(recipe) ? runOfRecipe(recipe, 'pretrain') : null;
}
