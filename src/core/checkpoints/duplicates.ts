/** Bytes that lie on disk more than once, as far as names, dtypes and shapes tell (contents are not read). */
import { baseName } from '../files/paths.js';
import type { CheckpointReport } from './checkpointReport.js';
import type { NameIndex } from '../tensors/nameIndex.js';
import type { Parts } from './parts.js';
import { nameScopeOf } from './nameScope.js';
import { rankOfFile } from './shardedTensors.js';

export type StoredTwice = CheckpointReport['storedTwice'];

/** Finds weights of one directory that several files hold under the same name, dtype and shape; ranks' files repeat by design. */
export function findStoredTwice(parts: Parts, names: NameIndex): StoredTwice {
  const known = parts.duplicates;
  if (!names.hasCopies) return sumOf(known);
  const { tensors } = parts;
  const pairs = new Map<string, { bytes: number; paths: [string, string] }>();
  for (let row = 0; row < tensors.size; row++) {
    const copy = names.next(row);
    if (copy === -1 || tensors.componentOf(row) !== 'weights' || tensors.componentOf(copy) !== 'weights') continue;
    const first = pathOfRow(parts, row);
    const second = pathOfRow(parts, copy);
    if (first === undefined || second === undefined || first === second) continue;
    if (rankOfFile(baseName(first)) !== undefined || nameScopeOf(first) !== nameScopeOf(second)) continue;
    if (isSeries(first, second)) continue;
    if (tensors.dtypeOf(row) !== tensors.dtypeOf(copy) || !sameShape(tensors.shapeOf(row), tensors.shapeOf(copy))) continue;
    const key = JSON.stringify([setOf(first), setOf(second)]);
    const pair = pairs.get(key) ?? { bytes: 0, paths: [first, second] };
    pair.bytes += tensors.bytesOf(copy);
    pairs.set(key, pair);
  }
  const items = [...pairs.values()].map(({ bytes, paths }): StoredTwice['items'][number] => ({
    what: `weights of the same names in ${shortPath(paths[0])} and ${shortPath(paths[1])}`,
    bytes,
    paths,
    setting: null,
  }));
  return sumOf([...known, ...items]);
}

function sumOf(items: StoredTwice['items']): StoredTwice {
  return { bytes: items.reduce((sum, item) => sum + item.bytes, 0), items };
}

/** With its directory where that is what tells two files apart. */
function shortPath(path: string): string {
  return path.includes('/sharded/') || path.startsWith('sharded/') ? `sharded/${baseName(path)}` : baseName(path);
}

/** Names that differ in a number only are saves of two steps (`ckpt-4`, `ckpt-8`), not two copies of one. */
function isSeries(first: string, second: string): boolean {
  const [a, b] = [setOf(first), setOf(second)];
  return a !== b && a.replace(/\d+/g, '0') === b.replace(/\d+/g, '0');
}

/** The set of files that a shard belongs to: shards of one model count as one copy. */
function setOf(path: string): string {
  return path.replace(/-\d{5}-of-\d{5}/, '').replace(/shard-\d{5,7}-/, '');
}

function pathOfRow({ tensors, files }: Parts, row: number): string | undefined {
  const piece = tensors.firstPieceOf(row);
  return piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
}

function sameShape(a: number[], b: number[]): boolean {
  return a.length === b.length && a.every((size, index) => size === b[index]);
}
