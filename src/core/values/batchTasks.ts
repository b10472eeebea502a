/** Puts stretches of files together to tasks. Those that share bytes are in one task, as no byte is read twice. */
import { compareNatural } from '../files/naturalOrder.js';
import { taskBytes, type Sample, type StoredValues, type ValueTask } from './valueTask.js';
import type { ValueExtent } from './valueExtent.js';

/** Tensors with shares in several files stay open until the last one: some have half a megabyte of counters. */
const mostSharded = 16;

/** Tensors of a task: their numbers are handed over together, and threads that have nothing left to do wait for the last task. */
const mostTensors = 1_024;

/** Tensors that are counted at the same time because they share bytes. Tied weights are one; a damaged header can put thousands on each other. */
const mostSharing = 32;

interface Placed {
  extent: ValueExtent;
  /** Place in the list of stored values. */
  owner: number;
}

export interface Batches {
  tasks: ValueTask[];
  /** Rows that are not read, as they share bytes with too many others. */
  leftOut: Set<number>;
}

/** In the order of files and offsets, by the first stretch of each. */
export function batchTasks(all: readonly StoredValues[], sample: Sample | undefined): Batches {
  const leftOut = sharedByTooMany(all);
  const stored = all.filter(({ row }) => !leftOut.has(row));
  const tasks: ValueTask[] = [];
  let current: StoredValues[] = [];
  let [bytes, sharded] = [0, 0];
  const end = (): void => {
    if (current.length > 0) tasks.push({ stored: current, ...(sample && { sample }) });
    [current, bytes, sharded] = [[], 0, 0];
  };
  for (const group of groupsOf(stored)) {
    for (const one of group) {
      current.push(one);
      bytes += one.extents.reduce((sum, extent) => sum + extent.bytes, 0);
      if (one.extents.length > 1) sharded += 1;
    }
    if (bytes >= taskBytes || sharded >= mostSharded || current.length >= mostTensors) end();
  }
  end();
  return { tasks, leftOut };
}

/** Rows of stretches that begin where `mostSharing` others have not ended. */
function sharedByTooMany(stored: readonly StoredValues[]): Set<number> {
  const leftOut = new Set<number>();
  let open: ValueExtent[] = [];
  for (const { extent, owner } of placesOf(stored)) {
    open = open.filter(({ path, offset, bytes }) => path === extent.path && offset + bytes > extent.offset);
    if (open.length >= mostSharing) leftOut.add((stored[owner] as StoredValues).row);
    else open.push(extent);
  }
  return leftOut;
}

function placesOf(stored: readonly StoredValues[]): Placed[] {
  const placed = stored.flatMap(({ extents }, owner): Placed[] => extents.map((extent) => ({ extent, owner })));
  return placed.sort((a, b) => compareExtents(a.extent, b.extent));
}

/** Stored values by what they share bytes with. */
function groupsOf(stored: readonly StoredValues[]): StoredValues[][] {
  const placed = placesOf(stored);
  const parents = Uint32Array.from(stored.keys());
  let last: { path: string; end: number; owner: number } | undefined;
  for (const { extent, owner } of placed) {
    const end = extent.offset + extent.bytes;
    if (last !== undefined && last.path === extent.path && extent.offset < last.end) {
      join(parents, last.owner, owner);
      last.end = Math.max(last.end, end);
    } else last = { path: extent.path, end, owner };
  }
  joinScales(parents, stored, placed);
  const groups = new Map<number, StoredValues[]>();
  const seen = new Set<number>();
  const empty = stored.flatMap(({ extents }, owner) => (extents.length === 0 ? [owner] : []));
  for (const owner of [...placed.map((each) => each.owner), ...empty]) {
    if (seen.has(owner)) continue;
    seen.add(owner);
    const root = rootOf(parents, owner);
    const group = groups.get(root) ?? [];
    groups.set(root, group);
    group.push(stored[owner] as StoredValues);
  }
  return [...groups.values()];
}

/** Scales are in the task of what they scale: they are read before it. */
function joinScales(parents: Uint32Array, stored: readonly StoredValues[], placed: readonly Placed[]): void {
  if (!stored.some(({ scaling }) => scaling !== undefined)) return;
  const owners = new Map(placed.map(({ extent, owner }) => [`${extent.path}\n${extent.offset}`, owner]));
  stored.forEach(({ scaling }, owner) => {
    for (const { extent } of scaling?.parts ?? []) {
      const part = owners.get(`${extent.path}\n${extent.offset}`);
      if (part !== undefined) join(parents, owner, part);
    }
  });
}

/** By file, then by offset. */
export function compareExtents(a: ValueExtent, b: ValueExtent): number {
  return a.path === b.path ? a.offset - b.offset : compareNatural(a.path, b.path) || (a.path < b.path ? -1 : 1);
}

function rootOf(parents: Uint32Array, at: number): number {
  let root = at;
  while (parents[root] !== root) root = parents[root] as number;
  // What was passed leads there at once the next time.
  for (let next = at; next !== root;) {
    const after = parents[next] as number;
    parents[next] = root;
    next = after;
  }
  return root;
}

function join(parents: Uint32Array, a: number, b: number): void {
  parents[rootOf(parents, b)] = rootOf(parents, a);
}
