/** Which tensors of two models have one name: equal ones, then those that are equal without what wraps a model. */
import { NameIndex } from '../tensors/nameIndex.js';
import { TensorTable } from '../tensors/tensorTable.js';
import { canonicalBytes } from './canonicalName.js';
import type { ModelRows } from './modelRows.js';

/** Rows of a table that are matched. */
export type NamedRows = Pick<ModelRows, 'table' | 'rows'>;

/** Rows of the other side by row; -1 for none. */
export interface Partners {
  ofA: Int32Array;
  ofB: Int32Array;
  /** By row of A 1 where both names differ. */
  isRenamed: Uint8Array;
}

/** A canonical name that several rows of a side have leads to none. */
export function matchNames(a: NamedRows, b: NamedRows): Partners {
  const partners: Partners = {
    ofA: new Int32Array(a.table.size).fill(-1),
    ofB: new Int32Array(b.table.size).fill(-1),
    isRenamed: new Uint8Array(a.table.size),
  };
  const { ofA, ofB, isRenamed } = partners;
  matchInOrder(a, b, partners);
  let names = new CanonicalNames(b.table, rowsLeft(b, ofB));
  if (names.hasCopies) {
    matchEqualNames(a, b, partners);
    names = new CanonicalNames(b.table, rowsLeft(b, ofB));
  }
  const rows = rowsLeft(a, ofA);
  const found = rows.length === 0 ? new Int32Array(0) : Int32Array.from(rows, (row) => names.find(a.table, row));
  found.forEach((other, at) => {
    const row = rows[at] as number;
    if (other === -1 || ofB[other] !== -1 || !haveEqualNames(a.table, row, b.table, other)) return;
    ofA[row] = other;
    ofB[other] = row;
  });
  // Of each row of B the row of A that leads to it, + 1; -1 where several do.
  const claims = new Int32Array(b.table.size);
  found.forEach((other, at) => {
    const row = rows[at] as number;
    if (other !== -1 && ofA[row] === -1 && ofB[other] === -1) claims[other] = claims[other] === 0 ? row + 1 : -1;
  });
  claims.forEach((claim, other) => {
    if (claim <= 0) return;
    ofA[claim - 1] = other;
    ofB[other] = claim - 1;
    isRenamed[claim - 1] = 1;
  });
  return partners;
}

/** Rows without a partner. */
export function rowsLeft({ rows }: NamedRows, partners: Int32Array): Uint32Array {
  return rows.filter((row) => partners[row] === -1);
}

/** Two saves of one model begin with the same names in the same order: these need no index. */
function matchInOrder(a: NamedRows, b: NamedRows, { ofA, ofB }: Partners): void {
  const count = Math.min(a.rows.length, b.rows.length);
  for (let at = 0; at < count; at++) {
    const [row, other] = [a.rows[at] as number, b.rows[at] as number];
    if (!haveEqualNames(a.table, row, b.table, other)) return;
    ofA[row] = other;
    ofB[other] = row;
  }
}

/** Of names that a side has several times in their order. */
function matchEqualNames(a: NamedRows, b: NamedRows, { ofA, ofB }: Partners): void {
  const isLeft = new Uint8Array(b.table.size);
  for (const row of b.rows) if (ofB[row] === -1) isLeft[row] = 1;
  const index = new NameIndex(b.table, (row) => isLeft[row] as number);
  // By the first row of a name the next one that is free: 0 where none is taken, 1 where none is left, n + 2 for row n.
  const free = new Uint32Array(b.table.size);
  const { table } = a;
  for (const row of rowsLeft(a, ofA)) {
    const first = index.find(table.nameBytes, table.nameStartOf(row), table.nameEndOf(row), 1);
    if (first === -1) continue;
    const own = free[first] === 0 ? first : (free[first] as number) - 2;
    if (own === -1) continue;
    free[first] = index.next(own) + 2;
    ofA[row] = own;
    ofB[own] = row;
  }
}

function haveEqualNames(a: TensorTable, row: number, b: TensorTable, other: number): boolean {
  const [start, from] = [a.nameStartOf(row), b.nameStartOf(other)];
  const length = a.nameEndOf(row) - start;
  if (b.nameEndOf(other) - from !== length) return false;
  const [names, others] = [a.nameBytes, b.nameBytes];
  for (let at = 0; at < length; at++) if (names[start + at] !== others[from + at]) return false;
  return true;
}

/** Rows by their names without wrappers. */
class CanonicalNames {
  private readonly index: NameIndex;

  constructor(
    table: TensorTable,
    private readonly rows: Uint32Array,
  ) {
    this.index = new NameIndex(canonicalKeys(table, rows), () => 0);
  }

  get hasCopies(): boolean {
    return this.index.hasCopies;
  }

  /** The row that is called like this one of another table; -1 where none or several are. */
  find(table: TensorTable, row: number): number {
    const end = table.nameEndOf(row);
    const key = canonicalBytes(table.nameBytes, table.nameStartOf(row), end);
    const isPart = typeof key === 'number';
    const found = isPart ? this.index.find(table.nameBytes, key, end, 0) : this.index.find(key, 0, key.byteLength, 0);
    return found === -1 || this.index.next(found) !== -1 ? -1 : (this.rows[found] as number);
  }
}

/** A table of names alone. */
function canonicalKeys(table: TensorTable, rows: Uint32Array): TensorTable {
  const keys = new TensorTable();
  const dtype = keys.dtypeIndex('');
  for (const row of rows) {
    const end = table.nameEndOf(row);
    const key = canonicalBytes(table.nameBytes, table.nameStartOf(row), end);
    if (typeof key === 'number') keys.addEncoded(table.nameBytes, key, end, dtype, 0, 'weights');
    else keys.addEncoded(key, 0, key.byteLength, dtype, 0, 'weights');
  }
  return keys;
}
