/**
 * Directories of the Hugging Face libraries: `save_pretrained` models, Trainer checkpoints, PEFT adapters.
 * Names are the constants of transformers/trainer.py, transformers/utils and peft/utils/constants.py.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { noteLostRandomStates, shardRanksOf } from '../../checkpoints/layouts/randomStates.js';
import { exportsOf } from '../../checkpoints/exports.js';
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { baseName, parentPath } from '../../files/paths.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { describeDeepSpeed } from '../deepspeed/deepspeedSave.js';
import { findDeepSpeedOfOtherModel } from './deepspeedModel.js';
import { findMissingPointers } from '../deepspeed/tagPointers.js';
import { findOtherSchedulerStep, lacksScheduler } from './trainerScheduler.js';
import { isPipeline } from './pipeline.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import type { RoleId } from '../../files/roleLabels.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { rankOfSliceFile } from '../../checkpoints/fileSets/slicedSafetensors.js';
import { readFiles, type ReadResult } from '../../checkpoints/readFiles.js';

const weightFile = /^(model|diffusion_pytorch_model|pytorch_model|flax_model|tf_model)([.-].*)?\.safetensors$/s;
/** One rank's slices, as `save_pretrained(distributed_checkpoint=True)` writes them. */
const sliceFile = /^shard-\d{5,7}-.+\.safetensors$/s;
const adapterFile = /^adapter_(config\.json|model\.(safetensors|bin))$/;
const rngFile = /^rng_state(?:_(\d+))?\.pth$/;

/** `checkpoint-<step>` of transformers' Trainer. */
export const huggingFaceTrainer: Layout = {
  id: 'huggingface-trainer',
  match(listing) {
    if (listing.has('trainer_state.json')) return 0.95;
    const hasState = listing.has('optimizer.pt') || listing.has('training_args.bin') || listing.hasMatch(rngFile);
    return hasState && /^(?:tmp-)?checkpoint-\d+$/.test(listing.rootName) ? 0.9 : listing.has('training_args.bin') ? 0.7 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    parts.framework = frameworkOf(result);
    readStep(result, listing);
    noteStaging(result, listing);
    readRanks(result);
    parts.reshard = loadsAnywhere(
      'Model and optimizer load with any number of processes; a process without its own RNG state draws other random numbers.',
    );
    describeDeepSpeed(result);
    noteTagPointers(result);
    noteTagStep(result);
    appendAll(parts.findings, findDeepSpeedOfOtherModel(parts));
    if (lacksScheduler(parts)) parts.remnants = new Set([...(parts.remnants ?? []), 'scheduler']);
    appendAll(parts.findings, findOtherSchedulerStep(parts));
    noteBaseModel(result);
    noteUnsavedEncoder(result);
    return result;
  },
};

/** A PEFT adapter: the base model is elsewhere. */
export const peftAdapter: Layout = {
  id: 'peft-adapter',
  match: (listing) => (listing.hasMatch(adapterFile) ? 0.9 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    result.parts.layout = this.id;
    result.parts.framework = { name: 'peft', version: textIn(result, 'adapter_config.json', 'peft_version') };
    noteBaseModel(result);
    return result;
  },
};

/** Weights as `save_pretrained` writes them, in one file or in shards with an index. */
export const huggingFaceModel: Layout = {
  id: 'huggingface-model',
  match(listing) {
    if (listing.hasMatch(/\.safetensors\.index(\.[\w-]+)?\.json$/)) return 0.8;
    if (listing.hasMatch(/\.safetensors$/) && listing.has('config.json')) return 0.8;
    // Above the layouts of the other formats that the same model is often stored in.
    if (isPipeline(listing) || hasSeveralFormats(listing)) return 0.82;
    if (listing.hasMatch(weightFile) || listing.hasMatch(sliceFile)) return 0.75;
    // A model whose weights are gone is still a model.
    return listing.has('config.json') ? 0.3 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    parts.framework = frameworkOf(result);
    const exports = exportsOf(parts);
    parts.copies = exports.files;
    parts.otherModels = exports.others;
    appendAll(parts.findings, exports.findings);
    appendAll(parts.duplicates, exports.duplicates);
    parts.step = stepOfName(listing.rootName);
    const ranks = parts.files.map((file) => rankOfSliceFile(file.path)).filter((rank) => rank !== undefined);
    if (ranks.length > 0) parts.topology = { ...parts.topology, worldSize: ranks.reduce((a, b) => Math.max(a, b), 0) + 1 };
    return result;
  },
};

/** Files of transformers for several frameworks (transformers/utils: WEIGHTS_NAME, TF2_WEIGHTS_NAME, FLAX_WEIGHTS_NAME). */
const formatNames = [
  /^(?:pytorch_)?model([.-].*)?\.(safetensors|bin)$/s,
  /^tf_model([.-].*)?\.h5$/s,
  /^flax_model([.-].*)?\.msgpack$/s,
];

function hasSeveralFormats(listing: Listing): boolean {
  return listing.has('config.json') && formatNames.filter((name) => listing.hasMatch(name)).length > 1;
}

function frameworkOf(result: ReadResult): { name: string; version: string | null } {
  const version = textIn(result, 'model_index.json', '_diffusers_version');
  if (version !== null) return { name: 'diffusers', version };
  return { name: 'transformers', version: textIn(result, 'config.json', 'transformers_version') };
}

function textIn(result: ReadResult, path: string, key: string): string | null {
  const value = memberOf(result.side.json.get(path), key);
  return typeof value === 'string' ? value : null;
}

const checkpointName = /^(?:tmp-)?checkpoint-(\d{1,15})$/;

/** The step is in trainer_state.json; the directory's name has it too and should agree. */
function readStep({ parts, side }: ReadResult, listing: Listing): void {
  const state = side.json.get('trainer_state.json');
  const stored = memberOf(state, 'global_step');
  const named = checkpointName.exec(listing.rootName)?.[1];
  parts.step = typeof stored === 'number' && Number.isSafeInteger(stored) ? stored : named === undefined ? null : Number(named);
  appendAll(
    parts.findings,
    findOtherStep({ name: listing.rootName, path: 'trainer_state.json', step: parts.step }, checkpointName),
  );
}

/** Trainer of transformers 4.36 and 4.37 saves into this directory, and renames it last (transformers/trainer.py: _save_checkpoint). */
function noteStaging({ parts }: ReadResult, { rootName }: Listing): void {
  if (/^tmp-checkpoint-\d+$/.test(rootName))
    parts.findings.push({
      code: 'save-unfinished',
      facts: { detail: `the directory is still called ${rootName}, which Trainer renames last` },
    });
}

/**
 * Trainer loads DeepSpeed's state where there is a directory `global_step*`, without a tag, and raises an error where nothing was loaded
 * (transformers/integrations/deepspeed.py: deepspeed_load_checkpoint).
 */
function noteTagPointers({ parts }: ReadResult): void {
  for (const { file, tag } of findMissingPointers(parts.files.map(({ path }) => path)))
    if (/^global_step[^/]*$/.test(tag)) parts.findings.push({ code: 'trainer-tag-pointer-missing', facts: { file, tag } });
  parts.findings = parts.findings.map((finding) =>
    finding.code === 'pointer-target-missing' && finding.path === 'latest'
      ? { code: 'trainer-tag-missing', path: finding.path, facts: finding.facts }
      : finding,
  );
}

const tagName = /^global_step(\d{1,15})$/;

/** DeepSpeed's state in a checkpoint counts the same steps as Trainer (transformers/integrations/deepspeed.py: save_checkpoint without a tag). */
function noteTagStep({ parts }: ReadResult): void {
  const tags = new Set(parts.files.map(({ path }) => path.slice(0, path.indexOf('/'))).filter((name) => tagName.test(name)));
  if (tags.has(`global_step${parts.step ?? ''}`)) return;
  for (const name of [...tags].slice(0, 1))
    appendAll(parts.findings, findOtherStep({ name, path: 'trainer_state.json', step: parts.step }, tagName));
}

/** One rng_state file a rank; `rng_state.pth` alone means a single process. */
function readRanks({ parts }: ReadResult): void {
  const names = parts.files.filter((file) => parentPath(file.path) === '').map((file) => baseName(file.path));
  const ranks = names.map((name) => rngFile.exec(name)).filter((match) => match !== null);
  if (ranks.length === 0) return;
  const numbers = ranks.flatMap((match) => (match[1] === undefined ? [] : [Number(match[1])]));
  // A single process writes no number, so that rng_state_0.pth has a companion.
  const largest = [1, ...numbers, ...shardRanksOf(parts.files)].reduce((most, rank) => Math.max(most, rank));
  const worldSize = numbers.length === 0 ? 1 : largest + 1;
  parts.topology = { ...parts.topology, worldSize, dataParallel: worldSize };
  if (numbers.length > 0) noteLostRandomStates(parts, new Set(numbers), worldSize, (rank) => `rng_state_${rank}.pth`);
}

/**
 * An adapter needs its base model, which may be beside it: transformers looks for adapter_config.json first, and takes the base model that
 * it names (transformers/modeling_utils.py: from_pretrained).
 */
function noteBaseModel({ parts, side }: ReadResult): void {
  const base = memberOf(side.json.get('adapter_config.json'), 'base_model_name_or_path');
  const [model, modelBytes] = filesOf(parts, 'model-weights');
  const [adapter, adapterBytes] = filesOf(parts, 'adapter-weights');
  if (model !== undefined && adapter !== undefined && modelBytes > adapterBytes) {
    const named = typeof base === 'string' && base !== '' ? base : null;
    parts.findings.push({ code: 'model-beside-adapter', path: model, facts: { adapter, modelBytes, adapterBytes, base: named } });
    return;
  }
  if (parts.layout !== 'peft-adapter') return;
  if (typeof base === 'string' && base !== '')
    parts.findings.push({ code: 'base-model-elsewhere', path: 'adapter_config.json', facts: { base } });
}

/**
 * Prompts that an encoder makes are saved as its output, without the weights that the optimizer trains (peft/peft_model.py:
 * get_prompt_embedding_to_save; peft/tuners/prefix_tuning/model.py).
 */
function noteUnsavedEncoder({ parts, side }: ReadResult): void {
  const config = side.json.get('adapter_config.json');
  const kind = memberOf(config, 'peft_type');
  if (typeof kind !== 'string') return;
  const hasEncoder =
    kind === 'P_TUNING' ||
    kind === 'MULTITASK_PROMPT_TUNING' ||
    (kind === 'PREFIX_TUNING' && memberOf(config, 'prefix_projection') === true);
  if (hasEncoder && parts.files.some(({ component }) => component === 'optimizer'))
    parts.findings.push({ code: 'prompt-encoder-unsaved', path: 'adapter_config.json', facts: { kind } });
}

/** The first file of a role in this directory, without those below it, and the bytes of all. */
function filesOf({ files }: ReadResult['parts'], role: RoleId): [path: string | undefined, bytes: number] {
  const own = files.filter((file) => file.role === role && parentPath(file.path) === '');
  return [own[0]?.path, own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)];
}
