/** Who writes a checkpoint: one tensor × pipeline replica, or all ranks a share of it each. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';

export interface Topology {
  gpus: number;
  nodes: number;
  tensorParallel: number;
  pipelineParallel: number;
  /** Replicas of all that is not an expert. */
  dataParallel: number;
  expertParallel: number;
  /** Data-parallel GPUs that hold one copy of what is sharded: all, or fewer (HSDP). */
  shardDegree: number;
  /** Copies of what is sharded: DP ÷ shard degree. */
  shardCopies: number;
  /** Copies of the weights: DP, or those of what is sharded where weights are (ZeRO 3, FSDP). */
  replicas: number;
  /** Null where TP × PP × DP is the number of GPUs; else what the product is. */
  product: number | null;
}

export interface Writers {
  /** GPUs that write weights: one replica, or all under ZeRO-3. */
  weightWriters: number;
  /** GPUs that write optimizer state: all where it is sharded. */
  optimizerWriters: number;
  /** GPUs that write anything. */
  writers: number;
  /** Nodes with such a GPU. */
  writingNodes: number;
  /** Most that one GPU writes. */
  largestWriterBytes: number;
  /** Most that the GPUs of one node write together. */
  largestNodeBytes: number;
  /** One file for each writer and kind of state, which is what sharded writers make. */
  filesPerSave: number;
}

type TopologyInputs = Pick<
  PlanInputs,
  'gpus' | 'gpusPerNode' | 'tensorParallel' | 'pipelineParallel' | 'dataParallel' | 'expertParallel' | 'zeroStage' | 'shardDegree'
>;

export function topologyOf(inputs: TopologyInputs): Topology {
  const { gpus, gpusPerNode, tensorParallel, pipelineParallel } = inputs;
  const replica = tensorParallel * pipelineParallel;
  const dataParallel = inputs.dataParallel ?? Math.max(1, Math.floor(gpus / replica));
  const product = replica * dataParallel;
  const shardDegree = Math.min(dataParallel, inputs.shardDegree ?? dataParallel);
  const shardCopies = Math.max(1, Math.round(dataParallel / shardDegree));
  return {
    gpus,
    nodes: Math.ceil(gpus / gpusPerNode),
    tensorParallel,
    pipelineParallel,
    dataParallel,
    expertParallel: inputs.expertParallel,
    shardDegree,
    shardCopies,
    replicas: inputs.zeroStage === '3' ? shardCopies : dataParallel,
    product: product === gpus ? null : product,
  };
}

/** @param zeroStage from 1 on each replica writes its own share of the optimizer state, at 3 of the weights as well */
export function writersOf(
  topology: Topology,
  size: PlannedSize,
  zeroStage: PlanInputs['zeroStage'],
  gpusPerNode: number,
): Writers {
  const all = Math.min(topology.tensorParallel * topology.pipelineParallel * topology.dataParallel, topology.gpus);
  // Experts are spread over ranks of the data-parallel group: with them a replica of the weights is that much wider.
  const replica = Math.min(topology.tensorParallel * topology.pipelineParallel * topology.expertParallel, all);
  const weightWriters = zeroStage === '3' ? all : replica;
  const optimizerWriters = zeroStage === '0' ? replica : all;
  const ofWeights = size.weightBytes / weightWriters;
  const ofOptimizer = (size.checkpointBytes - size.weightBytes) / optimizerWriters;
  const writers = Math.max(weightWriters, size.checkpointBytes > size.weightBytes ? optimizerWriters : 0);
  // A replica's GPUs are neighbours: tensor parallel ranks share a node, so a node is full of writers or has none.
  const together = Math.min(gpusPerNode, writers);
  return {
    weightWriters,
    optimizerWriters,
    writers,
    writingNodes: Math.ceil(writers / gpusPerNode),
    largestWriterBytes: ofWeights + ofOptimizer,
    largestNodeBytes: Math.min(gpusPerNode, weightWriters) * ofWeights + Math.min(together, optimizerWriters) * ofOptimizer,
    filesPerSave: weightWriters + (size.checkpointBytes > size.weightBytes ? optimizerWriters : 0),
  };
}
