/** torchtitan TOML (torchtitan/config/job_config.py; flavors in torchtitan/models), and launches of its configs in Python (config/README.md at b5bcd76). */
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { publishedFlavor } from '../../configs/publishedModels.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { positive } from '../../configs/values/positive.js';
import { registeredFlavor } from './registry.js';

export const torchtitan: ConfigKind = {
  id: 'torchtitan',
  match: ({ document, fields }) =>
    document.syntax === 'shell'
      ? document.programs.some((program) => program.startsWith('torchtitan') && !program.endsWith('.infer')) ||
        fields.at('job').has('config_file')
      : document.syntax === 'toml' && fields.at('model').has('name', 'flavor') && fields.has('training', 'job', 'checkpoint'),
  async read(file, access) {
    const fields = await withConfigFile(file, access);
    return { model: await modelOf(fields, access), plan: completePlan(planFrom(fields)) };
  },
};

/** A launch script's flags go before the file that it names with `--job.config_file`. */
async function withConfigFile({ fields }: ConfigFile, access: ConfigAccess): Promise<Fields> {
  const path = fields.at('job').text('config_file');
  const file = path === undefined ? null : await openBeside(path, access);
  return file === null ? fields : fields.withIncluded(file.fields.node);
}

async function modelOf(fields: Fields, access: ConfigAccess): Promise<ModelSource | null> {
  const name = fields.at('model').text('name');
  const flavor = fields.at('model').text('flavor') ?? 'debugmodel';
  if (name === undefined) return isConfigured(fields) ? modelOfFunction(fields.text('config') ?? '') : null;
  const registered = await registeredFlavor(name, flavor, access);
  return registered ?? modelOfFunction(`${name}/${flavor}`);
}

/** A published model by torchtitan's name for it, also one of a function with more to its name: `llama3_8b_mxfp8`. */
function modelOfFunction(name: string): ModelSource {
  const known = publishedFlavor(name) ?? publishedFlavor(name.replace(/(?<=\d[bB](?:_a\d+b)?)_[a-z]\w*$/, ''));
  return known === null
    ? { kind: 'named', name, key: 'config' }
    : { kind: 'fields', fields: known.fields, origin: { kind: 'published', name: known.name } };
}

/** `--module llama3 --config llama3_8b` (since 2026): a function of a Python module makes the config, and flags go over it. */
function isConfigured(fields: Fields): boolean {
  return fields.has('module') && fields.has('config');
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const training = fields.at('training');
  const parallel = fields.at('parallelism');
  const batch = training.integer('local_batch_size', 'batch_size');
  const sequenceLength = positive(training.integer('seq_len', 'max_context_length'));
  const steps = positive(training.integer('steps'));
  // What a function sets is not the framework's default.
  const isWhole = !isConfigured(fields);
  if (!isWhole) notes.push('rest-of-recipe');
  if (isWhole && batch === undefined) notes.push('default-batch');
  if (!fields.at('optimizer').has('name')) notes.push('default-optimizer');
  if (isWhole && sequenceLength === undefined) notes.push('default-sequence');
  if (isWhole && steps === undefined) notes.push('default-steps');
  const degree = (name: string, ...others: Fields[]) =>
    positive([parallel, training, ...others].map((section) => section.signedInteger(name)).find((value) => value !== undefined));
  const globalBatch = positive(training.signedInteger('global_batch_size'));
  const precision = precisionOf(training.text('mixed_precision_param')) ?? 'bf16';
  return planOf({
    writer: 'torchtitan',
    ...saving(fields.at('checkpoint'), notes, isWhole),
    steps: steps ?? (isWhole ? 10_000 : undefined),
    sequenceLength: sequenceLength ?? (isWhole ? 2048 : undefined),
    microBatch: positive(batch) ?? (isWhole ? 8 : undefined),
    globalBatch,
    // Without a global batch each rank computes its own once.
    accumulation: globalBatch === undefined ? 1 : undefined,
    precision,
    parameterDtype: precisionOf(training.text('dtype')) ?? 'f32',
    ...optimizerPlan(fields.at('optimizer').text('name') ?? 'AdamW'),
    ...dataParallelOf(parallel, training),
    tensorParallel: degree('tensor_parallel_degree') ?? 1,
    pipelineParallel: degree('pipeline_parallel_degree', fields.at('experimental')) ?? 1,
    contextParallel: degree('context_parallel_degree', fields.at('experimental')) ?? 1,
    expertParallel: degree('expert_parallel_degree'),
    outputFolder: fields.at('job').text('dump_folder'),
    resumesFrom: fields.at('checkpoint').text('initial_load_path'),
    notes,
  });
}

/** Ranks that hold the same or shards; -1 is "all that are left". Context-parallel ranks hold shards as well (parallel_dims.py). */
function dataParallelOf(parallel: Fields, training: Fields): Partial<TrainingPlan> {
  const replicas =
    parallel.signedInteger('data_parallel_replicate_degree') ?? training.signedInteger('data_parallel_replicate_degree') ?? 1;
  const shards =
    parallel.signedInteger('data_parallel_shard_degree') ?? training.signedInteger('data_parallel_shard_degree') ?? -1;
  const context = positive(parallel.signedInteger('context_parallel_degree')) ?? 1;
  return planOf({
    dataParallel: replicas > 0 && shards > 0 ? replicas * shards : undefined,
    sharding: shards === 1 ? 'none' : 'weights',
    shardDegree: replicas > 1 && shards > 1 ? shards * context : undefined,
  });
}

/** @param isWhole whether what is left out has its default, and not what a function sets */
function saving(checkpoint: Fields, notes: PlanNote[], isWhole: boolean): Partial<TrainingPlan> {
  const isOn = checkpoint.flag('enable', 'enable_checkpoint') ?? false;
  if (!isOn) {
    notes.push('saves-never');
    return {};
  }
  if (checkpoint.text('interval_type') === 'seconds') notes.push('interval-not-in-steps');
  const interval = positive(checkpoint.signedInteger('interval'));
  const isStopped = isRefused(notes, checkpoint, 'interval');
  const keep = checkpoint.integer('keep_latest_k');
  if (isWhole && interval === undefined && !isStopped) notes.push('default-save-interval');
  if (keep === undefined) notes.push('default-keep');
  // Default of `last_save_model_only` is true since the key has that name.
  const isLastWeights = checkpoint.flag('last_save_model_only', 'model_weights_only') ?? !checkpoint.has('model_weights_only');
  if (isLastWeights) notes.push('last-save-weights-only');
  const kept = keep ?? 10;
  const written = checkpoint.text('async_mode')?.toLowerCase();
  return planOf({
    saveIntervalSteps: interval ?? (isWhole && !isStopped ? 500 : undefined),
    saveMode: saveModeOf(written === undefined ? undefined : written !== 'disabled'),
    keep: kept === 0 ? null : kept,
    // components/checkpoint.py, _should_save and _save_last_step.
    lastSave: isLastWeights ? 'weights' : 'all',
    lastSaveDtype: isLastWeights ? precisionOf(checkpoint.text('export_dtype')) : undefined,
  });
}
