import { Float64, Table, tableToIPC, Uint32, Utf8, vectorFromArray } from 'apache-arrow';
import type { TensorLayers } from './tensorLayers.js';
import type { TensorTable } from './tensorTable.js';

/** Rows as an Arrow IPC stream, with the columns that tensorQuery.ts names. */
export function rowsToArrow(
  table: TensorTable,
  files: readonly { path: string }[],
  layers: TensorLayers,
  rows: Uint32Array,
): Uint8Array {
  const column = <T>(valueOf: (row: number) => T): T[] => Array.from(rows, valueOf);
  const text = (valueOf: (row: number) => string) => vectorFromArray(column(valueOf), new Utf8());
  const number = (valueOf: (row: number) => number) => vectorFromArray(column(valueOf), new Float64());
  const arrow = new Table({
    row: vectorFromArray(Array.from(rows), new Uint32()),
    name: text((row) => table.nameOf(row)),
    dtype: text((row) => table.dtypeOf(row)),
    shape: text((row) => `[${table.shapeOf(row).join(', ')}]`),
    elements: number((row) => table.elementsOf(row)),
    bytes: number((row) => table.bytesOf(row)),
    component: text((row) => table.componentOf(row)),
    part: text((row) => table.partOf(row)),
    file: text((row) => fileOf(table, files, row)),
    files: vectorFromArray(
      column((row) => table.endPieceOf(row) - table.firstPieceOf(row)),
      new Uint32(),
    ),
    layer: text((row) => layers.labelOf(row)),
  });
  return tableToIPC(arrow, 'stream');
}

function fileOf(table: TensorTable, files: readonly { path: string }[], row: number): string {
  const piece = table.firstPieceOf(row);
  return piece < table.endPieceOf(row) ? (files[table.pieceFile(piece)]?.path ?? '') : '';
}
