/**
 * Megatron-LM's own format before distributed checkpoints (`--ckpt-format torch`): a directory for each model-parallel rank, named
 * `mp_rank_<tensor>[_<pipeline>][_<expert>]` (megatron/training/checkpointing.py: get_checkpoint_name, get_distributed_optimizer_checkpoint_name).
 */
import { loadsConverted } from '../../checkpoints/reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import type { Topology } from '../../checkpoints/checkpointReport.js';
import { confidenceOfSaves, directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { findMegatronReplicas } from './megatronReplicas.js';
import { findLostOptimizer } from './lostOptimizer.js';
import { findOtherMastersOfRanks } from './masterWeights.js';
import { findSwappedRanks } from './swappedRanks.js';
import { readMegatronArguments, readModelSizes } from './megatronArguments.js';
import { unknownTopology, type FilePart, type Parts } from '../../checkpoints/parts.js';
import { followPointers } from '../../checkpoints/layouts/pointers.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { findMissingRankFiles, findMixedSteps } from '../../checkpoints/layouts/rankChecks.js';
import { hasOptimizerGroupsAlone } from '../../checkpoints/stateParts.js';
import { pickledRoots, countOf } from '../../checkpoints/layouts/stateSteps.js';

const rankDirectory = /^mp_rank_(\d{2,7})(?:_(\d{3,7}))?(?:_(\d{3,7}))?$/;
const gradientFile = /^mp_rank_\d{2,7}(?:_\d{3,7}){0,2}\.pth$/;
const stateName = /^model_(?:optim_)?rng\.pt$/;

export const megatronLegacy = directoryLayout(
  'megatron-legacy',
  (listing) => {
    if (listing.hasMatch(gradientFile)) return 0.85;
    const saves = new Set<string>();
    for (const { path } of listing.entries)
      if (stateName.test(baseName(path)) && rankDirectory.test(baseName(parentPath(path))))
        saves.add(parentPath(parentPath(path)));
    return confidenceOfSaves(saves);
  },
  (result, listing) => {
    const { parts } = result;
    parts.framework = { name: 'megatron-lm', version: null };
    parts.expected = ['weights', 'optimizer', 'scheduler', 'rng'];
    const targets = followPointers(result, new Set(['latest_checkpointed_iteration.txt']), iterationDirectory);
    describeRanks(parts, targets, listing.rootName);
  },
);

/** Name of a save of Megatron, with its iteration. */
export const iterationName = /^iter_(\d{7,15})$/;

/** The tracker holds a number, or `release` for weights without a training state. */
export function iterationDirectory(text: string): string {
  return /^\d{1,15}$/.test(text) ? `iter_${text.padStart(7, '0')}` : text;
}

/** A file in a rank's directory: the numbers in the directory's name, and what the file holds. */
interface RankState {
  file: FilePart;
  save: string;
  numbers: number[];
  root: PickleValue | undefined;
}

function describeRanks(parts: Parts, latest: ReadonlySet<string>, rootName: string): void {
  const roots = pickledRoots(parts.objects);
  const files = parts.files.flatMap((file): RankState[] => {
    const directory = parentPath(file.path);
    const match = rankDirectory.exec(baseName(directory));
    if (match === null) return [];
    const numbers = match
      .slice(1)
      .filter((part) => part !== undefined)
      .map(Number);
    return [{ file, save: parentPath(directory), numbers, root: roots.get(file.path) }];
  });
  const states = files.filter(({ file }) => stateName.test(baseName(file.path)));
  const current =
    states.find(({ save, root }) => latest.has(save) && root !== undefined) ?? states.find(({ root }) => root !== undefined);
  const topology = topologyOf(states, current?.root);
  parts.topology = topology;
  parts.step = countOf(member(current?.root, 'iteration'));
  const directories = new Set(files.map(({ file }) => file.path));
  for (const { file, numbers } of files) file.rank = rankName(numbers, topology);
  const ranks = new Map(states.map(({ file, save, numbers }) => [file.path, { save, ...ranksOf(numbers, topology) }]));
  parts.replicas = findMegatronReplicas(parts, ranks, member(current?.root, 'args'));
  const paths = new Set(parts.files.map((file) => file.path));
  for (const save of new Set(states.map((state) => state.save))) {
    const own = states.filter((state) => state.save === save);
    appendAll(
      parts.findings,
      findMixedSteps(own.map(({ file, root }) => ({ path: file.path, step: countOf(member(root, 'iteration')) }))),
    );
    const [first] = own.filter(({ root }) => root !== undefined);
    if (first !== undefined) {
      const name = save === '' ? rootName : baseName(save);
      const stated = { name, path: first.file.path, step: countOf(member(first.root, 'iteration')) };
      appendAll(parts.findings, findOtherStep(stated, iterationName));
    }
    appendAll(parts.findings, findMissing(save, own, topology, paths));
    appendAll(parts.findings, findMissingOptimizer(own, paths));
    appendAll(
      parts.findings,
      findSwappedRanks(
        parts,
        own.map(({ file, numbers, root }) => ({ path: file.path, named: ranksOf(numbers, topology), root })),
      ),
    );
  }
  appendAll(
    parts.findings,
    findOtherMastersOfRanks(parts, (path) => (directories.has(path) ? parentPath(path) : undefined)),
  );
  const newest = current === undefined ? '' : baseName(current.save === '' ? rootName : current.save);
  appendAll(parts.findings, findLostOptimizer(parts, member(current?.root, 'args'), newest));
  parts.reshard = loadsConverted(
    `Any data-parallel size can load it; tensor-, pipeline- and expert-parallel sizes stay (${sizesOf(topology).join(' · ')}), unless tools/checkpoint/convert.py rewrites it.`,
    convertCommand(parts),
    { dataParallel: 'load' },
  );
  parts.reshard.model = readModelSizes(member(current?.root, 'args'));
}

/** For one rank, as whoever loads it sets its sizes there. Loaders are named after the classes of the model (tools/checkpoint/convert.py). */
function convertCommand({ tensors }: Parts): string {
  let isCore = false;
  for (let row = 0; row < tensors.size && !isCore; row++) isCore = /(?:^|\.)decoder\.layers\./.test(tensors.nameOf(row));
  const kind = isCore ? 'mcore' : 'megatron';
  const sizes = '--target-tensor-parallel-size 1 --target-pipeline-parallel-size 1';
  return `python tools/checkpoint/convert.py --model-type GPT --loader ${kind} --saver ${kind} --load-dir SAVED --save-dir CONVERTED ${sizes}`;
}

/** The job's sizes by its arguments; where these cannot be read, by the directories' names. */
function topologyOf(states: readonly RankState[], root: PickleValue | undefined): Topology {
  const args = member(root, 'args');
  const stated = readMegatronArguments(args);
  const named = (position: number): number =>
    states.reduce((largest, { numbers }) => Math.max(largest, numbers[position] ?? 0), 0) + 1;
  const tensorParallel = stated.tensorParallel ?? named(0);
  const pipelineParallel = stated.pipelineParallel ?? named(1);
  const expertParallel = stated.expertParallel ?? named(2);
  const copies =
    (stated.worldSize ?? 0) / (tensorParallel * pipelineParallel * (countOf(member(args, 'context_parallel_size')) ?? 1));
  const dataParallel = stated.dataParallel ?? (copies >= 1 && Number.isSafeInteger(copies) ? copies : null);
  return { ...unknownTopology(), worldSize: stated.worldSize, dataParallel, tensorParallel, pipelineParallel, expertParallel };
}

function sizesOf({ tensorParallel, pipelineParallel, expertParallel }: Topology): [number, number, number] {
  return [tensorParallel ?? 1, pipelineParallel ?? 1, expertParallel ?? 1];
}

/** The suffix of a directory's name is the pipeline rank, and without pipeline stages the expert rank. */
function ranksOf(
  [tensor = 0, second, third]: readonly number[],
  topology: Topology,
): { tensor: number; pipeline: number; expert: number } {
  const [, pipeline, expert] = sizesOf(topology);
  const isExpert = third === undefined && pipeline === 1 && expert > 1;
  return isExpert ? { tensor, pipeline: 0, expert: second ?? 0 } : { tensor, pipeline: second ?? 0, expert: third ?? 0 };
}

function rankName(numbers: readonly number[], topology: Topology): string {
  const { tensor, pipeline, expert } = ranksOf(numbers, topology);
  const [, pipelineParallel, expertParallel] = sizesOf(topology);
  if (numbers.length < 2) return `tp ${tensor}`;
  if (numbers.length > 2) return `tp ${tensor} · pp ${pipeline} · ep ${expert}`;
  return `tp ${tensor} · ${pipelineParallel === 1 && expertParallel > 1 ? `ep ${expert}` : `pp ${pipeline}`}`;
}

/** The distributed optimizer leaves its parameter groups in the rank's state, and the state itself in `distrib_optim.pt`. */
function findMissingOptimizer(states: readonly RankState[], paths: ReadonlySet<string>): Finding[] {
  const hasAny = states.some(({ file }) => paths.has(optimizerBeside(file)));
  const lacking = states.filter(({ root }) => hasOptimizerGroupsAlone(root));
  return hasAny || lacking.length === 0 ? [] : [{ code: 'distributed-optimizer-missing', facts: { files: states.length } }];
}

function optimizerBeside({ path }: FilePart): string {
  return joinPath(parentPath(path), 'distrib_optim.pt');
}

function findMissing(save: string, states: readonly RankState[], topology: Topology, paths: ReadonlySet<string>): Finding[] {
  const [tensor, pipeline, expert] = sizesOf(topology);
  const name = baseName(states[0]?.file.path ?? '');
  const hasDistributedOptimizer = states.some(({ file }) => paths.has(optimizerBeside(file)));
  const names = hasDistributedOptimizer ? [name, 'distrib_optim.pt'] : [name];
  return findMissingRankFiles(
    expectedFiles(save, tensor, pipeline, expert, names),
    (path) => paths.has(path),
    tensor * pipeline * expert,
    parentPath,
  );
}

function* expectedFiles(
  save: string,
  tensor: number,
  pipeline: number,
  expert: number,
  names: readonly string[],
): Generator<string> {
  for (let tp = 0; tp < tensor; tp++) {
    for (let pp = 0; pp < pipeline; pp++) {
      for (let ep = 0; ep < expert; ep++) {
        const suffixes = [pipeline > 1 ? `_${digits(pp, 3)}` : '', expert > 1 ? `_${digits(ep, 3)}` : ''];
        for (const name of names) yield joinPath(save, `mp_rank_${digits(tp, 2)}${suffixes.join('')}/${name}`);
      }
    }
  }
}

function digits(rank: number, width: number): string {
  return String(rank).padStart(width, '0');
}
