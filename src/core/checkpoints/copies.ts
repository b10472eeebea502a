/** Weights that several files of a directory hold under the same names: copies, as far as names, dtypes and shapes tell. */
import { baseName } from '../files/paths.js';
import type { NameIndex } from '../tensors/nameIndex.js';
import { sameForm } from '../tensors/sameForm.js';
import { holdsArraysOutsideModel } from './arrayFiles.js';
import type { CopiedRows } from './copySample.js';
import { nameScopeOf } from './nameScope.js';
import type { FilePart, Parts } from './parts.js';
import { rankOfFile } from './shardedTensors.js';

/** Two sets of files with tensors of the same names, dtypes and shapes. */
export interface CopyPair {
  /** The sets: shards of one model are one. */
  sets: [string, string];
  /** A file of each. */
  paths: [string, string];
  bytes: number;
  tensors: number;
  rows: CopiedRows[];
  /** `arrays` outside of any model: names and shapes alone make no copies of these. */
  what: 'weights' | 'arrays';
}

/** A tensor of a set, with the first row of its name: equal for tensors of one name and scope. */
interface NamedRow {
  first: number;
  row: number;
}

/** Sets of files with tensors of equal names, by their first tensors. Ranks' files repeat by design, and files of a series are saves of several steps. */
export class CopyCandidates {
  private readonly rows = new Map<string, NamedRow[]>();
  private readonly byName = new Map<string, Map<number, number>>();

  constructor(
    private readonly parts: Parts,
    names: NameIndex,
  ) {
    for (let first = 0; names.hasCopies && first < parts.tensors.size; first++) {
      if (!names.isFirst(first) || names.next(first) === -1) continue;
      for (let row = first; row !== -1; row = names.next(row)) this.add(first, row);
    }
  }

  /** In the order of their first tensors. */
  get sets(): string[] {
    return [...this.rows.keys()];
  }

  /** The tensors that two sets have both, of the same dtype and shape; undefined where there are none. */
  pairOf(first: string, second: string): CopyPair | undefined {
    const { tensors } = this.parts;
    const rowsOfFirst = this.rowsByName(first);
    let pair: CopyPair | undefined;
    for (const { first: name, row: copy } of this.rows.get(second) ?? []) {
      const row = rowsOfFirst.get(name);
      if (row === undefined || !sameForm(tensors, row, copy)) continue;
      const files = [fileOfRow(this.parts, row), fileOfRow(this.parts, copy)];
      const paths: CopyPair['paths'] = [files[0]?.path ?? '', files[1]?.path ?? ''];
      if (!mayBeCopies(...paths)) continue;
      const areArrays = files.every((file) => file !== undefined && holdsArraysOutsideModel(this.parts, file));
      pair ??= { sets: [first, second], paths, bytes: 0, tensors: 0, rows: [], what: areArrays ? 'arrays' : 'weights' };
      pair.bytes += tensors.bytesOf(copy);
      pair.tensors += 1;
      pair.rows.push([row, copy]);
    }
    return pair;
  }

  private add(first: number, row: number): void {
    if (this.parts.tensors.componentOf(row) !== 'weights') return;
    const path = fileOfRow(this.parts, row)?.path;
    if (path === undefined) return;
    const set = setOf(path);
    const rows = this.rows.get(set) ?? [];
    rows.push({ first, row });
    this.rows.set(set, rows);
  }

  private rowsByName(set: string): Map<number, number> {
    const known = this.byName.get(set) ?? new Map((this.rows.get(set) ?? []).map(({ first, row }) => [first, row]));
    this.byName.set(set, known);
    return known;
  }
}

/** The set of files that a shard belongs to: shards of one model count as one copy, and a whole file beside them as another. */
export function setOf(path: string): string {
  return path.replace(/-\d{5}(-of-\d{5})/, '$1').replace(/shard-\d{5,7}-/, '');
}

function mayBeCopies(first: string, second: string): boolean {
  if (first === second || rankOfFile(baseName(first)) !== undefined || nameScopeOf(first) !== nameScopeOf(second)) return false;
  return !isSeries(first, second);
}

/** Names that differ in a number only are saves of two steps (`ckpt-4`, `ckpt-8`, `ckpt-final`), not two copies of one. */
function isSeries(first: string, second: string): boolean {
  const [a, b] = [setOf(first), setOf(second)];
  return a !== b && seriesOf(a) === seriesOf(b);
}

/** What the names of sets that are saves of several steps have in common. */
export function seriesOf(set: string): string {
  return set.replace(/\d+|(?<=[_-])(?:final|last|latest)(?=\.)/g, '0');
}

function fileOfRow({ tensors, files }: Parts, row: number): FilePart | undefined {
  const piece = tensors.firstPieceOf(row);
  return piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)] : undefined;
}
