/**
 * What training reads of its dataset. As in datasets/readDemand.ts, but from a plan: text needs little bandwidth, since a token is a few
 * bytes and takes 6 floating-point operations a parameter; shuffled, each sequence is a read at a random place.
 */
import type { PlanInputs } from '../inputs/planInputs.js';

export interface DataFeed {
  tokensPerSecond: number;
  /** `compute`: FLOP/s of all GPUs ÷ (6 × active parameters). */
  tokensBasis: 'given' | 'compute';
  /** Of the dataset, tokenized as the plan has it, and with 2 and 4 bytes a token. */
  datasetBytes: number;
  datasetBytes16: number;
  datasetBytes32: number;
  /** Of the whole job. */
  readBytesPerSecond: number;
  perNodeBytesPerSecond: number;
  /** One for each sequence. */
  readsPerSecond: number;
  bytesPerRead: number;
  /** Once over the dataset. */
  epochSeconds: number;
  /** Reading ÷ what saving needs. */
  shareOfWriting: number;
}

/** Operations for each parameter and token: 2 forward, 4 backward (Kaplan et al. 2020, arXiv 2001.08361). */
const flopsPerParameterAndToken = 6;

/** @param nodes of the job @param writeBytesPerSecond what saving needs, to compare with */
export function dataFeed(inputs: PlanInputs, nodes: number, writeBytesPerSecond: number): DataFeed {
  const tokensPerSecond = tokensPerSecondOf(inputs);
  const readBytesPerSecond = tokensPerSecond * inputs.bytesPerToken;
  return {
    tokensPerSecond,
    tokensBasis: inputs.tokensPerSecond === null ? 'compute' : 'given',
    datasetBytes: inputs.tokens * inputs.bytesPerToken,
    datasetBytes16: inputs.tokens * 2,
    datasetBytes32: inputs.tokens * 4,
    readBytesPerSecond,
    perNodeBytesPerSecond: readBytesPerSecond / nodes,
    readsPerSecond: tokensPerSecond / inputs.sequenceLength,
    bytesPerRead: inputs.sequenceLength * inputs.bytesPerToken,
    epochSeconds: inputs.tokens / tokensPerSecond,
    shareOfWriting: readBytesPerSecond / writeBytesPerSecond,
  };
}

/** Of the whole job: given, or what the GPUs compute. */
export function tokensPerSecondOf(inputs: PlanInputs): number {
  const { gpus, gpuFlopsPerSecond, activeParameters, parameters } = inputs;
  return inputs.tokensPerSecond ?? (gpus * gpuFlopsPerSecond) / (flopsPerParameterAndToken * (activeParameters ?? parameters));
}
