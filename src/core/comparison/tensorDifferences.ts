/** Which tensors of the model differ in name, dtype and shape. */
import { limits } from '../bytes/limits.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { canonicalName } from './canonicalName.js';
import { matchTensors, type ComparedModel, type TensorMatch } from './matchTensors.js';
import { formOf, modelRows, wholeShapeOf, type ModelRows } from './modelRows.js';
import type { RowGroup } from './places/matchPlaces.js';
import { withoutCopies, withoutStoredAgain, type SideFiles } from './storedCopies.js';
import { tiedRows, type TiedRow } from './tiedRows.js';
import { elementOrder, isOneShape } from './places/elementOrders.js';
import { withoutScales } from './withoutScales.js';
import { commonLevel } from './nameLevels.js';
import type { NamedForm, NameLevel, NotCompared, Sides, TensorDifferences, TensorForm, TensorTie } from './comparisonReport.js';

interface Compared {
  differences: TensorDifferences;
  /** Pairs of rows; empty where the tensors were not compared. */
  match: TensorMatch;
  notCompared: NotCompared[];
}

interface ComparedTables extends Omit<ComparedModel, 'ranks'> {
  isOneKind: boolean;
  tiesEmbeddings: Sides<boolean | null>;
  files: Sides<SideFiles>;
}

/**
 * The tensors of two models.
 * @param isOneKind both layouts name tensors alike: another name is a difference then
 * @param tiesEmbeddings what the config of each side sets, null where it sets nothing: whether the output embedding is the input embedding
 * @param files of each side
 */
export function compareTensors(
  tables: { a: TensorTable; b: TensorTable },
  { isOneKind, tiesEmbeddings, files, modelType }: ComparedTables,
): Compared {
  const copies = { a: new Set<string>(), b: new Set<string>() };
  const a = withoutCopies(modelRows(tables.a), files.a, files.b, copies.a);
  const b = withoutCopies(modelRows(tables.b), files.b, files.a, copies.b);
  const differences: TensorDifferences = {
    same: 0,
    added: [],
    removed: [],
    renamed: [],
    changed: [],
    fused: [],
    fusedCount: 0,
    tied: 0,
    counts: { added: 0, removed: 0, renamed: 0, changed: 0 },
    of: { a: a.of, b: b.of },
  };
  const notCompared = whyNot(a, b);
  if (notCompared.length > 0) return { differences, match: noMatch(), notCompared };
  const ranks = { a: files.a.files.map(({ rank }) => rank), b: files.b.files.map(({ rank }) => rank) };
  const match = matchTensors(a, b, { ranks, ...(modelType !== undefined && { modelType }) });
  const unknown = addPairs(differences, match, tables, isOneKind);
  const level = isOneKind ? levelOf(match, tables) : undefined;
  if (level !== undefined) differences.level = level;
  for (const group of match.fused) addFused(differences, group, tables);
  match.onlyA = withoutRepeated(tables.a, withoutScales(tables.a, match.onlyA, match.pairs.a), match.pairs.a);
  match.onlyB = withoutRepeated(tables.b, withoutScales(tables.b, match.onlyB, match.pairs.b), match.pairs.b);
  match.onlyA = withoutStoredAgain(tables.a, match.onlyA, match.pairs.a, files.a, copies.a);
  match.onlyB = withoutStoredAgain(tables.b, match.onlyB, match.pairs.b, files.b, copies.b);
  if (copies.a.size + copies.b.size > 0) differences.copies = { a: pathsOf(copies.a), b: pathsOf(copies.b) };
  // An untied one is a weight of its own: the side without it lacks it.
  const areTied = (tiesEmbeddings.a ?? tiesEmbeddings.b) === true && (tiesEmbeddings.b ?? tiesEmbeddings.a) === true;
  const tiedA = tiedRows(tables.a, match.onlyA, match.pairs.a, areTied);
  const tiedB = tiedRows(tables.b, match.onlyB, match.pairs.b, areTied);
  const { counts } = differences;
  differences.tied = tiedA.size + tiedB.size;
  if (differences.tied > 0)
    differences.ties = [...tiesOf('a', tables.a, tiedA, match.pairs.a), ...tiesOf('b', tables.b, tiedB, match.pairs.b)];
  match.tied = [
    ...tiedByConfig(tiedA).map(([a, pair]) => ({ a, b: match.pairs.b[pair] as number, order: match.orders[pair] as number })),
    ...tiedByConfig(tiedB).map(([b, pair]) => ({ a: match.pairs.a[pair] as number, b, order: match.orders[pair] as number })),
  ];
  counts.removed = addForms(differences.removed, tables.a, match.onlyA, tiedA);
  counts.added = addForms(differences.added, tables.b, match.onlyB, tiedB);
  return { differences, match, notCompared: unknown === 0 ? [] : [ofPlaceholders(unknown)] };
}

/** What all names differ by that do. */
function levelOf({ pairs, isRenamed }: TensorMatch, { a, b }: { a: TensorTable; b: TensorTable }): NameLevel | undefined {
  const renamed = function* (): Generator<[number, number]> {
    for (const [at, row] of pairs.a.entries()) if (isRenamed[at] === 1) yield [row, pairs.b[at] as number];
  };
  return commonLevel(a, b, renamed());
}

function tiesOf(
  side: TensorTie['side'],
  table: TensorTable,
  tied: ReadonlyMap<number, TiedRow>,
  others: Uint32Array,
): TensorTie[] {
  return Array.from(tied, ([row, { pair, by }]) => ({
    side,
    name: table.nameOf(row),
    to: table.nameOf(others[pair] as number),
    by,
  }));
}

/** Rows and the pairs that they are tied to. */
function tiedByConfig(tied: ReadonlyMap<number, TiedRow>): [number, number][] {
  return Array.from(tied, ([row, { pair, by }]): [number, number][] => (by === 'config' ? [[row, pair]] : [])).flat();
}

function pathsOf(paths: ReadonlySet<string>): string[] {
  return [...paths].sort().slice(0, limits.comparedDifferences);
}

/** Reasons for which names cannot be compared at all. */
function whyNot(a: ModelRows, b: ModelRows): NotCompared[] {
  const reasons: NotCompared[] = [];
  if (a.of === null && b.of === null) return [{ what: 'tensors', side: null, reason: 'Neither side has weights.' }];
  for (const [side, own] of [
    ['a', a],
    ['b', b],
  ] as const) {
    if (own.of === null) reasons.push({ what: 'tensors', side, reason: 'It has no weights and no master weights with names.' });
  }
  if (reasons.length === 0 && a.isFlat !== b.isFlat)
    reasons.push({
      what: 'tensors',
      side: a.isFlat ? 'a' : 'b',
      reason: 'Its weights are in flat shares of all ranks, without the names and shapes of tensors.',
    });
  return reasons;
}

function ofPlaceholders(tensors: number): NotCompared {
  return {
    what: 'tensors',
    side: null,
    reason: `The shapes of ${tensors} tensors are not stored with them: one side has placeholders.`,
  };
}

/** Answers how many pairs have a placeholder of unknown shape. */
function addPairs(
  differences: TensorDifferences,
  { pairs, isRenamed, orders }: TensorMatch,
  { a, b }: { a: TensorTable; b: TensorTable },
  isOneKind: boolean,
): number {
  const { renamed, changed, counts } = differences;
  let unknown = 0;
  pairs.a.forEach((row, at) => {
    const other = pairs.b[at] as number;
    if (isPlaceholder(a, row) !== isPlaceholder(b, other)) unknown += 1;
    else if (!haveOneForm(a, row, b, other, orders[at] as number)) {
      counts.changed += 1;
      if (changed.length < limits.comparedDifferences)
        changed.push({ name: a.nameOf(row), a: formOf(a, row), b: formOf(b, other) });
    } else if (isOneKind && isRenamed[at] === 1) {
      counts.renamed += 1;
      if (renamed.length < limits.comparedDifferences) renamed.push({ from: a.nameOf(row), to: b.nameOf(other) });
    } else differences.same += 1;
  });
  return unknown;
}

/** Placeholders of weights that the same side has gathered, and that were compared, are no tensors of their own. */
function withoutRepeated(table: TensorTable, rows: Uint32Array, others: Uint32Array): Uint32Array {
  if (!rows.some((row) => wholeShapeOf(table, row) !== undefined)) return rows;
  const names = new Set(Array.from(others, (row) => canonicalName(table.nameOf(row))));
  return rows.filter((row) => wholeShapeOf(table, row) === undefined || !names.has(canonicalName(table.nameOf(row))));
}

/** A row without elements whose shape nothing states. */
function isPlaceholder(table: TensorTable, row: number): boolean {
  return table.elementsOf(row) === 0 && wholeShapeOf(table, row) === undefined;
}

function haveOneForm(a: TensorTable, row: number, b: TensorTable, other: number, order: number): boolean {
  if (a.dtypeOf(row) !== b.dtypeOf(other)) return false;
  const isWhole = wholeShapeOf(a, row) === undefined && wholeShapeOf(b, other) === undefined;
  if (isWhole && order !== elementOrder.transposed && haveEqualAxes(a, row, b, other)) return true;
  return isOneShape(formOf(a, row).shape, formOf(b, other).shape, order);
}

function haveEqualAxes(a: TensorTable, row: number, b: TensorTable, other: number): boolean {
  const rank = a.rankOf(row);
  if (rank !== b.rankOf(other)) return false;
  for (let axis = 0; axis < rank; axis++) if (a.dimensionOf(row, axis) !== b.dimensionOf(other, axis)) return false;
  return true;
}

/** Tensors that are one together: of a group that is one tensor on a side its shape is that of both. */
function addFused(differences: TensorDifferences, group: RowGroup, { a, b }: { a: TensorTable; b: TensorTable }): void {
  const { fused, changed, counts } = differences;
  const [own, others] = [namesOf(a, group.a), namesOf(b, group.b)];
  differences.fusedCount += 1;
  if (fused.length < limits.comparedDifferences)
    fused.push({ a: own, b: others, counts: { a: group.a.length, b: group.b.length } });
  const dtypes = { a: dtypesOf(a, group.a), b: dtypesOf(b, group.b) };
  if (dtypes.a === dtypes.b) {
    differences.same += 1;
    return;
  }
  counts.changed += 1;
  if (changed.length >= limits.comparedDifferences) return;
  const shape = shapeOf(a, group.a) ?? shapeOf(b, group.b) ?? [];
  changed.push({ name: own[0] as string, a: { dtype: dtypes.a, shape }, b: { dtype: dtypes.b, shape } });
}

function namesOf(table: TensorTable, rows: readonly number[]): string[] {
  return rows.slice(0, limits.comparedFusedNames).map((row) => table.nameOf(row));
}

function dtypesOf(table: TensorTable, rows: readonly number[]): string {
  return [...new Set(rows.map((row) => table.dtypeOf(row)))].sort().join(', ');
}

/** Undefined for several. */
function shapeOf(table: TensorTable, rows: readonly number[]): TensorForm['shape'] | undefined {
  return rows.length === 1 ? formOf(table, rows[0] as number).shape : undefined;
}

/** Answers how many there are. */
function addForms(list: NamedForm[], table: TensorTable, rows: Uint32Array, tied: ReadonlyMap<number, unknown>): number {
  for (const row of rows) {
    if (list.length >= limits.comparedDifferences) break;
    if (!tied.has(row)) list.push({ name: table.nameOf(row), ...formOf(table, row) });
  }
  return rows.length - tied.size;
}

function noMatch(): TensorMatch {
  const none = new Uint32Array(0);
  const [isRenamed, orders] = [new Uint8Array(0), new Uint8Array(0)];
  return { pairs: { a: none, b: none }, isRenamed, orders, fused: [], onlyA: none, onlyB: none, tied: [] };
}
