/** Files in which one side has its model a second time: their tensors are no additions. */
import type { CheckpointReport, FileReport } from '../checkpoints/checkpointReport.js';
import { parentPath } from '../files/paths.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import type { ModelRows } from './modelRows.js';

/** What is known of the files of a side. */
export interface SideFiles {
  files: readonly Pick<FileReport, 'path' | 'rank'>[];
  storedTwice: Pick<CheckpointReport['storedTwice'], 'items'>;
}

/** Without the rows of files that are whole copies of others, where the other side has no file of that name. Adds the paths of what it leaves out. */
export function withoutCopies(
  model: ModelRows,
  { files, storedTwice }: SideFiles,
  other: SideFiles,
  paths: Set<string>,
): ModelRows {
  const copies = new Set<string>();
  const originals = new Set<string>();
  for (const {
    paths: [original = '', ...others],
    bytes,
  } of storedTwice.items) {
    originals.add(original);
    if (others.every((path) => !originals.has(path)) && bytes === bytesIn(model, files, others))
      for (const path of others) copies.add(path);
  }
  for (const { path, rank } of files) if (rank !== undefined) copies.delete(path);
  for (const { path } of other.files) copies.delete(path);
  if (copies.size === 0) return model;
  const rows = model.rows.filter((row) => !copies.has(fileOf(model.table, row, files)?.path ?? ''));
  if (rows.length === 0 || rows.length === model.rows.length) return model;
  for (const path of copies) paths.add(path);
  return { ...model, rows };
}

function bytesIn({ table, rows }: ModelRows, files: SideFiles['files'], paths: readonly string[]): number {
  let bytes = 0;
  for (const row of rows) if (paths.includes(fileOf(table, row, files)?.path ?? '')) bytes += table.bytesOf(row);
  return bytes;
}

/**
 * Of `rows` those that are not stored again: with the name and shape of one of `others`, in another file of its directory. Files of ranks have shares
 * instead. Adds the paths of what it leaves out.
 */
export function withoutStoredAgain(
  table: TensorTable,
  rows: Uint32Array,
  others: Uint32Array,
  { files }: SideFiles,
  paths: Set<string>,
): Uint32Array {
  if (rows.length === 0) return rows;
  const fileOfKey = new Map<string, string>();
  const keyOf = (row: number, path: string): string => [parentPath(path), table.nameOf(row), ...table.shapeOf(row)].join('\n');
  for (const row of others) {
    const file = fileOf(table, row, files);
    if (file !== undefined && file.rank === undefined) fileOfKey.set(keyOf(row, file.path), file.path);
  }
  return rows.filter((row) => {
    const file = fileOf(table, row, files);
    const again = file && file.rank === undefined ? fileOfKey.get(keyOf(row, file.path)) : undefined;
    if (file === undefined || again === undefined || again === file.path) return true;
    paths.add(file.path);
    return false;
  });
}

/** The file of the first piece of a tensor; undefined for one without bytes. */
function fileOf(table: TensorTable, row: number, files: SideFiles['files']): SideFiles['files'][number] | undefined {
  const piece = table.firstPieceOf(row);
  return piece < table.endPieceOf(row) ? files[table.pieceFile(piece)] : undefined;
}
