/** The names in the descriptors of all formats. It loads every reader: what needs names alone imports files/readableFiles.ts. */
import { fileFormats } from '../checkpoints/fileFormats.js';
import { fileSetFormats } from '../checkpoints/fileSets/fileSets.js';
import { datasetLayouts } from '../datasets/detectDataset.js';
import type { ReadableFiles } from '../files/namePattern.js';

/** Lists of shards: their report is that of the checkpoint whose shards they list. */
const shardIndexes: ReadableFiles = {
  kind: 'checkpoint',
  extensions: ['safetensors.index.json', 'bin.index.json'],
  isOwn: false,
};

/** Rows for each format whose files have names of their own: those of checkpoints first. */
export function collectReadableFiles(): ReadableFiles[] {
  const ofCheckpoints = [...fileFormats, ...fileSetFormats].flatMap(({ names = [] }) => names);
  const ofDatasets = datasetLayouts.flatMap(({ names = [] }) => names);
  return [
    ...ofCheckpoints.map((names) => ({ kind: 'checkpoint', ...names }) as const),
    shardIndexes,
    ...ofDatasets.map((names) => ({ kind: 'dataset', ...names }) as const),
  ];
}
