/**
 * Flat parameters of FSDP 1 (torch/distributed/fsdp/_flat_param.py): each rank keeps its share of a whole module in one storage, and a
 * local state_dict has beside it the module's own names, as views of whatever part of them this rank holds. The shares of the flat
 * parameter are the whole model; the views are pieces of it.
 */
import { encodeText } from '../bytes/text.js';
import { bitsOfDtype } from './dtype.js';
import type { TensorTable } from './tensorTable.js';

const suffix = encodeText('_flat_param');

/** True for the name of a flat parameter. */
export function isFlatParameter(name: string): boolean {
  return name === '_flat_param' || name.endsWith('._flat_param');
}

export class FlatParameters {
  private constructor(
    private readonly table: TensorTable,
    private readonly rows: ReadonlySet<number>,
    private readonly storages: ReadonlySet<string>,
  ) {}

  /** Undefined for the usual table, which has none. */
  static of(table: TensorTable): FlatParameters | undefined {
    const rows = new Set<number>();
    const storages = new Set<string>();
    for (let row = 0; row < table.size; row++) {
      if (!endsWith(table.nameBytes, table.nameStartOf(row), table.nameEndOf(row))) continue;
      rows.add(row);
      for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) storages.add(keyOf(table, piece));
    }
    return rows.size === 0 ? undefined : new FlatParameters(table, rows, storages);
  }

  /** Elements of all ranks' shares; undefined for any other row. Padding is not distinguished. */
  elementsOf(row: number): number | undefined {
    if (!this.rows.has(row)) return undefined;
    return Math.floor((this.table.bytesOf(row) * 8) / (bitsOfDtype(this.table.dtypeOf(row)) ?? 32));
  }

  /** True for a row that lies within a flat parameter, or of which the rank holds nothing. */
  isView(row: number): boolean {
    if (this.rows.has(row)) return false;
    const piece = this.table.firstPieceOf(row);
    return piece === this.table.endPieceOf(row) || this.storages.has(keyOf(this.table, piece));
  }
}

function keyOf(table: TensorTable, piece: number): string {
  return `${table.pieceFile(piece)}:${table.pieceOffset(piece)}`;
}

function endsWith(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < suffix.length) return false;
  for (let at = 0; at < suffix.length; at++) if (bytes[end - suffix.length + at] !== suffix[at]) return false;
  return true;
}
