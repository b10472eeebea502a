/** From pairs of rows to what is read of both sides, in the order of A's files. */
import { bitsOfDtype } from '../../tensors/dtype.js';
import { compareExtents } from '../../values/batchTasks.js';
import { basisOfRow } from '../../values/basisOfRow.js';
import { rowFinder } from '../../values/scaled/rowFinder.js';
import { scalingOf, type FindRow } from '../../values/scaled/scaling.js';
import { flatPlace } from '../../values/flatPlace.js';
import { storedPlace, type NotReadReason } from '../../values/storedPlace.js';
import { taskBytes, type Sample } from '../../values/valueTask.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { TensorMatch } from '../matchTensors.js';
import { formOf, wholeElementsOf } from '../modelRows.js';
import { elementOrder, isOneShape } from '../places/elementOrders.js';
import { orderInStorage, usual } from './orderInStorage.js';
import type { PairSide, PairTask, ValuePair } from './pairTask.js';
import { firstOfPair } from './sampledPair.js';

/** One side of what is planned. */
export interface PlannedSide {
  table: TensorTable;
  /** In the order of the report, by the paths that the tree of its values has. */
  files: readonly { path: string }[];
  layout: string;
}

export interface PairsPlan {
  tasks: PairTask[];
  /** Pairs without numbers, and why. */
  notRead: { pair: number; reason: string }[];
  /** Pairs of codes whose scales are elsewhere: whether they are equal is known, and no distance. */
  ofCodes: Set<number>;
  /** How many rows both sides have of pairs that have another number of them: their first ones are compared. */
  commonRows: Map<number, number>;
  /** Of both sides. */
  totalBytes: number;
}

/** Pairs of a task: what is known of them is handed over together. */
const mostPairs = 1_024;

export function planPairs(
  { pairs, orders }: Pick<TensorMatch, 'pairs' | 'orders'>,
  a: PlannedSide,
  b: PlannedSide,
  sample: Sample | undefined,
): PairsPlan {
  const plan: PairsPlan = { tasks: [], notRead: [], ofCodes: new Set(), commonRows: new Map(), totalBytes: 0 };
  const finders = { a: rowFinder(a.table), b: rowFinder(b.table) };
  const pairsToRead: ValuePair[] = [];
  pairs.a.forEach((row, pair) => {
    const other = pairs.b[pair] as number;
    const shapes = [formOf(a.table, row).shape, formOf(b.table, other).shape] as const;
    const rows = commonRows(...shapes, orders[pair] as number);
    const otherForm = rows === 0 ? formProblem(...shapes, orders[pair] as number) : null;
    if (otherForm !== null) {
      plan.notRead.push({ pair, reason: otherForm });
      return;
    }
    const [own, theirs] = [sideOf(a, row, finders.a, sample), sideOf(b, other, finders.b, sample)];
    const problem = typeof own === 'string' ? own : typeof theirs === 'string' ? theirs : orderProblem(own, theirs);
    if (problem !== null || typeof own === 'string' || typeof theirs === 'string') {
      plan.notRead.push({ pair, reason: problem ?? '' });
      return;
    }
    const whole = { pair, elements: wholeElementsOf(a.table, row), a: own.side, b: theirs.side };
    const elements = shapes[0].reduce((product, size, axis) => product * (axis === 0 ? rows : size), 1);
    const read = rows === 0 ? whole : isInRows(own) && isInRows(theirs) ? firstOfPair(whole, elements) : undefined;
    if (read === undefined) {
      plan.notRead.push({ pair, reason: otherShapes });
      return;
    }
    if (rows > 0) plan.commonRows.set(pair, rows);
    if (own.areCodes || theirs.areCodes) plan.ofCodes.add(pair);
    pairsToRead.push(read);
  });
  addTasks(plan, pairsToRead, sample);
  return plan;
}

/** Why two shapes, or what their frameworks make of them, are not compared element by element; null where they are. */
function formProblem(shape: readonly number[], other: readonly number[], order: number): string | null {
  if (order === elementOrder.unknown) return 'Both frameworks may have its values in another order or form.';
  if (order === elementOrder.transposed) return 'One side has the matrix transposed.';
  return isOneShape(shape, other, order) ? null : otherShapes;
}

const otherShapes = 'The shapes differ.';

/** How many rows of a matrix or stack both have, where that alone differs, as of an embedding that was resized; else 0. */
function commonRows(
  [rows = 0, ...axes]: readonly number[],
  [otherRows = 0, ...others]: readonly number[],
  order: number,
): number {
  const isOne = order === elementOrder.same && axes.length > 0 && rows !== otherRows && axes.join() === others.join();
  return isOne ? Math.min(rows, otherRows) : 0;
}

/** Whether the first elements are the first bytes. */
function isInRows({ side: { extents }, order }: Planned): boolean {
  return order === usual && extents.every(({ packed }) => packed === undefined);
}

interface Planned {
  side: PairSide;
  order: string;
  areCodes: boolean;
}

/** Answers why it is not read in a sentence. */
function sideOf({ table, files, layout }: PlannedSide, row: number, find: FindRow, sample: Sample | undefined): Planned | string {
  if (table.extraOf(row)?.wholeShape !== undefined) return flatSideOf(table, files, row);
  const place = storedPlace(table, files, row);
  if ('code' in place) return notReadWords(place);
  const { dtype, isBigEndian, extents } = place.stored;
  const isCompressed = extents.some(({ packed }) => packed !== undefined);
  if (sample !== undefined && isCompressed) return 'A sample reads nothing compressed.';
  const scaling = sample === undefined && extents.length === 1 ? scalingOf(table, files, row, find) : undefined;
  return {
    side: { dtype, isBigEndian, extents, ...(scaling && { scaling }) },
    order: orderInStorage(table, row, extents, layout, bitsOfDtype(dtype)),
    areCodes: scaling === undefined && basisOfRow(table, row, find) === 'codes',
  };
}

/** Of a tensor that all ranks have shares of. */
function flatSideOf(table: TensorTable, files: PlannedSide['files'], row: number): Planned | string {
  const shares = table.extraOf(row)?.shares;
  if (shares === undefined) return 'Its values are in flat shares of all ranks, of which not all are there.';
  const extents = flatPlace(files, shares, wholeElementsOf(table, row));
  if ('code' in extents) return notReadWords(extents);
  return { side: { dtype: shares.groups.dtype, isBigEndian: false, extents }, order: usual, areCodes: false };
}

function notReadWords({ code, detail }: NotReadReason): string {
  return `Its values are not read (${code}${detail === '' ? '' : `: ${detail}`}).`;
}

function orderProblem(a: Planned, b: Planned): string | null {
  return a.order === b.order ? null : 'Its elements are in another order on both sides, which the files do not state.';
}

function addTasks(plan: PairsPlan, read: ValuePair[], sample: Sample | undefined): void {
  read.sort((one, other) => {
    const [own, theirs] = [one.a.extents[0], other.a.extents[0]];
    return own === undefined || theirs === undefined ? one.pair - other.pair : compareExtents(own, theirs);
  });
  let pairs: ValuePair[] = [];
  let bytes = 0;
  const end = (): void => {
    if (pairs.length > 0) plan.tasks.push({ pairs, ...(sample && { sample }) });
    [pairs, bytes] = [[], 0];
  };
  for (const pair of read) {
    pairs.push(pair);
    const own = bytesOf(pair.a) + bytesOf(pair.b);
    bytes += own;
    plan.totalBytes += own;
    if (bytes >= taskBytes || pairs.length >= mostPairs) end();
  }
  end();
}

function bytesOf({ extents }: PairSide): number {
  return extents.reduce((sum, extent) => sum + extent.bytes, 0);
}
