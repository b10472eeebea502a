/**
 * What a training run reads from a dataset. Text needs little bandwidth: Llama 3 405B at 2.69 million tokens a second and 4 bytes a
 * token reads 10.8 MB/s with all of its 16,384 GPUs. Shuffled, each sequence is a read at a random place, and those are what hurts.
 */
import type { DatasetReport, ReadDemand } from './datasetReport.js';
import { bytesOfElements } from '../tensors/dtype.js';

/** What a user says of the training. */
export interface ReadPlan {
  /** Of the whole job, not of one GPU. */
  tokensPerSecond: number;
  /** Tokens of one sample of a batch. */
  sequenceLength: number;
  trainingTokens: number | null;
}

const defaults = { tokensPerSecond: 1_000_000, sequenceLength: 4096 };

/** A plan to begin with: once over the dataset, in sequences as long as they are stored where all have one length. */
export function defaultReadPlan({ tokens, lengths }: Pick<DatasetReport, 'tokens' | 'lengths'>): ReadPlan {
  const fixed = lengths !== null && lengths.count > 1 && lengths.minTokens === lengths.maxTokens ? lengths.maxTokens : 0;
  return {
    tokensPerSecond: defaults.tokensPerSecond,
    sequenceLength: fixed > 0 ? fixed : defaults.sequenceLength,
    trainingTokens: tokens === null || tokens.count === 0 ? null : tokens.count,
  };
}

/** True for a number that a plan can compute with: above 0 and not beyond what numbers hold exactly. */
export function isPlanNumber(value: number): boolean {
  return Number.isFinite(value) && value > 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** @param plan numbers for which `isPlanNumber` holds */
export function readDemandOf(report: DatasetReport, plan: ReadPlan): ReadDemand {
  const { tokensPerSecond, sequenceLength, trainingTokens } = plan;
  const { bytesPerToken, tokens } = report;
  const known = tokens === null || tokens.count === 0 ? null : tokens.count;
  const allBytes = allColumnsBytesOf(report);
  return {
    tokensPerSecond,
    sequenceLength,
    bytesPerSecond: bytesPerToken === null ? null : tokensPerSecond * bytesPerToken,
    allColumnsBytesPerSecond:
      allBytes === null || known === null || bytesPerToken === null ? null : (tokensPerSecond * allBytes) / known,
    randomReadsPerSecond: tokensPerSecond / sequenceLength,
    bytesPerRead: bytesPerToken === null ? null : sequenceLength * bytesPerToken,
    trainingTokens,
    epochs: trainingTokens === null || known === null ? null : trainingTokens / known,
    seconds: trainingTokens === null ? null : trainingTokens / tokensPerSecond,
  };
}

/**
 * Bytes of all columns as a loader gets them; null where there is but the one with the tokens, or where one has no known size. Of numbers
 * their width counts: an encoding of a file (a dictionary, bits packed) takes less than they do in memory.
 */
function allColumnsBytesOf({ columns }: DatasetReport): number | null {
  if (columns.every(({ role }) => role === 'tokens')) return null;
  let sum = 0;
  for (const { values, dtype, logicalBytes, bytes } of columns) {
    const decoded = values === null || dtype === null ? null : (bytesOfElements(dtype, values) ?? null);
    const stored = logicalBytes ?? decoded ?? bytes;
    if (stored === null) return null;
    sum += Math.max(stored, decoded ?? 0);
  }
  return sum;
}
