/** Weights that several files of a directory hold under the same names: copies, as far as names, dtypes and shapes tell. */
import { baseName } from '../files/paths.js';
import type { NameIndex } from '../tensors/nameIndex.js';
import { nameScopeOf } from './nameScope.js';
import type { Parts } from './parts.js';
import { rankOfFile } from './shardedTensors.js';

/** Two sets of files with tensors of the same names, dtypes and shapes. */
export interface CopyPair {
  /** The sets: shards of one model are one. */
  sets: [string, string];
  /** A file of each. */
  paths: [string, string];
  bytes: number;
  tensors: number;
  /** The largest of them, as rows of the table: what a comparison looks at. */
  largest: [row: number, copy: number][];
}

/** Tensors of a pair that are compared. */
const COMPARED_TENSORS = 8;

/** The pairs of one checkpoint. Ranks' files repeat by design, and files of a series are saves of several steps. */
export function findCopies(parts: Parts, names: NameIndex): CopyPair[] {
  const pairs = new Map<string, CopyPair>();
  const { tensors } = parts;
  for (let row = 0; names.hasCopies && row < tensors.size; row++) {
    const copy = names.next(row);
    if (copy === -1 || tensors.componentOf(row) !== 'weights' || tensors.componentOf(copy) !== 'weights') continue;
    const first = pathOfRow(parts, row);
    const second = pathOfRow(parts, copy);
    if (first === undefined || second === undefined || !mayBeCopies(first, second)) continue;
    if (tensors.dtypeOf(row) !== tensors.dtypeOf(copy) || !sameShape(tensors.shapeOf(row), tensors.shapeOf(copy))) continue;
    const sets: CopyPair['sets'] = [setOf(first), setOf(second)];
    const key = JSON.stringify(sets);
    const pair = pairs.get(key) ?? { sets, paths: [first, second], bytes: 0, tensors: 0, largest: [] };
    pair.bytes += tensors.bytesOf(copy);
    pair.tensors += 1;
    keepLargest(pair.largest, [row, copy], (rows) => tensors.bytesOf(rows[0]));
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

/** The set of files that a shard belongs to: shards of one model count as one copy. */
export function setOf(path: string): string {
  return path.replace(/-\d{5}-of-\d{5}/, '').replace(/shard-\d{5,7}-/, '');
}

function mayBeCopies(first: string, second: string): boolean {
  if (first === second || rankOfFile(baseName(first)) !== undefined || nameScopeOf(first) !== nameScopeOf(second)) return false;
  return !isSeries(first, second);
}

/** Names that differ in a number only are saves of two steps (`ckpt-4`, `ckpt-8`), not two copies of one. */
function isSeries(first: string, second: string): boolean {
  const [a, b] = [setOf(first), setOf(second)];
  return a !== b && a.replace(/\d+/g, '0') === b.replace(/\d+/g, '0');
}

/** Keeps the list sorted, the largest first, and short. */
function keepLargest(
  list: CopyPair['largest'],
  item: CopyPair['largest'][number],
  sizeOf: (item: CopyPair['largest'][number]) => number,
): void {
  const size = sizeOf(item);
  const last = list.at(-1);
  if (list.length === COMPARED_TENSORS && last !== undefined && sizeOf(last) >= size) return;
  const at = list.findIndex((each) => sizeOf(each) < size);
  list.splice(at === -1 ? list.length : at, 0, item);
  if (list.length > COMPARED_TENSORS) list.pop();
}

function pathOfRow({ tensors, files }: Parts, row: number): string | undefined {
  const piece = tensors.firstPieceOf(row);
  return piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
}

function sameShape(a: number[], b: number[]): boolean {
  return a.length === b.length && a.every((size, index) => size === b[index]);
}
