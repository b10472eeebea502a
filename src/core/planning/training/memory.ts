/**
 * What training holds in a GPU's memory, beside what a checkpoint holds of it: weights and optimizer state are in both, gradients and
 * activations are in memory alone. Sharding as in ZeRO (Rajbhandari et al. 2020); activations after Korthikanti et al. 2022.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { Topology } from '../saving/writers.js';
import { adapterParametersOf, adapterState } from '../size/adapterSize.js';
import { recipeOf } from '../size/recipes.js';
import { activationMemory, type ActivationChoice } from './activations.js';

/** Bytes for each parameter that is trained. */
export interface StateBytes {
  weights: number;
  gradients: number;
  /** 32-bit copy and moments. */
  optimizer: number;
}

export type MemoryWay = 'zero-0' | 'zero-1' | 'zero-2' | 'zero-3' | 'lora' | 'qlora';

export interface MemoryRow {
  way: MemoryWay;
  /** On one GPU; all below too. */
  weightBytes: number;
  gradientBytes: number;
  optimizerBytes: number;
  activationBytes: number;
  totalBytes: number;
  fits: boolean;
  /** Of the whole job, in a checkpoint. */
  savedBytes: number;
  /** True for the way of the plan. */
  isPlanned: boolean;
}

export interface TrainingMemory {
  perParameter: StateBytes;
  adapterParameters: number;
  /** Parameters on one GPU where nothing is sharded over replicas: all ÷ (TP × PP), experts ÷ EP as well. */
  shardParameters: number;
  rows: MemoryRow[];
  planned: MemoryRow;
  /** Kept, selective and full, on one GPU. */
  activations: ActivationChoice[];
  /** GPUs that share a shard's state where they shard it. */
  dataParallel: number;
}

/** 4-bit values of NF4 and 0.127 bits of scales for each (Dettmers et al. 2023, double quantization). */
export const quantizedBytesPerParameter = 0.5 + 0.127 / 8;

/** @param checkpointBytes of the plan's full checkpoint */
export function trainingMemory(inputs: PlanInputs, topology: Topology, checkpointBytes: number): TrainingMemory {
  const perParameter = stateBytes(inputs);
  const shardParameters = parametersOfGpu(inputs, topology);
  const adapterParameters = adapterParametersOf(inputs);
  const activations = activationMemory(inputs);
  const activationBytes = activations.find(({ choice }) => choice === inputs.activations)?.bytes ?? 0;
  const setting: Setting = { inputs, topology, perParameter, shardParameters, adapterParameters, activationBytes };
  const rows = [
    ...(['0', '1', '2', '3'] as const).map((stage) => zeroRow(stage, setting, checkpointBytes)),
    adapterRow('lora', perParameter.weights, setting),
    adapterRow('qlora', quantizedBytesPerParameter, setting),
  ];
  return {
    perParameter,
    adapterParameters,
    shardParameters,
    rows,
    planned: rows.find(({ isPlanned }) => isPlanned) ?? zeroRow(inputs.zeroStage, setting, checkpointBytes),
    activations,
    dataParallel: topology.dataParallel,
  };
}

interface Setting {
  inputs: PlanInputs;
  topology: Topology;
  perParameter: StateBytes;
  shardParameters: number;
  adapterParameters: number;
  activationBytes: number;
}

/** What the recipe saves, and gradients: as wide as the weights unless given. */
function stateBytes({ recipe, gradientBytes }: PlanInputs): StateBytes {
  const terms = recipeOf(recipe).terms;
  const of = (isIt: (part: string) => boolean) =>
    terms.filter(({ part }) => isIt(part)).reduce((sum, { bytesPerParameter }) => sum + bytesPerParameter, 0);
  const weights = of((part) => part === 'weights');
  return {
    weights,
    gradients: gradientBytes ?? weights,
    // An exported copy is written, not held.
    optimizer: of((part) => part !== 'weights' && part !== 'exportedWeights'),
  };
}

/**
 * Experts are what a token does not pass, all where that is not given; an expert parallel rank holds its share of them. Sharded over
 * all replicas each parameter lies on one GPU only, with experts or without.
 */
function parametersOfGpu({ parameters, activeParameters, expertParallel }: PlanInputs, topology: Topology): number {
  const shared = expertParallel > 1 ? Math.min(parameters, activeParameters ?? 0) : parameters;
  const experts = (parameters - shared) / Math.min(expertParallel, topology.dataParallel);
  return (shared + experts) / (topology.tensorParallel * topology.pipelineParallel);
}

/** What is offloaded comes to the GPU a layer at a time, which is not counted. */
function zeroRow(stage: PlanInputs['zeroStage'], setting: Setting, savedBytes: number): MemoryRow {
  const { perParameter, shardParameters, topology, inputs } = setting;
  const sharded = parametersOfShare(inputs, topology);
  const held = (from: number) => (Number(stage) >= from ? sharded : shardParameters);
  return row(`zero-${stage}` as const, setting, {
    weightBytes: inputs.offload === 'all-nvme' ? 0 : perParameter.weights * held(3),
    gradientBytes: perParameter.gradients * held(2),
    optimizerBytes: inputs.offload === 'none' ? perParameter.optimizer * held(1) : 0,
    savedBytes,
    isPlanned: inputs.tuning === 'full' && stage === inputs.zeroStage,
  });
}

/** Experts that are spread further than what is sharded stay so. */
function parametersOfShare(inputs: PlanInputs, topology: Topology): number {
  const { tensorParallel, pipelineParallel, shardDegree } = topology;
  return Math.min(parametersOfGpu(inputs, topology), inputs.parameters / (tensorParallel * pipelineParallel * shardDegree));
}

/** The base is frozen: no gradients, no optimizer, and it is not saved. It is sharded as the plan shards weights. */
function adapterRow(way: 'lora' | 'qlora', baseBytes: number, setting: Setting): MemoryRow {
  const { shardParameters, adapterParameters, topology, inputs } = setting;
  const base = inputs.zeroStage === '3' ? parametersOfShare(inputs, topology) : shardParameters;
  const adapter = adapterParameters / (topology.tensorParallel * topology.pipelineParallel);
  return row(way, setting, {
    weightBytes: baseBytes * base + adapterState.weights * adapter,
    gradientBytes: adapterState.gradients * adapter,
    optimizerBytes: adapterState.optimizer * adapter,
    savedBytes: adapterParameters * (adapterState.weights + adapterState.optimizer),
    isPlanned: inputs.tuning === way,
  });
}

type RowParts = Pick<MemoryRow, 'weightBytes' | 'gradientBytes' | 'optimizerBytes' | 'savedBytes' | 'isPlanned'>;

function row(way: MemoryWay, { activationBytes, inputs }: Setting, parts: RowParts): MemoryRow {
  const totalBytes = parts.weightBytes + parts.gradientBytes + parts.optimizerBytes + activationBytes;
  return { way, ...parts, activationBytes, totalBytes, fits: totalBytes <= inputs.deviceMemoryBytes };
}
