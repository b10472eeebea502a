import { nameSearch } from './nameSearch.js';
import type { TensorLayers } from './tensorLayers.js';
import { tensorParts } from './component.js';
import type { ComponentChoice, TensorColumn, TensorQuery } from './tensorQuery.js';
import type { TensorTable } from './tensorTable.js';

type Files = readonly { path: string }[];

/** The rows that match a query, in its order (the files' order where it has none). */
export function selectTensors(
  table: TensorTable,
  files: Files,
  layers: TensorLayers,
  query: TensorQuery,
): Uint32Array<ArrayBuffer> {
  const rows = filterRows(table, files, layers, query);
  if (query.sort === undefined) return rows;
  // One key a row, so that the comparison itself is cheap: 200,000 rows are compared three million times.
  const keys = Array.from(rows, keyFunction(table, files, layers, query.sort.column));
  return sortRows(rows, keys, query.sort.descending);
}

function filterRows(table: TensorTable, files: Files, layers: TensorLayers, query: TensorQuery): Uint32Array<ArrayBuffer> {
  const hasWords = nameSearch(table, query.search ?? '');
  const components = chosenParts(query.components);
  const dtypes = setOf(query.dtypes);
  const paths = setOf(query.files);
  const labels = setOf(query.layers);
  const rows = new Uint32Array(table.size);
  let count = 0;
  for (let row = 0; row < table.size; row++) {
    if (components !== undefined && components.get(table.componentOf(row))?.has(table.partOf(row)) !== true) continue;
    if (dtypes !== undefined && !dtypes.has(table.dtypeOf(row))) continue;
    if (labels !== undefined && !labels.has(layers.labelAt(layers.numberOf(row)))) continue;
    if (paths !== undefined && !isInFiles(table, files, row, paths)) continue;
    if (hasWords !== undefined && !hasWords(row)) continue;
    rows[count++] = row;
  }
  return rows.slice(0, count);
}

/** Of each chosen component the parts that pass; undefined where none is chosen. */
function chosenParts(choices: readonly ComponentChoice[] = []): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  if (choices.length === 0) return undefined;
  const parts = new Map<string, Set<string>>();
  for (const choice of choices) {
    const [component = '', part] = choice.split(':');
    const chosen = parts.get(component) ?? new Set<string>();
    for (const one of part === undefined ? tensorParts : [part]) chosen.add(one);
    parts.set(component, chosen);
  }
  return parts;
}

function setOf<T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined {
  return values === undefined || values.length === 0 ? undefined : new Set(values);
}

function isInFiles(table: TensorTable, files: Files, row: number, paths: ReadonlySet<string>): boolean {
  for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
    if (paths.has(files[table.pieceFile(piece)]?.path ?? '')) return true;
  }
  return false;
}

function keyFunction(
  table: TensorTable,
  files: Files,
  layers: TensorLayers,
  column: TensorColumn,
): (row: number) => string | number {
  switch (column) {
    case 'name':
      return (row) => naturalKey(table.nameOf(row));
    case 'dtype':
      return (row) => table.dtypeOf(row);
    case 'shape':
      return (row) => naturalKey(table.shapeOf(row).join(' '));
    case 'elements':
      return (row) => table.elementsOf(row);
    case 'bytes':
      return (row) => table.bytesOf(row);
    case 'component':
      return (row) => table.componentOf(row) + table.partOf(row);
    case 'file':
      return (row) => naturalKey(files[table.pieceFile(table.firstPieceOf(row))]?.path ?? '');
    case 'layer':
      return (row) => naturalKey(layers.labelAt(layers.numberOf(row)));
  }
}

/** Numbers padded to the same width, so that plain comparison orders `layers.2` before `layers.10`. */
export function naturalKey(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** Stable: rows with equal keys keep the files' order. */
function sortRows(
  rows: Uint32Array<ArrayBuffer>,
  keys: readonly (string | number)[],
  descending: boolean,
): Uint32Array<ArrayBuffer> {
  // An array, as its sort takes what is in order already as it is; that of a typed array does not.
  const order = Array.from(rows, (_, index) => index);
  const sign = descending ? -1 : 1;
  order.sort((a, b) => {
    const [left, right] = [keys[a] as string | number, keys[b] as string | number];
    return left === right ? a - b : left < right ? -sign : sign;
  });
  return Uint32Array.from(order, (index) => rows[index] ?? 0);
}
