/** The models of MLPerf Storage v2.0’s checkpointing workload (configs/dlio/workload, mlpstorage/config.py), by the size of their checkpoints. */
import { mlperfSizes, type MlperfSize } from '../size/mlperfSizes.js';

export interface MlperfWorkload {
  /** As `mlpstorage checkpointing --model` takes it. */
  id: string;
  /** What the workload’s own file calls the model. */
  name: string;
  size: MlperfSize;
  layers: number;
  hiddenSize: number;
  feedForwardSize: number;
  heads: number;
  keyValueHeads: number;
  tensorParallel: number;
  pipelineParallel: number;
  zeroStage: number;
  /** Of a submission of the closed division; 8 are a subset of them. */
  processes: number;
}

/** All of them are Llama 3’s. */
export const mlperfVocabulary = 128_256;

type Shape = Omit<MlperfWorkload, 'id' | 'name' | 'size'>;

const shapes: Readonly<Record<MlperfSize['name'], Shape>> = {
  '8B': {
    layers: 32,
    hiddenSize: 4096,
    feedForwardSize: 14_336,
    heads: 32,
    keyValueHeads: 8,
    tensorParallel: 1,
    pipelineParallel: 1,
    zeroStage: 3,
    processes: 8,
  },
  '70B': {
    layers: 80,
    hiddenSize: 8192,
    feedForwardSize: 28_672,
    heads: 128,
    keyValueHeads: 8,
    tensorParallel: 8,
    pipelineParallel: 1,
    zeroStage: 3,
    processes: 64,
  },
  '405B': {
    layers: 126,
    hiddenSize: 16_384,
    feedForwardSize: 53_248,
    heads: 128,
    keyValueHeads: 8,
    tensorParallel: 8,
    pipelineParallel: 32,
    zeroStage: 1,
    processes: 512,
  },
  '1T': {
    layers: 128,
    hiddenSize: 25_872,
    feedForwardSize: 98_304,
    heads: 192,
    keyValueHeads: 32,
    tensorParallel: 8,
    pipelineParallel: 64,
    zeroStage: 1,
    processes: 1024,
  },
};

export const mlperfWorkloads: readonly MlperfWorkload[] = mlperfSizes.flatMap((size) => {
  const shape = shapes[size.name];
  const name = size.name.toLowerCase();
  return shape === undefined ? [] : [{ id: `llama3-${name}`, name: `llama_${name}`, size, ...shape }];
});

/** The one whose checkpoint is nearest in size, as a ratio. */
export function nearestWorkload(checkpointBytes: number): MlperfWorkload {
  const distance = ({ size }: MlperfWorkload): number => Math.abs(Math.log(size.bytes / checkpointBytes));
  return mlperfWorkloads.reduce((best, workload) => (distance(workload) < distance(best) ? workload : best));
}
