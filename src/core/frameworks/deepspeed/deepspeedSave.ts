/**
 * What DeepSpeed's files say together: topology, ranks, parameters, what is missing, and whether other topologies can load them.
 * Directories of Trainer, Accelerate and Lightning hold the same files.
 */
import { damagedFiles } from '../../checkpoints/damagedFiles.js';
import { loadsAnywhere, loadsAsSaved, loadsConverted } from '../../checkpoints/reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, joinPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import type { Reshard, SizeChanges, Topology } from '../../checkpoints/checkpointReport.js';
import { findDeepSpeedDuplicates } from './deepspeedDuplicates.js';
import { findDeepSpeedReplicas } from './deepspeedReplicas.js';
import { hasGatheredWeights } from './gatheredWeights.js';
import {
  emptyTag,
  expectedExpertFiles,
  expectedRankFiles,
  rankOfExpertFile,
  rankOfFile,
  findTags,
  findUniversalTags,
  rankName,
  type RankFile,
  type TagFiles,
} from './deepspeedFiles.js';
import { flatWeights } from './flatWeights.js';
import { findOtherPartitions } from './masterPartitions.js';
import { findMissingLayers, floatElements } from './pipelineLayers.js';
import { findOtherUniversalShapes } from './universalShapes.js';
import { checkUniversalParameters, universalElements } from './universalParameters.js';
import {
  modelStateOf,
  universalStateOf,
  shardStateOf,
  statedForms,
  statedParameters,
  type ModelState,
  type ShardState,
  type StatedForms,
  type StatedParameters,
} from './deepspeedState.js';
import { isReplicatedByName } from '../../checkpoints/layouts/replicatedNames.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { findMissingRankFiles, findMixedCounts, findMixedSteps, findSmallFiles } from '../../checkpoints/layouts/rankChecks.js';
import { unknownTopology, type Parts } from '../../checkpoints/parts.js';
import { followPointers } from '../../checkpoints/layouts/pointers.js';
import type { ReadResult } from '../../checkpoints/readFiles.js';
import { pickledRoots } from '../../checkpoints/layouts/stateSteps.js';

export interface DeepSpeedFacts {
  /** Directory of the save that the facts are of. */
  directory: string;
  step: number | null;
  version: string | null;
  topology: Topology;
}

/** A rank's file with what is in it. */
interface Read<State> extends RankFile {
  state: State;
}

/**
 * Adds what is known of DeepSpeed's files among the parts: topology, ranks, parameters, what is missing, stored twice, and whether
 * other topologies can load it. Undefined where there are none of its files; nothing is changed then.
 * @param rootName name of the inspected directory, where it may be a save itself
 */
export function describeDeepSpeed(result: ReadResult, rootName = ''): DeepSpeedFacts | undefined {
  const { parts } = result;
  const paths = parts.files.map((file) => file.path);
  const tags = findTags(paths);
  const universal = findUniversalTags(paths);
  const listed: ListedFiles = {
    parts,
    rootName,
    paths: new Set(paths),
    roots: pickledRoots(parts.objects),
    universal,
    layerElements: floatElements(parts, new Set(tags.flatMap((tag) => tag.layers.map(({ path }) => path)))),
    damaged: damagedFiles(parts),
    elementsOfUniversal: universal.size === 0 ? new Map() : universalElements(parts),
  };
  const pointers = followPointers(result, pointerNames);
  // A universal checkpoint may have lost its model states.
  const own = new Set(tags.map(({ directory }) => directory));
  const stateless = [...listed.universal].filter((directory) => !own.has(directory)).map(emptyTag);
  const saves = [...tags, ...stateless].map((tag) => describeTag(listed, tag));
  const current = saves.find(({ facts }) => pointers.has(facts.directory)) ?? saves[tags.length - 1] ?? saves.at(-1);
  if (current === undefined) return undefined;
  const { facts, parameters } = current;
  parts.topology = facts.topology;
  parts.reshard = reshardOf(facts.topology, current);
  if (parameters !== undefined) {
    const noted = 'Summed from the shapes that DeepSpeed notes for each parameter (param_shapes, frozen_param_shapes)';
    const replicas = isTensorParallel(facts.topology) ? '; what tensor-parallel ranks hold whole by its name, once' : '';
    const source = current.areNoted ? `${noted}${replicas}.` : 'Summed from the shapes of zero/<parameter>/fp32.pt.';
    parts.parameters = { unique: parameters, source };
  }
  parts.replicas = findDeepSpeedReplicas(parts, tags, (tag) =>
    saves.some(({ facts: own }) => own.directory === tag.directory && !isTensorParallel(own.topology)),
  );
  const stated = hasMasterWeights(facts.topology, tags, listed.universal) ? formsOf(tags, listed.roots) : undefined;
  appendAll(parts.duplicates, findDeepSpeedDuplicates(parts, tags, stated));
  if (stated !== undefined) notePlaceholders(parts, stated, flatWeights(parts, tags, listed.roots));
  return facts;
}

/** Whether all shards of ZeRO-3, or the files by parameter, are there: a gathered copy of the weights is a second one only then. */
function hasMasterWeights(
  { zeroStage, worldSize }: Topology,
  tags: readonly TagFiles[],
  universal: ReadonlySet<string>,
): boolean {
  return zeroStage === 3 && tags.every((tag) => universal.has(tag.directory) || tag.shards.length >= (worldSize ?? 1));
}

/** Of the first model state of each model-parallel rank: the data-parallel ranks note the same. */
function formsOf(tags: readonly TagFiles[], roots: ReadonlyMap<string, PickleValue>): StatedForms {
  const first = new Map<string, PickleValue>();
  for (const { directory, modelStates } of tags)
    for (const { path, model } of modelStates) {
      const root = roots.get(path);
      if (root !== undefined && !first.has(`${directory}:${model}`)) first.set(`${directory}:${model}`, root);
    }
  return statedForms([...first.values()]);
}

/** ZeRO-3 leaves an empty tensor in place of each parameter, whose shape is noted beside it. */
function notePlaceholders({ tensors }: Parts, { shapes }: StatedForms, flat: ReturnType<typeof flatWeights>): void {
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.elementsOf(row) > 0 || tensors.componentOf(row) !== 'weights') continue;
    const name = tensors.nameOf(row).replace(/^module\./, '');
    const [wholeShape, shares] = [shapes.get(name), flat.shares.get(name)];
    if (wholeShape === undefined) continue;
    tensors.setExtra(row, { wholeShape, ...(shares && { shares }) });
    const rowOfShares = flat.rows.get(name);
    if (rowOfShares !== undefined) tensors.setExtra(rowOfShares, { isShare: true });
  }
}

/** DeepSpeed's own tags; those that a program gives may count something else. */
const tagName = /^global_step(\d{1,15})$/;

const pointerNames = new Set(['latest', 'latest_universal']);

/** What all saves of a directory are described from. */
interface ListedFiles {
  parts: Parts;
  rootName: string;
  paths: ReadonlySet<string>;
  roots: ReadonlyMap<string, PickleValue>;
  /** Directories of universal checkpoints. */
  universal: ReadonlySet<string>;
  /** Elements of the files of pipeline layers. */
  layerElements: ReadonlyMap<string, number>;
  /** Elements of the parameters of universal checkpoints, by their directories. */
  elementsOfUniversal: ReadonlyMap<string, number>;
  /** Files with an error of their own, which excuses what they lack. */
  damaged: ReadonlySet<string>;
}

interface SaveFacts {
  facts: DeepSpeedFacts;
  parameters: number | undefined;
  /** Whether these are counted from the shapes in the model states. */
  areNoted: boolean;
  /** None of ZeRO's shards is there. */
  isStripped: boolean;
  isElastic: boolean;
  hasUniversalInfo: boolean;
}

function describeTag(listed: ListedFiles, found: TagFiles): SaveFacts {
  const { parts, roots } = listed;
  const { tag, stale } = withoutStaleRanks(listed, found);
  appendAll(parts.findings, stale);
  nameRanks(parts, tag);
  const models = readAll(tag.modelStates, roots, modelStateOf);
  const shards = readAll(tag.shards, roots, shardStateOf);
  const state = usualState(models);
  const shared = universalStateOf(roots.get(joinPath(tag.directory, 'zero/optimizer_state.pt')));
  const shardStage = shards.find((file) => file.state.zeroStage !== null)?.state.zeroStage ?? null;
  const topology = topologyOf(tag, state, shardStage ?? shared.zeroStage, shared.partitions);
  const stated = statedByModelRank(models, roots, isTensorParallel(topology));
  const [first] = stated.values();
  const experts = state?.experts ?? [];
  if (first !== undefined && first.localExperts > 0 && (experts[0] ?? 0) > 0)
    topology.expertParallel = Math.max(1, Math.round((experts[0] as number) / first.localExperts));
  const isStated = stated.size > 0 && stated.size === new Set(models.map((file) => file.model)).size;
  const trained = isStated ? sumOf([...stated.values()].map(({ count, frozen }) => count - frozen)) : undefined;
  const isStripped = (topology.zeroStage ?? 0) > 0 && tag.shards.length === 0 && !listed.universal.has(tag.directory);
  findMissing(listed, tag, topology, { experts, trained, isStripped });
  const firstStates = firstOfEachModelRank(models);
  const stateRoots = firstStates.map(({ path }) => roots.get(path) as PickleValue);
  appendAll(parts.findings, findMissingLayers(tag, stateRoots, listed.layerElements, listed.damaged));
  if (listed.universal.has(tag.directory)) noteUniversal(listed, tag);
  appendAll(parts.findings, findMixedSteps(models.map(stepOf)));
  const stepped = models.map(stepOf).find(({ step }) => step !== null);
  const name = baseName(tag.directory === '' ? listed.rootName : tag.directory);
  if (stepped !== undefined) appendAll(parts.findings, findOtherStep({ name, ...stepped }, tagName));
  appendAll(parts.findings, findMixedSteps(shards.map(stepOf)));
  const otherJobs = findOtherJobs(models, shards, topology.dataParallel);
  appendAll(parts.findings, otherJobs);
  if (otherJobs.length === 0) appendAll(parts.findings, findOtherMasters(listed, firstStates, shards, topology));
  findSmallShards(parts, tag);
  // Expert and pipeline files hold all weights themselves, each once.
  const isCounted = tag.experts.length > 0 || tag.layers.length > 0;
  return {
    facts: { directory: tag.directory, step: state?.step ?? null, version: state?.version ?? null, topology },
    parameters: isCounted
      ? undefined
      : isStated
        ? sumOf([...stated.values()].map(({ count }) => count))
        : listed.elementsOfUniversal.get(tag.directory),
    areNoted: isStated,
    isStripped,
    isElastic: models.some((file) => file.state.isElastic),
    hasUniversalInfo: models.some((file) => file.state.hasUniversalInfo),
  };
}

/** The first model state of as many ranks as most of them state: another one may be of another job. */
function usualState(models: readonly Read<ModelState>[]): ModelState | undefined {
  const counts = new Map<number | null, number>();
  for (const { state } of models) counts.set(state.dataParallel, (counts.get(state.dataParallel) ?? 0) + 1);
  const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0);
  return models.find(({ state }) => counts.get(state.dataParallel) === most)?.state;
}

function readAll<State>(
  files: readonly RankFile[],
  roots: ReadonlyMap<string, PickleValue>,
  stateOf: (root: PickleValue) => State,
): Read<State>[] {
  return files.flatMap((file) => {
    const root = roots.get(file.path);
    return root === undefined ? [] : [{ ...file, state: stateOf(root) }];
  });
}

/**
 * Leaves out files of data-parallel ranks beyond those of the save: DeepSpeed deletes nothing of an earlier save of more ranks. Below as
 * many ranks as the states are partitioned over, a file belongs to the save, whatever the model states count (sequence parallelism).
 */
function withoutStaleRanks({ parts, roots }: ListedFiles, tag: TagFiles): { tag: TagFiles; stale: Finding[] } {
  const stated = usualState(readAll(tag.modelStates, roots, modelStateOf))?.dataParallel ?? null;
  if (stated === null) return { tag, stale: [] };
  const own = readAll(tag.shards, roots, shardStateOf).filter(({ data }) => (data ?? 0) < stated);
  const partitions = own.map(({ state }) => state.partitions ?? 0);
  // One that disagrees with the others is of another job itself.
  const ranks = partitions.includes(stated) ? stated : Math.max(stated, largest(partitions));
  const isOwn = ({ data }: RankFile): boolean => data === null || data < ranks;
  const stale = [...tag.modelStates, ...tag.shards].filter((file) => !isOwn(file)).map(({ path }) => path);
  if (stale.length === 0) return { tag, stale: [] };
  const paths = new Set(stale);
  const bytes = sumOf(parts.files.filter(({ path }) => paths.has(path)).map(({ sizeBytes }) => sizeBytes));
  const facts = { files: stale.length, bytes, first: stale.slice(0, 5).map(baseName).join(', '), refusedBy: 'zero_to_fp32.py' };
  return {
    tag: { ...tag, modelStates: tag.modelStates.filter(isOwn), shards: tag.shards.filter(isOwn) },
    stale: [{ code: 'stale-files', path: stale[0] as string, facts }],
  };
}

/** Where data-parallel ranks have files of their own, the model states that they share are no share of one rank. */
function nameRanks(parts: Parts, tag: TagFiles): void {
  const files = [...tag.modelStates, ...tag.shards];
  const own = files.filter(({ data }) => data !== null);
  const names = new Map((own.length > 0 ? own : files).map((file) => [file.path, rankName(file)]));
  for (const file of parts.files) {
    const rank = names.get(file.path);
    if (rank !== undefined) file.rank = rank;
  }
}

/** All model-parallel ranks are tensor-parallel ones: no stage has layers of its own. */
function isTensorParallel({ tensorParallel, pipelineParallel }: Topology): boolean {
  return (tensorParallel ?? 1) > 1 && (pipelineParallel ?? 1) === 1;
}

/**
 * Parameters of each model-parallel rank, from its first file: the data-parallel ranks say the same. What tensor-parallel ranks hold
 * whole counts for the first of them.
 */
function statedByModelRank(
  models: readonly Read<ModelState>[],
  roots: ReadonlyMap<string, PickleValue>,
  hasReplicas: boolean,
): Map<number, StatedParameters> {
  const stated = new Map<number, StatedParameters>();
  const first = models[0]?.model;
  for (const { path, model } of models) {
    if (stated.has(model)) continue;
    const isReplica = (name: string): boolean => hasReplicas && model !== first && isReplicatedByName(name);
    const parameters = statedParameters(roots.get(path) as PickleValue, isReplica);
    if (parameters !== undefined) stated.set(model, parameters);
  }
  return stated;
}

/** From what the states say; where none can be read, from the numbers in the names, which then are at least as large. */
function topologyOf(
  tag: TagFiles,
  state: ModelState | undefined,
  shardStage: number | null,
  partitions: number | null,
): Topology {
  const modelParallel = state?.modelParallel ?? largest([...tag.modelStates, ...tag.shards].map((file) => file.model)) + 1;
  const named = largest([...tag.modelStates, ...tag.shards].map((file) => file.data ?? 0)) + 1;
  const dataParallel = state?.dataParallel ?? Math.max(named, partitions ?? 1);
  const isPipeline = tag.layers.length > 0;
  const tensorParallel =
    state?.tensorParallel ?? (isPipeline ? largest(tag.layers.map((file) => file.tensorRank ?? 0)) + 1 : modelParallel);
  const pipelineParallel = state?.pipelineParallel ?? Math.max(1, Math.floor(modelParallel / tensorParallel));
  const namedStage = tag.modelStates.some((file) => file.data !== null) ? 3 : null;
  return {
    ...unknownTopology(),
    worldSize: Number.isSafeInteger(dataParallel * modelParallel) ? dataParallel * modelParallel : null,
    dataParallel,
    tensorParallel,
    pipelineParallel: isPipeline ? Math.max(pipelineParallel, Math.floor(modelParallel / tensorParallel)) : pipelineParallel,
    zeroStage: shardStage ?? namedStage ?? state?.configuredStage ?? null,
  };
}

function findMissing(
  { parts, paths, universal }: ListedFiles,
  tag: TagFiles,
  topology: Topology,
  { experts, trained, isStripped }: { experts: readonly number[]; trained: number | undefined; isStripped: boolean },
): void {
  const dataParallel = topology.dataParallel ?? 1;
  const modelParallel = Math.max(1, Math.floor((topology.worldSize ?? 1) / Math.max(1, dataParallel)));
  const zeroStage = topology.zeroStage ?? 0;
  const has = (path: string): boolean => paths.has(path);
  // Below stage 3 the model states hold all weights: without any shard they are what is left. In stage 3 it is a gathered copy, if any.
  if (isStripped) {
    const files = dataParallel * modelParallel;
    const hasWeights = zeroStage < 3 || hasGatheredWeights(parts, tag, trained);
    parts.findings.push(
      hasWeights
        ? { code: 'zero-shards-missing', facts: { files, stage: zeroStage } }
        : { code: 'zero-weights-missing', facts: { files } },
    );
  }
  const hasShards = zeroStage > 0 && !isStripped && !universal.has(tag.directory);
  const expected = expectedRankFiles(tag, { dataParallel, modelParallel, zeroStage, hasShards });
  appendAll(
    parts.findings,
    findMissingRankFiles(expected, has, dataParallel * modelParallel, (path) => rankOfFile(path) ?? path),
  );
  if (tag.layers.length > 0 || tag.experts.length === 0) return;
  const expectedExperts = expectedExpertFiles(tag, experts, modelParallel);
  const rankOf = (path: string): string => rankOfExpertFile(path, experts, topology.expertParallel ?? 1);
  appendAll(parts.findings, findMissingRankFiles(expectedExperts, has, dataParallel * modelParallel, rankOf));
}

function noteUniversal({ parts, paths, roots }: ListedFiles, tag: TagFiles): void {
  const states = tag.modelStates.map(({ path }) => roots.get(path)).filter((root) => root !== undefined);
  const optimizer = roots.get(joinPath(tag.directory, 'zero/optimizer_state.pt'));
  const check = checkUniversalParameters(tag.directory, states, optimizer, (path) => paths.has(path));
  appendAll(parts.findings, check.findings);
  const isWhole = tag.modelStates.every(({ model }) => model === 0);
  appendAll(parts.findings, findOtherUniversalShapes(parts, tag.directory, isWhole ? states : []));
  if (check.isOptimizerMissing) parts.remnants = new Set(['optimizer']);
}

/** ZeRO's shards of one model-parallel rank are of equal size, but for padding and remarks. */
function findSmallShards(parts: Parts, tag: TagFiles): void {
  const sizes = new Map(parts.files.map((file) => [file.path, file.sizeBytes]));
  const byModel = new Map<number, { path: string; sizeBytes: number }[]>();
  for (const { path, model } of tag.shards) {
    const files = byModel.get(model) ?? [];
    byModel.set(model, files);
    files.push({ path, sizeBytes: sizes.get(path) ?? 0 });
  }
  for (const files of byModel.values()) appendAll(parts.findings, findSmallFiles(files));
}

/** The model state that is listed first of each model-parallel rank. */
function firstOfEachModelRank(models: readonly Read<ModelState>[]): Read<ModelState>[] {
  const first = new Map<number, Read<ModelState>>();
  for (const file of models) if (!first.has(file.model)) first.set(file.model, file);
  return [...first.values()];
}

/** Compares the master weights of each model-parallel rank whose shards are all there with what its model state trains. */
function findOtherMasters(
  { roots, damaged }: ListedFiles,
  models: readonly Read<ModelState>[],
  shards: readonly Read<ShardState>[],
  { dataParallel }: Topology,
): Finding[] {
  const byModel = new Map<number, Read<ShardState>[]>();
  for (const shard of shards) {
    const own = byModel.get(shard.model) ?? [];
    byModel.set(shard.model, own);
    own.push(shard);
  }
  return models.flatMap(({ path, model }) => {
    const own = byModel.get(model) ?? [];
    if (own.length !== dataParallel || damaged.has(path) || own.some((shard) => damaged.has(shard.path))) return [];
    const state = roots.get(path) as PickleValue;
    return findOtherPartitions(
      state,
      own.map((shard) => ({ path: shard.path, root: roots.get(shard.path) as PickleValue })),
    );
  });
}

/** Rank files of a job of another size. Model states and shards are compared apart: MiCS partitions over fewer ranks than the job has. */
function findOtherJobs(
  models: readonly Read<ModelState>[],
  shards: readonly Read<ShardState>[],
  dataParallel: number | null,
): Finding[] {
  return [
    ...findMixedCounts(
      models.map(({ path, state }) => ({ path, ranks: state.dataParallel })),
      dataParallel,
    ),
    ...findMixedCounts(
      shards.map(({ path, state }) => ({ path, ranks: state.partitions })),
      dataParallel,
    ),
  ];
}

function stepOf({ path, state }: Read<{ step: number | null }>): { path: string; step: number | null } {
  return { path, step: state.step };
}

/**
 * Below stage 3 the script stops at a model state without `universal_checkpoint_info`, which the training code adds, unless it is to
 * inject it (deepspeed/checkpoint/ds_to_universal.py: _check_for_required_state). An unknown stage may be such a one.
 */
function conversionOf(zeroStage: number | null, hasUniversalInfo: boolean): string {
  const command = 'python -m deepspeed.checkpoint.ds_to_universal --input_folder SAVED --output_folder CONVERTED';
  return zeroStage === 3 || hasUniversalInfo ? command : `${command} --inject_missing_state`;
}

function reshardOf(
  { zeroStage, dataParallel, worldSize }: Topology,
  { isStripped, isElastic, hasUniversalInfo }: Pick<SaveFacts, 'isStripped' | 'isElastic' | 'hasUniversalInfo'>,
): Reshard {
  if (isStripped && zeroStage === 3) return loadsAnywhere('The gathered weights are whole: a job of any sizes loads them.');
  const isModelParallel = (worldSize ?? 1) > (dataParallel ?? 1);
  const fixed = 'the same tensor- and pipeline-parallel sizes';
  // Each model-parallel rank loads the file of its own number, `mp_rank_<n>`.
  const free: Partial<SizeChanges> = { dataParallel: 'load' };
  if (zeroStage === 0) return loadsAsSaved(`Without ZeRO any data-parallel size can load it, with ${fixed}.`, free);
  if (isStripped) return loadsAsSaved(`The weights load with any data-parallel size, and ${fixed}.`, free);
  if (isElastic) return loadsAsSaved(`elastic_checkpoint is on: any data-parallel size can load it, with ${fixed}.`, free);
  const andFixed = isModelParallel ? ` and ${fixed}` : '';
  return loadsConverted(
    `ZeRO’s shards load with the same data-parallel size (${dataParallel ?? '?'})${andFixed}; for another one convert them with ds_to_universal.py.`,
    conversionOf(zeroStage, hasUniversalInfo),
  );
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
