import { exactly } from '../../src/core/datasets/counts.js';
import type { CheckpointPart, CollectionReport, DatasetPart } from '../../src/core/inspection/collection/collectionReport.js';
import type { CacheReport, RevisionReport } from '../../src/core/inspection/hubCache/cacheReport.js';

/** A directory of runs, models and data sets, with a file beside them. */
export function collectionReport(): CollectionReport {
  const parts = [
    checkpointPart({ path: 'llama-8b-sft', layout: 'run', step: 1500, checkpoints: 3, totalBytes: 284_800_000_000, files: 57 }),
    checkpointPart({ path: 'llama-8b-base', layout: 'huggingface-model', totalBytes: 16_060_522_496, files: 9 }),
    checkpointPart({
      path: 'experiments/2026-03/llama-8b-sft-lower-learning-rate-and-longer-warmup',
      step: 800,
      totalBytes: 112_400_000_000,
      verdict: 'broken',
      findings: { error: 2, warning: 1 },
    }),
    ...Array.from({ length: 8 }, (_none, index) =>
      checkpointPart({
        path: `sweep/run-${index}`,
        layout: 'run',
        step: 100 * (index + 1),
        checkpoints: 2,
        totalBytes: 2e9 + index,
      }),
    ),
    datasetPart({ path: 'corpus-tokenized' }),
  ].toSorted((a, b) => b.totalBytes - a.totalBytes);
  return collectionOf('/scratch/team/models', parts, {
    other: { bytes: 4_200, files: 1 },
    findings: [
      {
        code: 'directory-not-listed',
        severity: 'warning',
        path: 'private',
        offset: null,
        message: 'Directory not listed: permission denied.',
        effect: 'Its files are not part of the sums.',
        advice: 'Inspect as a user who may read it.',
      },
    ],
  });
}

/** The cache of the Hugging Face Hub: revisions that share blobs, and what else its bytes are. */
export function cacheCollectionReport(): CollectionReport {
  const parts = Array.from({ length: 9 }, (_none, index) =>
    checkpointPart({
      path: `models--org--llama-${index}/snapshots/${commitOf(index)}`,
      layout: 'huggingface-model',
      totalBytes: 16_060_522_496 - index * 1e9,
      files: 9,
      verdict: 'partial',
      revision: revision(index),
    }),
  );
  return collectionOf('/scratch/ana/.cache/huggingface/hub', parts, { cache: cacheReport(), other: { bytes: 0, files: 0 } });
}

function collectionOf(
  path: string,
  parts: CollectionReport['parts'],
  more: Partial<CollectionReport> & Pick<CollectionReport, 'other'>,
): CollectionReport {
  const partBytes = parts.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const cacheBytes = more.cache?.usage.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    schemaVersion: 2,
    kind: 'collection',
    path,
    totalBytes: cacheBytes ?? partBytes + more.other.bytes,
    allocatedBytes: null,
    parts,
    findings: [],
    checks: { done: ['the directory was listed'], notDone: ['values of tensors'] },
    io: { bytesRead: 402_113, reads: 61, elapsedMs: 128 },
    ...more,
  };
}

function checkpointPart(part: Partial<CheckpointPart> & Pick<CheckpointPart, 'path' | 'totalBytes'>): CheckpointPart {
  return {
    kind: 'checkpoint',
    name: 'checkpoint',
    layout: 'huggingface-trainer',
    step: null,
    checkpoints: 1,
    parameters: 8_030_261_248,
    verdict: 'complete',
    files: 19,
    ...written,
    ...part,
  };
}

function datasetPart({ path }: Pick<DatasetPart, 'path'>): DatasetPart {
  return {
    kind: 'dataset',
    name: 'megatron-indexed',
    path,
    layout: 'megatron-indexed',
    totalBytes: 25_165_824_042,
    files: 2,
    samples: null,
    tokens: exactly(12_582_912_000, 'the index has the length of each document', 'index'),
    verdict: null,
    ...written,
  };
}

const written = {
  allocatedBytes: null,
  owner: 'ana',
  modifiedMs: Date.UTC(2026, 2, 14, 15, 9, 26),
  findings: {},
  findingCodes: [],
};

const commitOf = (index: number): string => `${index}2fe8dd745be4f73a6f46e3b7392f796aa9bfae3`;

function revision(index: number): RevisionReport {
  return {
    repository: `org/llama-${index}`,
    type: 'model',
    commit: commitOf(index),
    refs: ['main'],
    ownFiles: 4,
    ownBytes: 6e9,
    sharedBytes: 10_060_522_496 - index * 1e9,
    parts: 1,
    brokenLinks: 0,
  };
}

function cacheReport(): CacheReport {
  return {
    basis: 'names',
    usage: [
      { kind: 'revision', bytes: 54e9, files: 36 },
      { kind: 'shared', bytes: 10e9, files: 5 },
      { kind: 'incomplete', bytes: 2.1e9, files: 1 },
      { kind: 'locks', bytes: 0, files: 12 },
    ],
    repositories: Array.from({ length: 9 }, (_none, index) => ({
      type: 'model' as const,
      id: `org/llama-${index}`,
      path: `models--org--llama-${index}`,
      revisions: 1,
      files: 9,
      bytes: 16_060_522_496 - index * 1e9,
      isConsistent: true,
    })),
    prune: { revisions: [], incompleteFiles: 1, storeFiles: 0, bytes: 2.1e9 },
  };
}
