/** A level that all names of one side have and those of the other lack: `foo.layers.0.weight` and `layers.0.weight`. */
import { encodeText } from '../bytes/text.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { canonicalName } from './canonicalName.js';
import type { NameLevel } from './comparisonReport.js';
import { rowsLeft, type NamedRows, type Partners } from './matchNames.js';

/** Levels that are looked at, from the root. */
const mostLevels = 4;
/** One tensor is no sign of a level. */
const leastRows = 2;

interface Pair {
  /** Rows of the side without the level and of the one with it. */
  own: number;
  longer: number;
}

/** Adds partners whose names differ by one level alone, of rows that have none. */
export function matchByLevel(a: NamedRows, b: NamedRows, { ofA, ofB, isRenamed }: Partners): void {
  const [own, other] = [
    { table: a.table, rows: rowsLeft(a, ofA) },
    { table: b.table, rows: rowsLeft(b, ofB) },
  ];
  const longerB = (): NamePair[] => pairsByLevel(own, other).map((pair) => ({ row: pair.own, other: pair.longer }));
  const longerA = (): NamePair[] => pairsByLevel(other, own).map((pair) => ({ row: pair.longer, other: pair.own }));
  // Where the names of one side are the longer ones, it is mostly that one.
  const ways = nameBytesOf(other) >= nameBytesOf(own) ? [longerB, longerA] : [longerA, longerB];
  const most = Math.min(own.rows.length, other.rows.length);
  let pairs: NamePair[] = [];
  for (const way of ways) {
    const found = pairs.length === most ? [] : way();
    if (found.length > pairs.length) pairs = found;
  }
  for (const pair of pairs) {
    ofA[pair.row] = pair.other;
    ofB[pair.other] = pair.row;
    isRenamed[pair.row] = 1;
  }
}

interface NamePair {
  row: number;
  other: number;
}

function nameBytesOf({ table, rows }: NamedRows): number {
  return rows.reduce((sum, row) => sum + table.nameEndOf(row) - table.nameStartOf(row), 0);
}

/**
 * Pairs of rows that have one name where a level of the longer ones is left out, the same level in all pairs. None where several levels lead to
 * one row.
 */
function pairsByLevel(own: NamedRows, longer: NamedRows): Pair[] {
  if (own.rows.length < leastRows || longer.rows.length < leastRows) return [];
  const rows = rowsByName(own);
  const levels = new Map<string, Pair[]>();
  for (const row of longer.rows) {
    const name = longer.table.nameOf(row);
    for (const { before, level, rest } of levelsOf(name)) {
      const found = rows.get(canonicalName(before + rest));
      if (found === undefined || found === -1) continue;
      const key = `${before}\n${level}`;
      const pairs = levels.get(key) ?? [];
      if (pairs.length === 0) levels.set(key, pairs);
      pairs.push({ own: found, longer: row });
    }
  }
  return best(levels);
}

function best(levels: ReadonlyMap<string, Pair[]>): Pair[] {
  const claims = new Map<number, number>();
  for (const pairs of levels.values()) for (const { own } of pairs) claims.set(own, (claims.get(own) ?? 0) + 1);
  const [most = []] = [...levels.values()].sort((one, other) => other.length - one.length);
  return most.length >= leastRows && most.every(({ own }) => claims.get(own) === 1) ? most : [];
}

/** By their names without wrappers; -1 for one that several have. */
function rowsByName({ table, rows }: NamedRows): Map<string, number> {
  const byName = new Map<string, number>();
  for (const row of rows) {
    const name = canonicalName(table.nameOf(row));
    byName.set(name, byName.has(name) ? -1 : row);
  }
  return byName;
}

function levelsOf(name: string): { before: string; level: string; rest: string }[] {
  const levels = [];
  let from = 0;
  let last = '';
  for (let end = name.indexOf('.'); end !== -1 && levels.length < mostLevels; end = name.indexOf('.', from)) {
    const level = name.slice(from, end + 1);
    // Of two equal ones it is the first.
    if (level !== last) levels.push({ before: name.slice(0, from), level, rest: name.slice(end + 1) });
    [from, last] = [end + 1, level];
  }
  return levels;
}

/** What the names of all these pairs of rows differ by, one name with other levels before or within it; undefined where they differ otherwise. */
export function commonLevel(
  a: TensorTable,
  b: TensorTable,
  pairs: Iterable<readonly [rowOfA: number, rowOfB: number]>,
): NameLevel | undefined {
  let common: (NameLevel & { start: Uint8Array; levelBytes: number }) | undefined;
  for (const [rowA, rowB] of pairs) {
    common ??= firstLevel(a.nameOf(rowA), b.nameOf(rowB));
    if (common === undefined) return undefined;
    const [short, long] = common.side === 'b' ? [nameIn(a, rowA), nameIn(b, rowB)] : [nameIn(b, rowB), nameIn(a, rowA)];
    const { start, levelBytes } = common;
    const before = start.byteLength - levelBytes;
    if (short.byteLength < before || long.byteLength !== short.byteLength + levelBytes) return undefined;
    if (!areEqual(long, 0, start, 0, start.byteLength) || !areEqual(short, 0, start, 0, before)) return undefined;
    if (!areEqual(long, start.byteLength, short, before, short.byteLength - before)) return undefined;
    common.names += 1;
  }
  if (common === undefined) return undefined;
  const { side, before, level, names } = common;
  return { side, before, level, names };
}

/** Of one pair, in text; the others are compared with its bytes: `start` is what stands before the level, and the level. */
function firstLevel(a: string, b: string): (NameLevel & { start: Uint8Array; levelBytes: number }) | undefined {
  const side = a.length < b.length ? 'b' : 'a';
  const between = side === 'b' ? levelBetween(a, b) : levelBetween(b, a);
  if (between === undefined) return undefined;
  const [start, { byteLength: levelBytes }] = [encodeText(between.before + between.level), encodeText(between.level)];
  return { side, ...between, names: 0, start, levelBytes };
}

function nameIn(table: TensorTable, row: number): Uint8Array {
  return table.nameBytes.subarray(table.nameStartOf(row), table.nameEndOf(row));
}

function areEqual(one: Uint8Array, from: number, other: Uint8Array, otherFrom: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (one[from + at] !== other[otherFrom + at]) return false;
  return true;
}

function levelBetween(short: string, long: string): Pick<NameLevel, 'before' | 'level'> | undefined {
  let from = 0;
  for (let at = 0; at < short.length && short[at] === long[at]; at++) if (short[at] === '.') from = at + 1;
  const rest = short.slice(from);
  const level = long.slice(from, long.length - rest.length);
  return long.endsWith(rest) && level.endsWith('.') ? { before: short.slice(0, from), level } : undefined;
}
