/** Which tensors of two models are the same one: by their names, where these differ by what wraps a model, and by what they are called in transformers. */
import { NameIndex } from '../tensors/nameIndex.js';
import { TensorTable } from '../tensors/tensorTable.js';
import { canonicalBytes } from './canonicalName.js';
import type { Sides } from './comparisonReport.js';
import type { ModelRows } from './modelRows.js';
import type { RankNames } from './places/modelRanks.js';
import { matchPlaces, type RowGroup } from './places/matchPlaces.js';

/** Rows as columns: a model may have a million tensors. */
export interface TensorMatch {
  /** Rows of A and of B that are one tensor each, in the order of A. */
  pairs: { a: Uint32Array; b: Uint32Array };
  /** Of each pair 1 where the names differ. */
  isRenamed: Uint8Array;
  /** Of each pair one of `elementOrder`: how the elements of B follow from those of A. */
  orders: Uint8Array;
  /** Several tensors of one side that hold together what one or several of the other do. */
  fused: RowGroup[];
  onlyA: Uint32Array;
  onlyB: Uint32Array;
}

export interface ComparedModel {
  /** `model_type` of a config of either side. */
  modelType?: string;
  /** Of the files of each side. */
  ranks: Sides<RankNames>;
}

/**
 * Equal names first, those that one side has several times in their order; then names that are equal without wrappers, where that makes one
 * pair of them. A wrapper that both have, or that leads to no other name, stays. What is left then are names of two frameworks, or two generations of one.
 * @param model what is known of both beside their tensors
 */
export function matchTensors(a: ModelRows, b: ModelRows, model: ComparedModel): TensorMatch {
  const partners = new Map<'a' | 'b', Int32Array>([
    ['a', new Int32Array(a.table.size).fill(-1)],
    ['b', new Int32Array(b.table.size).fill(-1)],
  ]);
  const [ofA, ofB] = [partners.get('a') as Int32Array, partners.get('b') as Int32Array];
  matchEqualNames(a, b, ofA, ofB);
  const isRenamedRow = new Uint8Array(a.table.size);
  matchCanonicalNames(a, b, ofA, ofB, isRenamedRow);
  const orderOfRow = new Uint8Array(a.table.size);
  const fused = matchOtherNames(a, b, ofA, ofB, orderOfRow, model);
  return columnsOf(a, b, ofA, ofB, { isRenamedRow, orderOfRow, fused });
}

/** Answers tensors that are matched with several together: their rows have -2 in place of a partner. */
function matchOtherNames(
  a: ModelRows,
  b: ModelRows,
  ofA: Int32Array,
  ofB: Int32Array,
  orderOfRow: Uint8Array,
  { modelType, ranks }: ComparedModel,
): RowGroup[] {
  const restA = a.rows.filter((row) => ofA[row] === -1);
  const restB = b.rows.filter((row) => ofB[row] === -1);
  if (restA.length === 0 || restB.length === 0) return [];
  const [own, others] = [
    { table: a.table, rows: restA, ranks: ranks.a },
    { table: b.table, rows: restB, ranks: ranks.b },
  ];
  const { pairs, fused } = matchPlaces(own, others, modelType);
  for (const pair of pairs) {
    ofA[pair.a] = pair.b;
    ofB[pair.b] = pair.a;
    orderOfRow[pair.a] = pair.order;
  }
  for (const group of fused) {
    for (const row of group.a) ofA[row] = -2;
    for (const row of group.b) ofB[row] = -2;
  }
  return fused;
}

function matchEqualNames(a: ModelRows, b: ModelRows, ofA: Int32Array, ofB: Int32Array): void {
  const isModel = new Uint8Array(b.table.size);
  for (const row of b.rows) isModel[row] = 1;
  const index = new NameIndex(b.table, (row) => isModel[row] as number);
  // Of a name that is there several times the next one that is free, + 1, by its first row.
  const free = new Uint32Array(index.hasCopies ? b.table.size : 0);
  const { table } = a;
  for (const row of a.rows) {
    const first = index.find(table.nameBytes, table.nameStartOf(row), table.nameEndOf(row), 1);
    if (first === -1) continue;
    const own = index.hasCopies && free[first] !== 0 ? (free[first] as number) - 2 : first;
    if (own === -1) continue;
    // 0: not begun; 1: none is left; n + 2: row n is next.
    if (index.hasCopies) free[first] = index.next(own) + 2;
    else if (ofB[own] !== -1) continue;
    ofA[row] = own;
    ofB[own] = row;
  }
}

/** One pair of each canonical name that a single row of both sides has. */
function matchCanonicalNames(a: ModelRows, b: ModelRows, ofA: Int32Array, ofB: Int32Array, isRenamed: Uint8Array): void {
  const restA = a.rows.filter((row) => ofA[row] === -1);
  const restB = b.rows.filter((row) => ofB[row] === -1);
  if (restA.length === 0 || restB.length === 0) return;
  const index = new NameIndex(canonicalKeys(b.table, restB), () => 0);
  // Of each name in B the row of A that has it, + 1; -1 where several have it.
  const claims = new Int32Array(restB.length);
  const { table } = a;
  for (const row of restA) {
    const end = table.nameEndOf(row);
    const key = canonicalBytes(table.nameBytes, table.nameStartOf(row), end);
    const found = typeof key === 'number' ? index.find(table.nameBytes, key, end, 0) : index.find(key, 0, key.byteLength, 0);
    if (found !== -1 && index.next(found) === -1) claims[found] = claims[found] === 0 ? row + 1 : -1;
  }
  claims.forEach((claim, at) => {
    if (claim <= 0) return;
    const [row, other] = [claim - 1, restB[at] as number];
    ofA[row] = other;
    ofB[other] = row;
    isRenamed[row] = 1;
  });
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

interface OfRows {
  isRenamedRow: Uint8Array;
  orderOfRow: Uint8Array;
  fused: RowGroup[];
}

function columnsOf(
  a: ModelRows,
  b: ModelRows,
  ofA: Int32Array,
  ofB: Int32Array,
  { isRenamedRow, orderOfRow, fused }: OfRows,
): TensorMatch {
  const rows = a.rows.filter((row) => (ofA[row] as number) >= 0);
  return {
    pairs: { a: rows, b: rows.map((row) => ofA[row] as number) },
    isRenamed: Uint8Array.from(rows, (row) => isRenamedRow[row] as number),
    orders: Uint8Array.from(rows, (row) => orderOfRow[row] as number),
    fused,
    onlyA: a.rows.filter((row) => ofA[row] === -1),
    onlyB: b.rows.filter((row) => ofB[row] === -1),
  };
}
