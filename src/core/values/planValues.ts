/** From the tensors of an inspection to what is read for their values: each byte once, whoever shares it. */
import type { AbsentTensor, TensorTable } from '../tensors/tensorTable.js';
import { batchTasks } from './batchTasks.js';
import { rowFinder } from './scaled/rowFinder.js';
import { scalingOf } from './scaled/scaling.js';
import { storedPlace, type NotReadReason } from './storedPlace.js';
import { matchesGlob } from './tensorGlob.js';
import type { Sample, StoredValues, ValueTask } from './valueTask.js';

/** A tensor without numbers. */
export interface NotRead extends NotReadReason {
  row: number;
}

export interface ValuesPlan {
  tasks: ValueTask[];
  /** Of each tensor that is read the row that stands for its bytes: its own, or that of the first with the same ones. */
  standsFor: Map<number, number>;
  /** Rows whose values others repeat, with the copies that are not read. */
  copies: Map<number, number>;
  notRead: NotRead[];
  /** Tensors of such names that no file here holds. */
  absent: AbsentTensor[];
}

export interface ValuesChoice {
  /** Names of tensors; all without it. */
  tensors?: string;
  /** This row and no other. */
  row?: number;
  sample?: Sample;
}

export function planValues(
  table: TensorTable,
  files: readonly { path: string }[],
  { tensors, row: only, sample }: ValuesChoice,
): ValuesPlan {
  const plan: ValuesPlan = { tasks: [], standsFor: new Map(), copies: new Map(), notRead: [], absent: [] };
  if (only === undefined)
    plan.absent = table.absentTensors.filter(({ name }) => tensors === undefined || matchesGlob(name, tensors));
  const known = new Map<string, number>();
  const find = rowFinder(table);
  const stored: StoredValues[] = [];
  const end = only === undefined ? table.size : only + 1;
  for (let row = only ?? 0; row < end; row++) {
    if (tensors !== undefined && !matchesGlob(table.nameOf(row), tensors)) continue;
    const place = storedPlace(table, files, row);
    const isUnsampled =
      !('code' in place) && sample !== undefined && place.stored.extents.some(({ packed }) => packed !== undefined);
    if (isUnsampled) {
      plan.notRead.push({ row, code: 'encoded', detail: 'a sample reads nothing compressed' });
      continue;
    }
    if ('code' in place) {
      plan.notRead.push({ row, ...place });
      continue;
    }
    if (place.copies > 0) plan.copies.set(row, place.copies);
    const key = keyOf(place.stored);
    const first = known.get(key);
    plan.standsFor.set(row, first ?? row);
    if (first !== undefined) continue;
    known.set(key, row);
    const { stored: own } = place;
    const scaling = sample === undefined && own.extents.length === 1 ? scalingOf(table, files, row, find) : undefined;
    stored.push(scaling === undefined ? own : { ...own, scaling });
  }
  const { tasks, leftOut } = batchTasks(stored, sample);
  plan.tasks = tasks;
  leaveOut(plan, leftOut);
  return plan;
}

/** Equal for rows of which one reading is enough. */
function keyOf({ row, dtype, isBigEndian, extents }: StoredValues): string {
  if (extents.length === 0) return String(row);
  return [dtype, isBigEndian, ...extents.flatMap(({ path, offset, bytes }) => [path, offset, bytes])].join('\n');
}

/** Takes back the rows that share bytes with too many others. */
function leaveOut(plan: ValuesPlan, leftOut: ReadonlySet<number>): void {
  if (leftOut.size === 0) return;
  for (const [row, own] of plan.standsFor) {
    if (!leftOut.has(own)) continue;
    plan.standsFor.delete(row);
    plan.notRead.push({ row, code: 'shared', detail: '' });
  }
}
