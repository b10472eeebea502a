/** What is read to bring a checkpoint back, by who reads what, and how fast that must be. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { clientRateOf } from './clientRate.js';
import type { SavePlan } from './savePlan.js';

/**
 * `every-replica`: each replica reads all (Megatron-LM 2021). `shared-optimizer`: each reads the weights, and its own share of the
 * optimizer (ZeRO 1 and 2, Megatron's distributed optimizer). `own-share`: every rank reads what it keeps (ZeRO 3, FSDP).
 * `one-and-broadcast`: one replica reads and sends to the others over the network (MegaScale, MaxText, Orbax).
 */
export type RestoreWay = 'every-replica' | 'shared-optimizer' | 'own-share' | 'one-and-broadcast';

export interface RestoreAnswer {
  way: RestoreWay;
  /** That leave the storage. */
  volumeBytes: number;
  /** Nodes that read. */
  readingNodes: number;
  /** What the storage gives, or what the networks of the reading nodes carry, whichever is less. */
  bytesPerSecond: number;
  /** Reading, and sending to the other replicas. */
  seconds: number;
  /** For sending alone; 0 where every rank reads for itself. */
  broadcastSeconds: number;
  /** Read bandwidth that brings all back within the wanted time; null where sending alone takes longer. */
  neededBytesPerSecond: number | null;
}

export interface RestorePlan {
  /** Copies of most of the weights: of the topology, ÷ EP where experts are spread over them. */
  replicas: number;
  /** How often the same bytes leave the storage where every replica reads: those of one node read them from its memory after the first. */
  readings: number;
  /** In the order of the volume where a model has replicas. */
  ways: RestoreAnswer[];
  /** What the plan's ZeRO stage does unless it is set to broadcast. */
  planned: RestoreAnswer;
  broadcast: RestoreAnswer;
  /** Each replica reads all in the time that a save takes: readings × the write bandwidth (VAST, A Checkpoint on Checkpoints). */
  asFastAsSavingBytesPerSecond: number;
}

export function restorePlan(inputs: PlanInputs, size: PlannedSize, save: SavePlan): RestorePlan {
  const replicas = replicasOf(save);
  const readings = readingsOf(inputs, size, save);
  const rest = size.checkpointBytes - size.weightBytes;
  const ways = [
    answer('every-replica', size.checkpointBytes * readings, inputs, save),
    answer('shared-optimizer', size.weightBytes * readings + rest, inputs, save),
    answer('own-share', size.checkpointBytes * save.topology.shardCopies, inputs, save),
    answer('one-and-broadcast', size.checkpointBytes, inputs, save),
  ] as const;
  const [naive, shared, own, broadcast] = ways;
  return {
    replicas,
    readings,
    ways: [...ways],
    planned: inputs.zeroStage === '0' ? naive : inputs.zeroStage === '3' ? own : shared,
    broadcast,
    asFastAsSavingBytesPerSecond: naive.volumeBytes / save.saveSeconds,
  };
}

/** Nearly all weights of a mixture are experts', which only DP ÷ EP ranks repeat; the shared part is taken with them. */
function replicasOf({ topology }: SavePlan): number {
  return Math.max(1, topology.replicas / topology.expertParallel);
}

function readingsOf({ hostMemoryBytes }: PlanInputs, { checkpointBytes }: PlannedSize, save: SavePlan): number {
  const replicas = replicasOf(save);
  return checkpointBytes <= hostMemoryBytes ? Math.min(replicas, save.topology.nodes) : replicas;
}

function answer(way: RestoreWay, volumeBytes: number, inputs: PlanInputs, save: SavePlan): RestoreAnswer {
  const { topology } = save;
  const replicaGpus = Math.min(
    topology.gpus,
    topology.tensorParallel * topology.pipelineParallel * Math.min(topology.expertParallel, topology.dataParallel),
  );
  const replicaNodes = Math.ceil(replicaGpus / inputs.gpusPerNode);
  const readingNodes = way === 'one-and-broadcast' ? replicaNodes : topology.nodes;
  const bytesPerSecond = Math.min(save.readBytesPerSecond, readingNodes * clientRateOf(inputs, 'read'));
  // Sent in pieces from node to node, a broadcast takes as long as one node's slice does.
  const isSent = way === 'one-and-broadcast' && replicasOf(save) > 1;
  const broadcastSeconds = isSent ? volumeBytes / replicaNodes / inputs.networkBytesPerSecond : 0;
  const left = inputs.restoreTargetSeconds - broadcastSeconds;
  return {
    way,
    volumeBytes,
    readingNodes,
    bytesPerSecond,
    seconds: volumeBytes / bytesPerSecond + broadcastSeconds,
    broadcastSeconds,
    neededBytesPerSecond: left > 0 ? volumeBytes / left : null,
  };
}
