/** `dataset_info.json` of TensorFlow Datasets: how many examples each shard of each split has (tfds/core/dataset_info.py). */
import { appendAll } from '../bytes/appendAll.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import { memberOf } from '../formats/text/jsonMember.js';
import type { DatasetAccess } from './datasetLayout.js';

export interface TfdsInfo {
  /** Examples of a shard; undefined where no file says. */
  examplesOf(path: string): number | undefined;
  /** A finding where a shard has another number of records than it should. */
  compare(path: string, records: number, access: DatasetAccess): void;
}

/** Reads the descriptions beside the shards. */
export async function readTfdsInfo(paths: readonly string[], access: DatasetAccess): Promise<TfdsInfo> {
  const examples = new Map<string, number>();
  for (const directory of new Set(paths.map(parentPath))) {
    const path = joinPath(directory, 'dataset_info.json');
    const features = joinPath(directory, 'features.json');
    if (access.entry(features) !== undefined)
      access.describe(features, { format: 'json', role: 'features', restKind: 'metadata' });
    if (access.entry(path) === undefined) continue;
    const root = await access.json(path, 'dataset description');
    addFacts(root, path, access);
    const own = new Map(paths.filter((shard) => parentPath(shard) === directory).map((shard) => [shardKey(shard), shard]));
    const splits = memberOf(root, 'splits');
    const missing: string[] = [];
    let total = 0;
    for (const split of Array.isArray(splits) ? splits : []) {
      const named = addSplit(split, own, examples);
      appendAll(missing, named.missing);
      total += named.total;
    }
    const [first] = missing;
    if (first !== undefined && !access.listing.isSingleFile)
      access.finding({ code: 'shards-listed-missing', path, facts: { missing: missing.length, total, first } });
  }
  return {
    examplesOf: (path) => examples.get(path),
    compare(path, records, to) {
      const expected = examples.get(path);
      if (expected === undefined || expected === records) return;
      const facts = { expected, found: records, detail: 'shardLengths in dataset_info.json' };
      to.finding({ code: 'index-count-differs', path, facts });
    },
  };
}

/** Puts the examples of the split's shards that are here into `examples`. @returns how many it has, and which are not here */
function addSplit(
  split: unknown,
  shards: ReadonlyMap<string, string>,
  examples: Map<string, number>,
): { missing: string[]; total: number } {
  const name = memberOf(split, 'name');
  const lengths = memberOf(split, 'shardLengths');
  const missing: string[] = [];
  if (typeof name !== 'string' || !Array.isArray(lengths)) return { missing, total: 0 };
  lengths.forEach((length, index) => {
    const shard = shards.get(`${name}\n${index}\n${lengths.length}`);
    const count = Number(length);
    if (shard === undefined) missing.push(`${name}, shard ${index}`);
    else if (Number.isSafeInteger(count) && count >= 0) examples.set(shard, count);
  });
  return { missing, total: lengths.length };
}

/** Split, number and count out of `<dataset>-<split>.<format>-00003-of-00008`; the path where the name is another one. */
function shardKey(path: string): string {
  const found = /-([^-.]+)\.[\w]+-(\d+)-of-(\d+)$/.exec(baseName(path));
  return found === null ? path : `${found[1]}\n${Number(found[2])}\n${Number(found[3])}`;
}

function addFacts(root: unknown, path: string, access: DatasetAccess): void {
  for (const [key, label] of [
    ['name', 'dataset'],
    ['configName', 'configuration'],
    ['version', 'version'],
    ['fileFormat', 'file format'],
  ] as const) {
    const value = memberOf(root, key);
    if (typeof value === 'string' && value !== '') access.fact(label, value, path);
  }
}
