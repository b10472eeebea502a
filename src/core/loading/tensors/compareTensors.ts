/** The tensors that a config asks for against those that are there. */
import type { LoadMismatch, LoadReport, LoadTensor } from '../../checkpoints/loadReport.js';
import { limits } from '../../bytes/limits.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import { nameOf, type ExpectedGroup, type ExpectedTensors, type Place } from './expectedTensors.js';
import { hasShape, patternOf, type StoredPattern } from './storedPatterns.js';
import type { Target } from './targets.js';

export type TensorDifferences = Pick<LoadReport, 'counts' | 'missing' | 'unexpected' | 'mismatched'>;

export interface ComparedModel {
  table: TensorTable;
  expected: ExpectedTensors;
  stored: ReadonlyMap<string, StoredPattern>;
  targetOf: (pattern: StoredPattern) => Target;
}

interface FoundPattern extends StoredPattern {
  isPacked: boolean;
}

/** Both sides key by key. A key whose tensors are as many, dense and of one shape is settled without a look at any of them. */
export function compareTensors({ table, expected, stored, targetOf }: ComparedModel): TensorDifferences {
  const found = new FoundDifferences(table);
  const byKey = new Map<string, FoundPattern[]>();
  for (const pattern of stored.values()) {
    const target = targetOf(pattern);
    if (target.kind === 'ignored') continue;
    found.counts.found += pattern.rows.length;
    if (target.kind === 'unexpected') found.addUnexpected(pattern.rows);
    else byKey.set(target.key, [...(byKey.get(target.key) ?? []), { ...pattern, isPacked: target.isPacked }]);
  }
  for (const [key, groups] of expected.byKey) {
    for (const { copies, isTied } of groups) if (isTied !== true) found.counts.expected += copies;
    const own = byKey.get(key) ?? [];
    if (!isAsExpected(groups, own)) compareKey(found, { table, expected, key, groups, own });
  }
  return found;
}

/** Whether every place is taken by a tensor of the one shape. */
function isAsExpected(groups: readonly ExpectedGroup[], own: readonly FoundPattern[]): boolean {
  const [group, pattern] = [groups[0], own[0]];
  if (group === undefined || pattern === undefined || groups.length > 1 || own.length > 1) return false;
  if (pattern.rows.length !== group.copies) return false;
  if (!pattern.isPacked && group.isOpen !== true && !(pattern.isUniform && isSame(pattern.shape, group.shape))) return false;
  if (group.fixed.some((number) => number !== null)) return false;
  // Names are never there twice: as many as the box has places, and none outside of it, are all of its places.
  return pattern.largest.reduce((product, largest) => product * (largest + 1), 1) === group.copies;
}

interface ComparedKey {
  table: TensorTable;
  expected: ExpectedTensors;
  key: string;
  groups: readonly ExpectedGroup[];
  own: readonly FoundPattern[];
}

function compareKey(found: FoundDifferences, { table, expected, key, groups, own }: ComparedKey): void {
  const places = new Map<string, ExpectedGroup>();
  let isKnown = true;
  for (const group of groups) {
    const of = expected.placesOf(group);
    if (of === null) isKnown = false;
    else for (const place of of) places.set(place.join(), group);
  }
  if (!isKnown) return compareNumbers(found, { table, expected, key, groups, own });
  for (const { rows, isPacked } of own)
    for (const row of rows) {
      const place = placeOf(table, row).join();
      const group = places.get(place);
      if (group === undefined) found.addUnexpected([row]);
      else if (!isPacked && group.isOpen !== true && !hasShape(table, row, group.shape)) found.addMismatched(row, group.shape);
      places.delete(place);
    }
  for (const [place, group] of places)
    if (group.isTied !== true) found.addMissing(nameOf(key, place === '' ? [] : place.split(',').map(Number)), group.shape);
}

/** Where layers cannot be told apart, tensors of each shape are counted. */
function compareNumbers(found: FoundDifferences, { table, key, groups, own }: ComparedKey): void {
  const left = new Map<string, { group: ExpectedGroup; count: number }>();
  for (const group of groups) {
    const shape = group.shape.join();
    left.set(shape, { group, count: (left.get(shape)?.count ?? 0) + group.copies });
  }
  const others: number[] = [];
  for (const row of own.flatMap((pattern) => pattern.rows)) {
    const expected = left.get(table.shapeOf(row).join());
    if (expected !== undefined && expected.count > 0) expected.count -= 1;
    else others.push(row);
  }
  for (const { group, count } of left.values())
    for (let missing = 0; missing < count; missing++) {
      const other = others.pop();
      if (other !== undefined) found.addMismatched(other, group.shape);
      else if (group.isTied !== true) found.addMissing(key, group.shape);
    }
  found.addUnexpected(others);
}

function placeOf(table: TensorTable, row: number): Place {
  return patternOf(table.nameOf(row)).numbers;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}

/** Counts all, and keeps the first of each list. */
class FoundDifferences implements TensorDifferences {
  readonly counts = { expected: 0, found: 0, missing: 0, unexpected: 0, mismatched: 0 };
  readonly missing: LoadTensor[] = [];
  readonly unexpected: LoadTensor[] = [];
  readonly mismatched: LoadMismatch[] = [];

  constructor(private readonly table: TensorTable) {}

  addMissing(name: string, shape: readonly number[]): void {
    this.counts.missing += 1;
    if (this.missing.length < limits.loadDifferences) this.missing.push({ name, shape: [...shape] });
  }

  addUnexpected(rows: readonly number[]): void {
    for (const row of rows) {
      this.counts.unexpected += 1;
      if (this.unexpected.length >= limits.loadDifferences) continue;
      this.unexpected.push({ name: this.table.nameOf(row), shape: this.table.shapeOf(row) });
    }
  }

  addMismatched(row: number, expected: readonly number[]): void {
    this.counts.mismatched += 1;
    if (this.mismatched.length >= limits.loadDifferences) return;
    this.mismatched.push({ name: this.table.nameOf(row), expected: [...expected], found: this.table.shapeOf(row) });
  }
}
