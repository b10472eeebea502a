/**
 * Training whose state does not fit on the GPUs: what moves between GPU, host memory and drives at each step, and when that is what
 * training waits for. After ZeRO-Offload (Ren et al. 2021) and ZeRO-Infinity (Rajbhandari et al. 2021): the CPU updates the weights.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import { driveWear, type DriveWear } from '../keeping/driveWear.js';
import type { Topology } from '../saving/writers.js';
import { tokensPerStepOf } from './stepTime.js';
import type { StateBytes } from './memory.js';

export type OffloadKind = Exclude<PlanInputs['offload'], 'none'>;

export interface OffloadCost {
  kind: OffloadKind;
  /** Of one node, at each step; drives only. */
  readBytes: number;
  writtenBytes: number;
  /** Over PCIe between GPUs and host memory, one node. */
  hostBytes: number;
  /** To have it all done in the time of a step, reading and writing by turns. */
  neededBytesPerSecond: number;
  /** In blocks of 1 MiB. */
  operationsPerSecond: number;
  /** How long the node's drives, or PCIe, take; Infinity where there are no drives. */
  movedSeconds: number;
  /** Moved ÷ step: above 1 training waits for it, however well it overlaps. */
  shareOfStep: number;
  isStorageBound: boolean;
  wear: DriveWear | null;
  /** What the node must have room for. */
  roomBytes: number;
  fits: boolean;
  /** Whether GPU-direct storage shortens it: only bytes that go between drives and GPUs can take the short way. */
  gpuDirect: 'no-drives' | 'no-cpu-updates' | 'weights-only';
  /** Share of the moved bytes that could go the direct way. */
  directShare: number;
}

export interface Offload {
  stepSeconds: number;
  /** `batch`: tokens of a global batch, given or assumed, ÷ tokens a second. */
  stepBasis: 'given' | 'batch';
  batchTokens: number;
  /** All kinds, so that the plan's can be compared. */
  kinds: OffloadCost[];
  /** Null where the plan offloads nothing. */
  planned: OffloadCost | null;
}

/** Tokens of a global batch that large runs use (Llama 3 began with 4 million), where no step time is given. */
export const usualBatchTokens = 4 * 2 ** 20;
/** What DeepSpeed's asynchronous I/O reads and writes in by default (aio block_size). */
const blockBytes = 2 ** 20;

/** @param tokensPerSecond of the whole job */
export function offload(inputs: PlanInputs, topology: Topology, state: StateBytes, tokensPerSecond: number): Offload {
  const ownBatch = topology.dataParallel * inputs.microBatch * inputs.sequenceLength;
  const batchTokens = tokensPerStepOf(inputs) ?? Math.max(usualBatchTokens, ownBatch);
  const stepSeconds = inputs.stepSeconds ?? batchTokens / tokensPerSecond;
  const kinds = (['optimizer-memory', 'optimizer-nvme', 'all-nvme'] as const).map((kind) =>
    offloadCost(kind, inputs, state, nodeParameters(inputs, topology), stepSeconds),
  );
  return {
    stepSeconds,
    stepBasis: inputs.stepSeconds === null ? 'batch' : 'given',
    batchTokens,
    kinds,
    planned: kinds.find(({ kind }) => kind === inputs.offload) ?? null,
  };
}

/** Parameters whose optimizer state one node holds. Offloading shards it over all replicas, whatever stage the plan has. */
function nodeParameters({ parameters, gpusPerNode, gpus }: PlanInputs, topology: Topology): number {
  const ranks = Math.min(topology.tensorParallel * topology.pipelineParallel * topology.dataParallel, gpus);
  return (parameters * Math.min(gpusPerNode, ranks)) / ranks;
}

function offloadCost(
  kind: OffloadKind,
  inputs: PlanInputs,
  state: StateBytes,
  parameters: number,
  stepSeconds: number,
): OffloadCost {
  const moved = movedBytes(kind, state, parameters);
  const isOnDrives = kind !== 'optimizer-memory';
  const driveBytes = moved.read + moved.written;
  const movedSeconds = isOnDrives
    ? timeOf(moved.read, inputs.nvmeReadBytesPerSecond) + timeOf(moved.written, inputs.nvmeWriteBytesPerSecond)
    : moved.host / (inputs.deviceToHostBytesPerSecond * inputs.gpusPerNode);
  const roomBytes = parameters * (state.optimizer + (kind === 'all-nvme' ? state.weights + state.gradients : 0));
  return {
    kind,
    readBytes: moved.read,
    writtenBytes: moved.written,
    hostBytes: moved.host,
    neededBytesPerSecond: (isOnDrives ? driveBytes : moved.host) / stepSeconds,
    operationsPerSecond: driveBytes / blockBytes / stepSeconds,
    movedSeconds,
    shareOfStep: movedSeconds / stepSeconds,
    isStorageBound: movedSeconds > stepSeconds,
    wear: isOnDrives && Number.isFinite(movedSeconds) ? driveWear(moved.written / stepSeconds, inputs.nvmeCapacityBytes) : null,
    roomBytes,
    fits: roomBytes <= (isOnDrives ? inputs.nvmeCapacityBytes : inputs.hostMemoryBytes),
    gpuDirect: !isOnDrives ? 'no-drives' : kind === 'optimizer-nvme' ? 'no-cpu-updates' : 'weights-only',
    directShare: driveBytes === 0 ? 0 : moved.direct / driveBytes,
  };
}

interface Moved {
  read: number;
  written: number;
  host: number;
  /** Of read and written, what goes to or comes from GPUs. */
  direct: number;
}

/** Optimizer state is read and written once a step; offloaded weights are read forward and backward, and written once. */
function movedBytes(kind: OffloadKind, { weights, gradients, optimizer }: StateBytes, parameters: number): Moved {
  const host = (gradients + weights) * parameters;
  if (kind === 'optimizer-memory') return { read: 0, written: 0, host, direct: 0 };
  const state = optimizer * parameters;
  if (kind === 'optimizer-nvme') return { read: state, written: state, host, direct: 0 };
  const streamed = 2 * weights * parameters;
  return {
    read: state + streamed + gradients * parameters,
    written: state + (weights + gradients) * parameters,
    host: streamed + gradients * parameters,
    direct: streamed,
  };
}

function timeOf(bytes: number, bytesPerSecond: number): number {
  return bytes === 0 ? 0 : bytes / bytesPerSecond;
}
