/** Digests of shards that the index of a MosaicML dataset has (streaming/base/writer.py, `hashes`): `{"raw_data": {"basename", "hashes": {"sha1": …}}}`. */
import { baseName } from '../../files/paths.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { looksLikeMdsIndex } from '../../formats/mds/mdsIndex.js';
import type { FileDigestName } from '../hashes/hash.js';
import type { ListedSum } from './sumList.js';
import { isListedName } from './listedName.js';

export function mayBeMdsIndex(path: string): boolean {
  return baseName(path) === 'index.json';
}

const digits: Readonly<Partial<Record<string, [FileDigestName, number]>>> = {
  md5: ['md5', 32],
  sha1: ['sha1', 40],
  sha256: ['sha256', 64],
  sha512: ['sha512', 128],
  xxh64: ['xxh64', 16],
};

/** Those of all files that an index names; none for any other JSON. Algorithms that are not known are left out. */
export function mdsHashes(text: string): ListedSum[] {
  if (!looksLikeMdsIndex(text.slice(0, 256))) return [];
  const shards = memberOf(parsed(text), 'shards');
  const sums: ListedSum[] = [];
  for (const shard of Array.isArray(shards) ? (shards as unknown[]) : [])
    for (const part of ['raw_data', 'zip_data', 'raw_meta', 'zip_meta'])
      for (const sum of sumsOf(memberOf(shard, part))) sums.push(sum);
  return sums;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sumsOf(file: unknown): ListedSum[] {
  const name = memberOf(file, 'basename');
  const hashes = memberOf(file, 'hashes');
  if (typeof name !== 'string' || !isListedName(name) || typeof hashes !== 'object' || hashes === null) return [];
  return Object.entries(hashes as Record<string, unknown>).flatMap(([key, value]): ListedSum[] => {
    const [algorithm, length] = Object.hasOwn(digits, key) ? (digits[key] ?? []) : [];
    if (algorithm === undefined || typeof value !== 'string' || value.length !== length || !/^[0-9a-f]+$/i.test(value)) return [];
    return [{ name, digest: value.toLowerCase(), algorithm }];
  });
}
