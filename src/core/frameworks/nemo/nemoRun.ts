/**
 * Runs of NeMo 2 (NVIDIA/NeMo at 8cfedd72): what nemo_run saves of a recipe (`_target_: nemo.collections.llm.api.pretrain`), and scripts that change one. Classes of models have their
 * sizes as defaults (nemo/collections/llm/gpt/model), which are those of the published models; what is not set is the recipe's.
 */
import type { ConfigFile, ModelSource } from '../../configs/configKind.js';
import { nemoProgram } from '../../configs/document/pythonRecipe.js';
import { Fields } from '../../configs/fields.js';
import { planOf } from '../../configs/plans/planOf.js';
import { publishedFlavor } from '../../configs/publishedModels.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { positive, wholeNumber } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { keptBy, savesLast } from '../lightning/newestAgain.js';
import { adapterOfRecipe } from '../megatronBridge/recipeAdapter.js';
import { modelOfRecipe } from '../megatronBridge/recipeName.js';

/** Functions that train; `validate`, `evaluate`, `generate` and `export_ckpt` do not. */
const training = /^nemo\.collections\.llm\.(?:api\.)?(?:pretrain|finetune|train)$/;

export function isNemoRun({ document, fields }: Pick<ConfigFile, 'document' | 'fields'>): boolean {
  if (document.syntax === 'python') return document.programs.includes(nemoProgram);
  return training.test(fields.text('_target_') ?? '') && fields.at('model').has('_target_');
}

export function nemoRunReading({ fields, document }: ConfigFile): { model: ModelSource | null; plan: TrainingPlan } {
  const notes: PlanNote[] = [];
  const recipe = recipeNameOf(fields);
  return {
    model: recipe === null ? null : modelOf(recipe, fields),
    plan: planFrom(fields, recipe ?? '', document.syntax === 'python', notes),
  };
}

/** `llama31_8b` of a recipe of that name, or of the class `Llama31Config8B`. */
function recipeNameOf(fields: Fields): string | null {
  const recipe = fields.text('recipe');
  if (recipe !== undefined) return recipe;
  const target = fields.at('model', 'config').text('_target_') ?? '';
  return nameOfClass(target.slice(target.lastIndexOf('.') + 1), 'Config');
}

/** `Llama31Config8B`, `Llama3ModelProvider8B` as names of recipes are written; null for classes that leave sizes open. */
export function nameOfClass(className: string, suffix: string): string | null {
  const at = className.indexOf(suffix);
  if (at < 1) return null;
  const [family, size] = [className.slice(0, at), className.slice(at + suffix.length)];
  const isWhole = size !== '' || /^DeepSeekV\d/.test(family);
  const words = family.replace(/([A-Za-z])(?=NeMo|V\d|OSS)/g, '$1_');
  return isWhole
    ? [words, size]
        .filter((word) => word !== '')
        .join('_')
        .toLowerCase()
    : null;
}

/** Keys of a model's config by those of transformers. */
const sizeKeys: Readonly<Record<string, string>> = {
  hidden_size: 'hidden_size',
  num_layers: 'num_hidden_layers',
  num_attention_heads: 'num_attention_heads',
  num_query_groups: 'num_key_value_heads',
  ffn_hidden_size: 'intermediate_size',
  kv_channels: 'head_dim',
  vocab_size: 'vocab_size',
};
/** Others change modules. */
const shapingKeys = ['num_moe_experts', 'moe_ffn_hidden_size', 'moe_layer_freq', 'mtp_num_layers', 'gated_linear_unit'] as const;

/** Of which NeMo's class has an output layer of its own, and the published model has not (nemo/collections/llm/gpt/model/qwen2.py). */
const untied = /^qwen25?_(?:500m|1p5b)$/;

function modelOf(recipe: string, fields: Fields): ModelSource {
  const key = fields.has('recipe') ? 'recipe' : 'model';
  const config = fields.at('model', 'config');
  // Lengths of sequences that recipes are for are words of their names.
  const known = publishedFlavor(modelOfRecipe(recipe));
  const isChanged = fields.has('changed') || config.has(...shapingKeys);
  if (known === null || isChanged) return { kind: 'named', name: isChanged ? `${recipe} with other modules` : recipe, key };
  const changes: Record<string, number | boolean> = untied.test(recipe) ? { tie_word_embeddings: false } : {};
  for (const [name, usual] of Object.entries(sizeKeys)) {
    const value = positive(config.integer(name));
    if (value !== undefined) changes[usual] = value;
  }
  const isShared = config.flag('share_embeddings_and_output_weights');
  if (isShared !== undefined) changes['tie_word_embeddings'] = isShared;
  const sizes = Object.keys(changes).length === 0 ? known.fields : Fields.fromValues(changes).withIncluded(known.fields.node);
  return { kind: 'fields', fields: sizes, origin: { kind: 'published', name: known.name } };
}

function planFrom(fields: Fields, recipe: string, isScript: boolean, notes: PlanNote[]): TrainingPlan {
  const trainer = fields.at('trainer');
  const strategy = trainer.at('strategy');
  const data = fields.at('data');
  const optimizer = fields.at('optim', 'config');
  const written = trainer.at('plugins').text('precision');
  if (written === undefined) notes.push('default-precision');
  if (isScript) notes.push('rest-of-recipe');
  const precision = precisionOf(written?.replace(/-mixed$/, '')) ?? 'bf16';
  const isHalf = precision !== 'f32';
  const name = optimizer.text('optimizer');
  if (name === undefined) notes.push('default-optimizer');
  const isDistributed = optimizer.flag('use_distributed_optimizer') ?? true;
  return planOf({
    writer: 'nemo',
    steps: positive(trainer.signedInteger('max_steps')),
    epochs: positive(trainer.signedInteger('max_epochs')),
    ...savingOf(fields, notes),
    saveMode: saveModeOf(strategy.flag('ckpt_async_save') ?? (isScript ? true : undefined)),
    sequenceLength: positive(data.integer('seq_length') ?? fields.at('model', 'config').integer('seq_length')),
    globalBatch: positive(data.integer('global_batch_size')),
    microBatch: positive(data.integer('micro_batch_size')),
    precision,
    parameterDtype: precision,
    hasMasterWeights: isHalf ? true : undefined,
    ...optimizerPlan(name ?? 'adam'),
    ...(isDistributed ? { sharding: 'optimizer' as const } : {}),
    tensorParallel: positive(strategy.integer('tensor_model_parallel_size')),
    pipelineParallel: positive(strategy.integer('pipeline_model_parallel_size')),
    contextParallel: positive(strategy.integer('context_parallel_size')),
    expertParallel: positive(strategy.integer('expert_model_parallel_size')),
    nodes: positive(trainer.integer('num_nodes') ?? fields.integer('num_nodes')),
    gpusPerNode: wholeNumber(trainer.scalar('devices') ?? fields.scalar('num_gpus_per_node')),
    adapter: adapterOf(fields, recipe),
    outputFolder: fields.at('log').text('log_dir') ?? fields.text('dir'),
    resumesFrom: fields.at('resume', 'restore_config').text('path'),
    notes,
  });
}

/**
 * By steps, by the clock, or at each validation (nemo/lightning/pytorch/callbacks/model_checkpoint.py). At the last step the optimizer is left out unless it is asked for. Recipes
 * save every 15 minutes (nemo/collections/llm/recipes/log/default.py).
 */
function savingOf(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const options = fields.at('log', 'ckpt');
  if (fields.at('trainer').flag('enable_checkpointing') === false) {
    notes.push('saves-never');
    return {};
  }
  if (fields.isOpen('log') || fields.at('log').isOpen('ckpt')) {
    fields.scalar('log');
    fields.at('log').scalar('ckpt');
    notes.push('interval-not-in-steps', 'keep-open');
    return {};
  }
  // A callback of its own has none of the recipe's.
  const isOfRecipe = fields.has('recipe') && !options.has('_target_');
  const bySteps = positive(options.integer('every_n_train_steps'));
  const isByClock = options.has('train_time_interval') ? !options.isNull('train_time_interval') : isOfRecipe;
  const atValidation = fields.at('trainer').number('val_check_interval');
  const interval =
    bySteps ??
    (isByClock || options.isOpen('every_n_train_steps') || atValidation === undefined || atValidation <= 1
      ? undefined
      : atValidation);
  if (interval === undefined && !options.isOpen('every_n_train_steps')) notes.push('interval-not-in-steps');
  const lastSave = options.flag('save_optim_on_train_end') === true ? 'all' : 'weights';
  if (lastSave === 'weights') notes.push('last-save-weights-only');
  return planOf({
    saveIntervalSteps: positive(interval),
    savesOptimizer: options.flag('save_weights_only') === true ? false : undefined,
    ...keptBy(options, { kept: isOfRecipe ? 10 : 3, savesLast: true }, notes),
    lastSave: savesLast(options, true) ? lastSave : undefined,
  });
}

/** Recipes that fine-tune have LoRA unless it is turned off (recipes/*.py, finetune_recipe); its rank is 32 where neither says it (peft/lora.py). */
function adapterOf(fields: Fields, recipe: string): AdapterPlan | undefined {
  const peft = fields.at('peft');
  const target = peft.text('_target_');
  const scheme = fields.text('peft_scheme');
  const isFinetuned = fields.text('purpose') === 'finetune';
  if (target === undefined && (!isFinetuned || fields.isNull('peft_scheme', 'peft') || scheme?.toLowerCase() === 'none'))
    return undefined;
  const isDora = /\.DoRA$/.test(target ?? '') || scheme?.toLowerCase() === 'dora';
  const adapter = adapterOfRecipe(`${recipe}_`, peft, isDora);
  return target === undefined ? adapter : { ...adapter, rank: positive(peft.integer('dim')) ?? 32 };
}
