import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { writeIndexedDataset } from '../generators/indexedDataset.mjs';
import { writeTarShard } from '../generators/tarShard.mjs';
import { capture } from './processes.mjs';

export const documents = 50_000_000;
export const tarMembers = 100_000;
export const arrowShards = 1000;

/** @typedef {{ arrow: string, indexed: string, rowGroups: string, tar: string }} DatasetData where the data of each case are */

/**
 * Writes the datasets that are not there yet. Arrow and Parquet files are written by pyarrow, so those need Python.
 * @param {{ folder: string, generators: string, python: string | null, cases: Set<string>, log: (text: string) => void }} options
 * @returns {Promise<DatasetData>}
 */
export async function writeDatasets({ folder, generators, python, cases, log }) {
  const arrow = path.join(folder, `arrow-${arrowShards}`);
  const indexed = path.join(folder, 'indexed');
  const rowGroups = path.join(folder, 'row-groups-2000x11.parquet');
  const tar = path.join(folder, `members-${tarMembers}.tar`);
  if (python !== null && cases.has('arrow') && !existsSync(arrow)) {
    log('writing an Arrow dataset of 1,000 shards');
    await capture(python, [path.join(generators, 'writeArrowShards.py'), arrow, String(arrowShards)]);
  }
  if ((cases.has('index') || cases.has('lengths')) && !existsSync(path.join(indexed, 'corpus.idx'))) {
    log('writing the index of 50,000,000 documents, and a sparse file of 1 TB');
    mkdirSync(indexed, { recursive: true });
    writeIndexedDataset(path.join(indexed, 'corpus'), documents);
  }
  if (python !== null && cases.has('parquet') && !existsSync(rowGroups)) {
    log('writing a Parquet file of 2,000 row groups');
    await capture(python, [path.join(generators, 'writeParquet.py'), rowGroups]);
  }
  if (cases.has('tar') && !existsSync(tar)) {
    log('writing a tar of 100,000 members');
    writeTarShard(tar, tarMembers, 100_000);
  }
  return { arrow, indexed, rowGroups, tar };
}
