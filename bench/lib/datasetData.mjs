import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { writeIndexedDataset } from '../generators/indexedDataset.mjs';
import { writeTarShard } from '../generators/tarShard.mjs';
import { capture } from './processes.mjs';
import { writeOnce } from './writeOnce.mjs';

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
  if (python !== null && cases.has('arrow'))
    await writeOnce(arrow, 'an Arrow dataset of 1,000 shards', log, (place) =>
      capture(python, [path.join(generators, 'writeArrowShards.py'), place, String(arrowShards)]),
    );
  if (cases.has('index') || cases.has('lengths'))
    await writeOnce(indexed, 'the index of 50,000,000 documents, and a sparse file of 1 TB', log, (place) => {
      mkdirSync(place, { recursive: true });
      writeIndexedDataset(path.join(place, 'corpus'), documents);
    });
  if (python !== null && cases.has('parquet'))
    await writeOnce(rowGroups, 'a Parquet file of 2,000 row groups', log, (place) =>
      capture(python, [path.join(generators, 'writeParquet.py'), place]),
    );
  if (cases.has('tar'))
    await writeOnce(tar, 'a tar of 100,000 members', log, (place) => writeTarShard(place, tarMembers, 100_000));
  return { arrow, indexed, rowGroups, tar };
}
