/** From pairs of rows to what is read of both sides, in the order of A's files. */
import { bitsOfDtype } from '../../tensors/dtype.js';
import { compareExtents } from '../../values/batchTasks.js';
import { basisOfRow } from '../../values/basisOfRow.js';
import { rowFinder } from '../../values/scaled/rowFinder.js';
import { scalingOf, type FindRow } from '../../values/scaled/scaling.js';
import { storedPlace } from '../../values/storedPlace.js';
import { taskBytes, type Sample } from '../../values/valueTask.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { TensorMatch } from '../matchTensors.js';
import { elementOrder, isOneShape } from '../places/elementOrders.js';
import { orderInStorage } from './orderInStorage.js';
import type { PairSide, PairTask, ValuePair } from './pairTask.js';

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
  const plan: PairsPlan = { tasks: [], notRead: [], ofCodes: new Set(), totalBytes: 0 };
  const finders = { a: rowFinder(a.table), b: rowFinder(b.table) };
  const read: ValuePair[] = [];
  pairs.a.forEach((row, pair) => {
    const other = pairs.b[pair] as number;
    const otherForm = formProblem(a.table.shapeOf(row), b.table.shapeOf(other), orders[pair] as number);
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
    if (own.areCodes || theirs.areCodes) plan.ofCodes.add(pair);
    read.push({ pair, elements: a.table.elementsOf(row), a: own.side, b: theirs.side });
  });
  addTasks(plan, read, sample);
  return plan;
}

/** Why two shapes, or what their frameworks make of them, are not compared element by element; null where they are. */
function formProblem(shape: readonly number[], other: readonly number[], order: number): string | null {
  if (order === elementOrder.unknown) return 'Both frameworks may have its values in another order or form.';
  if (order === elementOrder.transposed) return 'One side has the matrix transposed.';
  return isOneShape(shape, other, order) ? null : 'The shapes differ.';
}

interface Planned {
  side: PairSide;
  order: string;
  areCodes: boolean;
}

/** Answers why it is not read in a sentence. */
function sideOf({ table, files, layout }: PlannedSide, row: number, find: FindRow, sample: Sample | undefined): Planned | string {
  if (table.extraOf(row)?.wholeShape !== undefined) return 'Its values are in flat shares of all ranks.';
  const place = storedPlace(table, files, row);
  if ('code' in place) return `Its values are not read (${place.code}${place.detail === '' ? '' : `: ${place.detail}`}).`;
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
