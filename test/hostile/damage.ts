/** The three kinds of damage that every file is tried with: cut, a field replaced, bytes changed at random. */
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { isExhaustive } from '../builders/seed.js';
import { inspectAnyHostile, isNoticed } from './accountable.js';
import type { HostileFile } from './fixtureFiles.js';
import { cutTiers, fieldPlaces, fieldTiers, type Budgets } from './structure.js';
import { randomDamage, sweep, upTo, type Value } from './sweep.js';

/** Lengths and counts that no file has. */
export const fieldValues: readonly Value[] = [
  { name: 'u32 0', bytes: u32(0) },
  { name: 'u32 max', bytes: u32(0xffffffff) },
  { name: 'u64 0', bytes: u64(0) },
  { name: 'u64 max', bytes: u64(0xffffffffffffffffn) },
  { name: '2^63', bytes: u64(2n ** 63n) },
  { name: '2^40', bytes: u64(2n ** 40n) },
];

const unnoticed = 'no finding of severity error';

/** Cuts a file among its neighbours. Without `isDeclared` nothing states how long the file is: the report is checked only. */
export async function sweepCuts(target: HostileFile, budgets: Budgets, isDeclared = true): Promise<number> {
  const { name, path, bytes } = target;
  return await sweep({
    damage: 'cut',
    file: name,
    bytes,
    size: bytes.byteLength,
    tiers: cutTiers(bytes, budgets),
    exhaustive: budgets.exhaustive,
    visit: async (length) => {
      const report = await inspectAnyHostile(treeWith(target, path, bytes.subarray(0, length)));
      return !isDeclared || isNoticed(report) ? null : unnoticed;
    },
  });
}

/** Replaces fields of a file among its neighbours; `seal` makes checksums fit again. */
export async function sweepFields(
  target: HostileFile,
  budgets: Budgets,
  { values = fieldValues, seal = (bytes: Uint8Array) => bytes } = {},
): Promise<number> {
  const { name, path, bytes } = target;
  return await sweep({
    damage: 'field',
    file: name,
    bytes,
    size: fieldPlaces(bytes),
    values,
    tiers: fieldTiers(bytes, budgets),
    exhaustive: budgets.exhaustive,
    visit: async (offset, value) => {
      await inspectAnyHostile(treeWith(target, path, seal(overwrite(bytes, offset, value.bytes))));
      return null;
    },
  });
}

/** Changes bytes at random; the number of a visit stands in place of an offset. */
export async function sweepRandomDamage(target: HostileFile, usual: number, exhaustive: number): Promise<number> {
  const { name, path, bytes } = target;
  const size = isExhaustive ? exhaustive : usual;
  return await sweep({
    damage: 'random damage',
    file: name,
    bytes,
    size,
    tiers: [{ offsets: upTo(size) }],
    visit: async (number) => {
      await inspectAnyHostile(treeWith(target, path, randomDamage(bytes, name, number)));
      return null;
    },
  });
}

function treeWith({ beside, root }: HostileFile, path: string, bytes: Uint8Array): ReturnType<typeof memoryTree> {
  return memoryTree(root, { ...beside, [path]: bytes });
}
