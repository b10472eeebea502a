import type { TensorTable } from './tensorTable.js';

/** A stretch of a file, by its number in the report. */
export interface FileExtent {
  file: number;
  offset: number;
  length: number;
}

/** Tensors of which a stretch has bytes. */
export interface TensorsOfExtent {
  /** The first ones, in the order of the table. */
  names: string[];
  more: number;
}

/** Names listed for a stretch: damage of a whole file contains all of its tensors. */
const mostNames = 3;

/** For each of a few hundred stretches the tensors that lie in it; the table is looked through once. */
export function tensorsAt(table: TensorTable, extents: readonly FileExtent[]): TensorsOfExtent[] {
  const found = extents.map((): TensorsOfExtent => ({ names: [], more: 0 }));
  const byFile = new Map<number, number[]>();
  for (const [index, { file }] of extents.entries()) byFile.set(file, [...(byFile.get(file) ?? []), index]);
  for (let row = 0; row < table.size; row++)
    for (const index of extentsOfRow(table, row, extents, byFile)) {
      const one = found[index] as TensorsOfExtent;
      if (one.names.length < mostNames) one.names.push(table.nameOf(row));
      else one.more += 1;
    }
  return found;
}

function extentsOfRow(
  table: TensorTable,
  row: number,
  extents: readonly FileExtent[],
  byFile: ReadonlyMap<number, readonly number[]>,
): Set<number> {
  const own = new Set<number>();
  for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
    const start = table.pieceOffset(piece);
    const end = start + table.pieceSize(piece);
    for (const index of byFile.get(table.pieceFile(piece)) ?? []) {
      const { offset, length } = extents[index] as FileExtent;
      if (offset < end && start < offset + length) own.add(index);
    }
  }
  return own;
}
