/** Which tensors of two models are the same one: by their names, where these differ by what wraps a model, and by what they are called in transformers. */
import type { Sides } from './comparisonReport.js';
import { matchNames } from './matchNames.js';
import type { ModelRows } from './modelRows.js';
import { matchByLevel } from './nameLevels.js';
import type { RankNames } from './places/modelRanks.js';
import { elementOrder } from './places/elementOrders.js';
import { turnedRows } from './places/turnedMatrices.js';
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
  /** Rows of tensors that one side alone stores, and of what configs tie them to on the other. */
  tied: { a: number; b: number; order: number }[];
}

export interface ComparedModel {
  /** `model_type` of a config of either side. */
  modelType?: string;
  /** Of the files of each side. */
  ranks: Sides<RankNames>;
}

/**
 * Equal names first, those that one side has several times in their order; then names that are equal without wrappers, where that makes one
 * pair of them. A wrapper that both have, or that leads to no other name, stays. What is left then are names of two frameworks, or two generations of one, then names that differ by a level that no table knows.
 * @param model what is known of both beside their tensors
 */
export function matchTensors(a: ModelRows, b: ModelRows, model: ComparedModel): TensorMatch {
  const partners = matchNames(a, b);
  const { ofA, ofB, isRenamed } = partners;
  const orderOfRow = new Uint8Array(a.table.size);
  for (const row of turnedRows(a.table, b.table, a.rows, ofA)) orderOfRow[row] = elementOrder.transposed;
  const fused = matchOtherNames(a, b, ofA, ofB, orderOfRow, model);
  matchByLevel(a, b, partners);
  return columnsOf(a, b, ofA, ofB, { isRenamedRow: isRenamed, orderOfRow, fused });
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
  const [isRenamed, orders] = [new Uint8Array(rows.length), new Uint8Array(rows.length)];
  rows.forEach((row, pair) => {
    isRenamed[pair] = isRenamedRow[row] as number;
    orders[pair] = orderOfRow[row] as number;
  });
  return {
    pairs: { a: rows, b: rows.map((row) => ofA[row] as number) },
    isRenamed,
    orders,
    fused,
    onlyA: a.rows.filter((row) => ofA[row] === -1),
    onlyB: b.rows.filter((row) => ofB[row] === -1),
    tied: [],
  };
}
