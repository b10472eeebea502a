/** What the outputs of a cluster's programs give a plan, each input with the command that it is from. */
import { parseLustreQuota } from '../../bandwidth/fileSystemPrograms.js';
import type { InputOrigin, PlanDocument } from '../inputs/planDocument.js';
import { planFields } from '../inputs/planFields.js';
import { planKeys, problemOf, type InputProblem, type PlanKey } from '../inputs/planInputs.js';
import type { PlanValues } from '../sources/documentOf.js';
import { storeOfType } from '../systems/storeOfType.js';
import type { ClusterCommandId, ClusterPlace } from './clusterCommands.js';
import { gpuIdOf, parseNvidiaSmi } from './gpuOutput.js';
import { parseKillWait, parsePartitions, parseSinfo, type Partition, type PartitionNodes } from './slurmOutput.js';
import { parseDf, parseLfsDf, type StorageRoom } from './storageOutput.js';

/** What each command printed; null where there is no such program, or it failed or took too long. */
export type ClusterOutputs = Readonly<Partial<Record<ClusterCommandId, string | null>>>;

export interface ClusterFacts {
  inputs: PlanDocument['inputs'];
  origins: PlanDocument['origins'];
  /** What was not taken, by what it is of. */
  problems: InputProblem[];
}

type Source = { text: string; kind: InputOrigin['kind']; values: PlanValues };

/** @param partition whose jobs the plan is for; null takes the default one, or the one with most GPUs */
export function clusterFacts(outputs: ClusterOutputs, place: ClusterPlace, partition: string | null): ClusterFacts {
  const problems: InputProblem[] = [];
  const sources = [
    ...slurmSources(outputs, partition, problems),
    ...gpuSources(outputs),
    ...storageSources(outputs, place, problems),
  ];
  const facts: ClusterFacts = { inputs: {}, origins: {}, problems };
  for (const { values, kind, text } of sources)
    for (const key of planKeys) {
      const value = values[key];
      if (value == null) continue;
      const problem = problemOf(planFields[key], value);
      if (problem !== null) problems.push({ key: text, text: `${key} ${problem}` });
      // What comes first is nearer to the job: a node's memory as Slurm has it before that of a login node.
      else if (facts.inputs[key] === undefined) Object.assign(facts, withFact(facts, key, value, { kind, text }));
    }
  return facts;
}

function withFact({ inputs, origins }: ClusterFacts, key: PlanKey, value: unknown, origin: InputOrigin): Partial<ClusterFacts> {
  return { inputs: { ...inputs, [key]: value }, origins: { ...origins, [key]: origin } };
}

function slurmSources(outputs: ClusterOutputs, named: string | null, problems: InputProblem[]): Source[] {
  const nodes = parseSinfo(outputs.nodes ?? '').filter(({ isUp }) => isUp);
  const partitions = parsePartitions(outputs.partitions ?? '');
  const name = partitionOf(nodes, partitions, named);
  if (named !== null && name === null) problems.push({ key: 'partition', text: `${named} is none that Slurm lists` });
  const partition = partitions.find((one) => one.name === name);
  const killWait = parseKillWait(outputs.slurm ?? '');
  const kinds = nodes.filter((kind) => kind.partition === name);
  const [most] = [...kinds].sort((a, b) => b.nodes * b.gpus - a.nodes * a.gpus);
  return [
    ...(most === undefined ? [] : [nodesSource(most)]),
    ...(partition === undefined ? [] : [partitionSource(partition)]),
    ...(most === undefined ? [] : [{ ...nodesSource(most), values: { walltimeSeconds: most.walltimeSeconds } }]),
    ...(killWait === null ? [] : [{ text: 'scontrol show config', kind: 'read' as const, values: { graceSeconds: killWait } }]),
  ];
}

/** The one that is named, the default one where it has GPUs, or else the one with most of them. */
function partitionOf(nodes: readonly PartitionNodes[], partitions: readonly Partition[], named: string | null): string | null {
  const gpusIn = (name: string) =>
    nodes.filter((kind) => kind.partition === name).reduce((sum, kind) => sum + kind.nodes * kind.gpus, 0);
  const names = [...new Set([...nodes.map((kind) => kind.partition), ...partitions.map(({ name }) => name)])];
  if (named !== null) return names.find((name) => name === named) ?? null;
  const standard = partitions.find(({ isDefault }) => isDefault)?.name;
  if (standard !== undefined && gpusIn(standard) > 0) return standard;
  const [largest] = [...names].sort((a, b) => gpusIn(b) - gpusIn(a));
  return largest === undefined || gpusIn(largest) === 0 ? (standard ?? null) : largest;
}

function nodesSource({ partition, nodes, gpus, gpuType, memoryBytes }: PartitionNodes): Source {
  return {
    text: `sinfo, partition ${partition}`,
    kind: 'read',
    values: {
      ...(gpus === 0 ? {} : { gpus: nodes * gpus, gpusPerNode: gpus }),
      gpu: gpuIdOf(gpuType, null),
      hostMemoryBytes: memoryBytes,
    },
  };
}

/** The grace period of a preemption is the longer warning, where there is one. */
function partitionSource({ name, walltimeSeconds, graceSeconds }: Partition): Source {
  return { text: `scontrol show partition, ${name}`, kind: 'read', values: { walltimeSeconds, graceSeconds } };
}

function gpuSources({ gpus: output }: ClusterOutputs): Source[] {
  const gpus = parseNvidiaSmi(output ?? '');
  if (gpus === null) return [];
  const { name, count, memoryBytes, watts } = gpus;
  return [
    {
      text: 'nvidia-smi',
      kind: 'measured',
      values: { gpu: gpuIdOf(name, memoryBytes), gpusPerNode: count, deviceMemoryBytes: memoryBytes, gpuWatts: watts },
    },
  ];
}

function storageSources(outputs: ClusterOutputs, { system, directory }: ClusterPlace, problems: InputProblem[]): Source[] {
  if (directory === null) return [];
  const df = parseDf(outputs.room ?? '', system === 'linux');
  const lustre = parseLfsDf(outputs.lustre ?? '');
  const type = lustre?.type ?? df?.type ?? null;
  const store = type === null ? null : storeOfType(type);
  if (store === null && df !== null) {
    const what = type === null ? 'a file system of unknown type' : type.slice(0, 40);
    problems.push({ key: directory, text: `is on ${what}, which is no shared storage that plans know: nothing of it is taken` });
  }
  if (store === null) return [];
  const quota = parseLustreQuota(outputs.quota ?? '');
  const room = lustre ?? df;
  return [
    ...(quota === null ? [] : [{ ...ofRoom('lfs quota', { type, sizeBytes: quota.limitBytes, usedBytes: quota.usedBytes }) }]),
    { ...ofRoom(lustre === null ? 'df' : 'lfs df', room) },
    { text: lustre === null ? 'df' : 'lfs df', kind: 'measured', values: { store } },
  ];
}

function ofRoom(text: string, room: StorageRoom | null): Source {
  return {
    text,
    kind: 'measured',
    values: room === null ? {} : { storeCapacityBytes: room.sizeBytes, storeUsedBytes: Math.min(room.usedBytes, room.sizeBytes) },
  };
}

/** A plan with the facts below what it has itself: a preset's cluster alone gives way, and its job is no larger than the partition. */
export function withClusterFacts(document: PlanDocument, facts: ClusterFacts): PlanDocument {
  const inputs: Record<string, unknown> = { ...document.inputs };
  const origins = { ...document.origins };
  for (const key of planKeys) {
    const value = facts.inputs[key];
    const own = document.inputs[key];
    if (value === undefined || (own !== undefined && origins[key]?.kind !== 'preset')) continue;
    if (key === 'gpus' && typeof own === 'number' && typeof value === 'number' && own <= value) continue;
    inputs[key] = value;
    const origin = facts.origins[key];
    if (origin !== undefined) origins[key] = origin;
  }
  return withoutParallelSizes({ ...document, inputs, origins });
}

/** A preset's parallel sizes are of its own job: on fewer GPUs than they take they give way, too. */
function withoutParallelSizes(document: PlanDocument): PlanDocument {
  const { inputs, origins } = document;
  const { gpus, tensorParallel = 1, pipelineParallel = 1 } = inputs;
  if (gpus === undefined || gpus % (tensorParallel * pipelineParallel) === 0) return document;
  const sizes = (['tensorParallel', 'pipelineParallel', 'dataParallel', 'expertParallel', 'zeroStage'] as const).filter(
    (key) => origins[key]?.kind === 'preset',
  );
  const others = <T extends object>(values: T): T =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !sizes.some((size) => size === key))) as T;
  return { ...document, inputs: others(inputs), origins: others(origins) };
}
