/** From the tensors of an inspection to what is read for their values: each byte once, whoever shares it. */
import { bytesOfElements } from '../tensors/dtype.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { basisOf } from './accumulatorOf.js';
import { batchTasks } from './batchTasks.js';
import { matchesGlob } from './tensorGlob.js';
import type { Sample, StoredValues, ValueExtent, ValueTask } from './valueTask.js';

/** Why the values of a tensor are not read. */
export type NotReadCode = 'no-file' | 'dtype' | 'wrapper' | 'compressed' | 'view' | 'size' | 'overlap' | 'unreadable';

/** A tensor without numbers. */
export interface NotRead {
  row: number;
  code: NotReadCode;
  /** Completes the reason: the dtype, what the file system said. */
  detail: string;
}

export interface ValuesPlan {
  tasks: ValueTask[];
  /** Of each tensor that is read the row that stands for its bytes: its own, or that of the first with the same ones. */
  standsFor: Map<number, number>;
  /** Rows whose values every rank repeats, with the copies that are not read. */
  copies: Map<number, number>;
  notRead: NotRead[];
}

export interface ValuesChoice {
  /** Names of tensors; all without it. */
  tensors?: string;
  sample?: Sample;
}

export function planValues(
  table: TensorTable,
  files: readonly { path: string }[],
  { tensors, sample }: ValuesChoice,
): ValuesPlan {
  const plan: ValuesPlan = { tasks: [], standsFor: new Map(), copies: new Map(), notRead: [] };
  const known = new Map<string, number>();
  const stored: StoredValues[] = [];
  for (let row = 0; row < table.size; row++) {
    if (tensors !== undefined && !matchesGlob(table.nameOf(row), tensors)) continue;
    const found = placeOf(table, files, row, plan);
    if (found === undefined) continue;
    const key = [found.dtype, ...found.extents.flatMap(({ path, offset, bytes }) => [path, offset, bytes])].join('\n');
    const first = known.get(key);
    plan.standsFor.set(row, first ?? row);
    if (first !== undefined) continue;
    known.set(key, row);
    stored.push(found);
  }
  plan.tasks = batchTasks(stored, sample);
  return plan;
}

/** Where the values of a row are; undefined where they are not read, which the plan then says. */
function placeOf(
  table: TensorTable,
  files: readonly { path: string }[],
  row: number,
  plan: ValuesPlan,
): StoredValues | undefined {
  const dtype = table.dtypeOf(row);
  const problem = problemOf(table, row);
  if (problem !== undefined) {
    plan.notRead.push({ row, ...problem });
    return undefined;
  }
  const extents = extentsOf(table, files, row);
  const wanted = bytesOfElements(dtype, table.elementsOf(row)) ?? 0;
  const own = withoutCopies(extents, wanted);
  if (own.length < extents.length) plan.copies.set(row, extents.length / own.length - 1);
  const bytes = own.reduce((sum, extent) => sum + extent.bytes, 0);
  if (bytes > wanted || (own.length === 1 && bytes !== wanted)) {
    plan.notRead.push({ row, code: 'size', detail: `${bytes} bytes are stored, its shape needs ${wanted}` });
    return undefined;
  }
  return { row, dtype, isBigEndian: table.extraOf(row)?.isBigEndian === true, extents: [...own] };
}

function problemOf(table: TensorTable, row: number): Omit<NotRead, 'row'> | undefined {
  const dtype = table.dtypeOf(row);
  if (basisOf(dtype) === undefined) return { code: 'dtype', detail: dtype };
  const extra = table.extraOf(row);
  if ((extra?.inner?.length ?? 0) > 0) return { code: 'wrapper', detail: extra?.wrapper ?? '' };
  const [first, end] = [table.firstPieceOf(row), table.endPieceOf(row)];
  if (first === end && table.elementsOf(row) > 0) return { code: 'no-file', detail: '' };
  for (let piece = first; piece < end; piece++)
    if (table.pieceLogicalSize(piece) !== table.pieceSize(piece)) return { code: 'compressed', detail: '' };
  return extra?.strides === undefined ? undefined : { code: 'view', detail: '' };
}

function extentsOf(table: TensorTable, files: readonly { path: string }[], row: number): ValueExtent[] {
  const extents: ValueExtent[] = [];
  for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
    const path = files[table.pieceFile(piece)]?.path;
    const bytes = table.pieceSize(piece);
    if (path !== undefined && bytes > 0) extents.push({ path, offset: table.pieceOffset(piece), bytes });
  }
  return extents;
}

/** Of a tensor that each rank saves whole the first one alone. */
function withoutCopies(extents: readonly ValueExtent[], wanted: number): readonly ValueExtent[] {
  const areCopies = extents.length > 1 && wanted > 0 && extents.every(({ bytes }) => bytes === wanted);
  return areCopies ? extents.slice(0, 1) : extents;
}
