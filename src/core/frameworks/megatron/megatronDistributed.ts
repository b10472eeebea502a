/**
 * Distributed checkpoints of Megatron Core (megatron/core/dist_checkpointing): `iter_*` with `metadata.json`, tensors in `.distcp` files
 * (torch_dist, fsdp_dtensor) or zarr directories, and what is not sharded in `common.pt` or in an object of its own. NeMo 2 and
 * Megatron Bridge put files of their own beside them.
 */
import { followPointers } from '../../checkpoints/layouts/pointers.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { countOf } from '../../checkpoints/layouts/stateSteps.js';
import { loadsAnywhere, loadsConverted } from '../../checkpoints/reshard.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { entriesOf, member } from '../../formats/pickle/pickleAccess.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { PickleList, type PickleValue } from '../../formats/pickle/pickleValue.js';
import type { ComponentId } from '../../tensors/component.js';
import { componentOfOptimizerPath, componentOfPath, type PathComponent } from '../../tensors/componentOfPath.js';
import { worldSizeOf } from '../torchDistributed/layout.js';
import type { FileRole, RolesOfPaths } from '../../checkpoints/roles/fileRule.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import { iterationDirectory, iterationName } from './megatronLegacy.js';
import { readMegatronArguments, readModelSizes } from './megatronArguments.js';
import type { Parts } from '../../checkpoints/parts.js';
import { readFiles, type ReadResult } from '../../checkpoints/readFiles.js';
import type { ReadContext } from '../../checkpoints/reading/readContext.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { appendAll } from '../../bytes/appendAll.js';
import { findLostOptimizer } from './lostOptimizer.js';
import { findOtherMasters } from './masterWeights.js';
import { findMissingArrays } from './missingArrays.js';

/** An `iter_*` directory of Megatron Core, or its parent with the tracker file. */
export const megatronDistributed: Layout = {
  id: 'megatron-distributed',
  match: (listing) => (savedRoot(listing) === undefined ? 0 : 0.9),
  read: async (context, listing) => {
    const result = await readSaved(context, listing, savedRoot(listing) ?? '');
    result.parts.layout = 'megatron-distributed';
    return result;
  },
};

/** A checkpoint of NeMo 2: a Megatron save in `weights/`, and the objects that made the model in `context/`. */
export const nemoDirectory: Layout = {
  id: 'nemo',
  match: (listing) => (listing.directories.has('context') && listing.directories.has('weights') ? 0.92 : 0),
  read: async (context, listing) => {
    const result = await readSaved(context, listing, 'weights');
    result.parts.layout = 'nemo';
    result.parts.framework = { name: 'NeMo', version: null };
    return result;
  },
};

/** Where the save lies below the inspected directory; undefined where there is none of Megatron Core. */
function savedRoot(listing: Listing): string | undefined {
  if (isSaved(listing, '')) return '';
  const iterations = [...listing.directories.keys()].filter((directory) => isIteration(directory) && isSaved(listing, directory));
  return iterations.length === 1 ? iterations[0] : undefined;
}

function isIteration(directory: string): boolean {
  return /^(iter_\d{7,}|release)$/.test(directory);
}

function isSaved(listing: Listing, directory: string): boolean {
  const names = new Set((listing.directories.get(directory) ?? []).map(baseName));
  const hasTensors = names.has('.metadata') || [...names].some((name) => name.endsWith('.distcp'));
  if (names.has('common.pt') && (names.has('metadata.json') || hasTensors)) return true;
  const isNamed = isIteration(directory === '' ? listing.rootName : baseName(directory));
  return hasTensors && (names.has('metadata.json') || isNamed);
}

async function readSaved(context: ReadContext, listing: Listing, root: string): Promise<ReadResult> {
  const result = await readFiles(context, listing, { of: (path) => megatronRole(path, context.roles) });
  const { parts } = result;
  parts.framework = { name: 'Megatron Core', version: null };
  const common = commonState(parts);
  const name = baseName(root === '' ? listing.rootName : root);
  const stated = countOf(member(common, 'iteration'));
  parts.step = stated ?? stepOfName(name);
  const path = joinPath(root, listing.entry(joinPath(root, 'common.pt')) === undefined ? '.metadata' : 'common.pt');
  appendAll(parts.findings, findOtherStep({ name, path, step: stated }, iterationName));
  const saved = readMegatronArguments(member(common, 'args'));
  parts.topology = { ...parts.topology, ...saved, worldSize: saved.worldSize ?? worldSizeOf(parts) };
  parts.expected = ['weights', 'optimizer', 'scheduler', 'rng'];
  noteOptimizerSharding(parts, common);
  if (parts.reshard !== undefined) parts.reshard.model = readModelSizes(member(common, 'args'));
  followPointers(result, new Set(['latest_checkpointed_iteration.txt']), iterationDirectory);
  noteUnfinished(parts, listing, root);
  noteMissingCommon(result, listing, root);
  appendAll(parts.findings, findOtherMasters(parts));
  appendAll(parts.findings, findLostOptimizer(parts, member(common, 'args'), name));
  appendAll(parts.findings, findMissingArrays(listing, root, result.side.json.get(joinPath(root, 'metadata.json'))));
  return result;
}

/** `common.pt`, or the object that takes its place since Megatron Core 0.20. */
export function commonState({ objects }: Parts): PickleValue | undefined {
  for (const { path, value } of objects) {
    if (value.kind !== 'pickle') continue;
    if (baseName(path) === 'common.pt') return value.root;
    const stored = path.endsWith('.metadata') ? member(value.root, 'common_state/shard_0_1') : undefined;
    if (stored !== undefined) return stored instanceof PickleList ? stored.items[0] : stored;
  }
  return undefined;
}

/** Layouts of the distributed optimizer that keep the tensor- and pipeline-parallel sizes (megatron/core/optimizer/distrib_optimizer.py). */
const fixedModelParallel: ReadonlySet<string> = new Set([
  'dp_reshardable',
  'dp_zero_gather_scatter',
  'fully_sharded_bucket_space',
]);

/** Those that store it by parameter, as the weights are. */
const fullyReshardable: ReadonlySet<string> = new Set(['fully_reshardable', 'fully_sharded_model_space']);

/** The optimizer's state may be cut in a way that fewer jobs can load than can load the weights. */
function noteOptimizerSharding(parts: Parts, common: PickleValue | undefined): void {
  const type = shardingTypeIn(member(common, 'optimizer')) ?? shardingTypeIn(member(common, 'content_metadata'));
  if (type === undefined) return noteUnstatedSharding(parts);
  if (fullyReshardable.has(type)) {
    parts.reshard = loadsAnywhere(
      `Any number of ranks and any parallel sizes can load it: weights have their global shapes, and the optimizer’s state is ${type}.`,
    );
    return;
  }
  if (!fixedModelParallel.has(type)) {
    delete parts.reshard;
    return;
  }
  const { tensorParallel, pipelineParallel } = parts.topology;
  parts.reshard = loadsConverted(
    `The optimizer’s state (${type}) loads with any data-parallel size, and the same tensor- and pipeline-parallel sizes (${tensorParallel ?? '?'} · ${pipelineParallel ?? '?'}). For others save it again with --dist-ckpt-optim-fully-reshardable, or load the weights alone (--no-load-optim).`,
    null,
    { dataParallel: 'load' },
  );
}

/**
 * Where nothing states how the optimizer's state was cut, its names do: by parameter (`optimizer.state.<kind>.<parameter>`) it has the
 * shapes of the weights; in buckets of the ranks that saved it, other sizes are not known to load it.
 */
function noteUnstatedSharding(parts: Parts): void {
  let isByParameter = true;
  let hasState = false;
  for (let row = 0; row < parts.tensors.size && isByParameter; row++) {
    if (parts.tensors.componentOf(row) !== 'optimizer' && parts.tensors.componentOf(row) !== 'masterWeights') continue;
    hasState = true;
    isByParameter = !bucketKey.test(parts.tensors.nameOf(row));
  }
  if (!isByParameter) delete parts.reshard;
  else
    parts.reshard = loadsAnywhere(
      `Any number of ranks and any parallel sizes can load it: ${hasState ? 'weights and optimizer state are' : 'weights are'} stored by parameter, with global shapes.`,
    );
}

const bucketKey = /(^|[./])(bucket_idx|dp_group_idx|gbuf_idx)_\d/;

/** Of several optimizers the state of each says it, under a number or a prefix; the first that keeps sizes decides. */
function shardingTypeIn(state: PickleValue | undefined): string | undefined {
  const types: string[] = [];
  for (const [at, key] of (entriesOf(state)?.keys ?? []).entries()) {
    const value = entriesOf(state)?.values[at];
    if (typeof key === 'string' && shardingKey.test(key) && typeof value === 'string') types.push(value);
    const inner = member(value, 'param_state_sharding_type');
    if (typeof inner === 'string') types.push(inner);
  }
  return types.find((type) => fixedModelParallel.has(type)) ?? types[0];
}

const shardingKey = /(^|\.)(param_state_sharding_type|distrib_optim_sharding_type)$/;

/** metadata.json is written when all ranks are done (megatron/core/dist_checkpointing/strategies/fully_parallel.py and base.py). */
function noteUnfinished(parts: Parts, listing: Listing, root: string): void {
  const file = root === '' ? 'metadata.json' : `${root}/metadata.json`;
  const isNamed = isIteration(root === '' ? listing.rootName : baseName(root));
  if (!isNamed || listing.entry(file) !== undefined || parts.findings.some(({ code }) => code === 'save-unfinished')) return;
  parts.findings.push({ code: 'save-unfinished', facts: { detail: `${file}, which Megatron writes last, is missing` } });
}

/**
 * metadata.json declares a `common_backend` where `common.pt` belongs to the save (fsdp_dtensor has none); Megatron Core raises without
 * the file
 * (megatron/core/dist_checkpointing/strategies/common.py: load_common). Which sizes can load the rest is unknown then.
 */
function noteMissingCommon({ parts, side }: ReadResult, listing: Listing, root: string): void {
  const file = joinPath(root, 'common.pt');
  const metadata = side.json.get(joinPath(root, 'metadata.json'));
  const isDeclared = memberOf(metadata, 'common_backend') === 'torch' && memberOf(metadata, 'sharded_backend') !== 'fsdp_dtensor';
  if (!isDeclared || listing.entry(file) !== undefined) return;
  parts.findings.push({ code: 'common-state-missing', facts: { file } });
  delete parts.reshard;
}

/** What Megatron's files are; the others are named as everywhere. */
function megatronRole(path: string, roles: RolesOfPaths): FileRole {
  const name = baseName(path);
  if (name === 'common.pt')
    return {
      role: 'common-state',
      component: 'trainerState',
      reader: 'torch',
      tensors: componentOfMegatron,
      format: 'torch-zip',
    };
  if (/^(latest_)?train_state\.pt$/.test(name))
    return {
      role: 'run-counters',
      component: 'trainerState',
      reader: 'torch',
      tensors: 'trainerState',
      format: 'torch-zip',
    };
  if (/^(integrity|metadata)\.json$/.test(name))
    return { role: 'save-index', component: 'container', reader: 'json', tensors: 'container', format: 'json' };
  if (name === 'latest_checkpointed_iteration.txt')
    return {
      role: 'newest-name',
      component: 'container',
      reader: 'text',
      tensors: 'container',
      format: 'text',
    };
  if (/^shard_[\d._]+\.pt$/.test(name)) {
    const key = baseName(parentPath(path));
    const { component } = componentOfMegatron([key]);
    return {
      role: 'stored-object',
      component,
      reader: 'torch',
      tensors: componentOfMegatron,
      format: 'torch-zip',
      prefix: [key, name],
    };
  }
  if (parentPath(path).split('/').includes('context'))
    return { ...roles.of(path), role: 'model-and-tokenizer-configuration', component: 'config', reader: 'none' };
  const role = roles.of(path);
  return role.tensors === componentOfPath ? { ...role, tensors: componentOfMegatron } : role;
}

/**
 * The component of a tensor by its name: `optimizer.state.<kind>.<parameter>`, `…bucket_idx_<n>.<kind>`, `rng_state/shard_…`, and the
 * model's names at the root. Optimizers in a chain have a `chained_<n>.` before.
 */
function componentOfMegatron(keyPath: readonly string[]): PathComponent {
  const keys = keyPath.flatMap((key) => key.split(/[./]/)).filter((key) => !/^chained_\d+$/.test(key));
  const [first = ''] = keys;
  if (first === 'optimizer') {
    const kind = keys[1] === 'state' ? (keys[2] as string) : (keys.at(-1) as string);
    return kind === 'param' || kind === 'fp32_param'
      ? { component: 'masterWeights', part: 'whole' }
      : componentOfOptimizerPath([kind]);
  }
  const whole = componentOfKey.get(first);
  return { component: whole ?? 'weights', part: 'whole' };
}

const componentOfKey = new Map<string, ComponentId>([
  ['rng_state', 'rng'],
  ['opt_param_scheduler', 'scheduler'],
  ['rerun_state_machine_state', 'trainerState'],
  ['common_state', 'trainerState'],
  ['content_metadata', 'trainerState'],
  ['args', 'trainerState'],
]);
