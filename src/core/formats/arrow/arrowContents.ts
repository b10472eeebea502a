/** What Arrow IPC holds, as its schema and record batches state it. */
import type { FormatError } from '../../bytes/formatError.js';
import type { NumberColumn } from '../../bytes/numberColumn.js';
import type { ArrowSchema } from './arrowSchema.js';
import type { ArrowCompression } from './recordBatch.js';
import type { ValuePlaces } from './valuePlaces.js';

/** Sums over all batches of one leaf of the schema. */
export interface ColumnSums {
  values: number;
  /** Nulls among the values of lists of variable size. */
  nulls: number;
  /** Bytes of values as they lie in the file. */
  bytes: number;
  /** The same uncompressed; null where only the body would tell. */
  logicalBytes: number | null;
}

export interface ArrowContents {
  form: 'stream' | 'file';
  schema: ArrowSchema;
  rows: number;
  /** One for each of the schema's columns. */
  columns: ColumnSums[];
  compression: ArrowCompression | null;
  /** Where each record batch begins, and the rows before it. */
  batchOffsets: NumberColumn;
  batchFirstRows: NumberColumn;
  /** Where the values lie of the columns that were asked for. */
  places: ValuePlaces;
  /** Bytes that were not understood: damaged batches, what follows after the end. */
  unexplainedBytes: number;
  /** Damage that was met after the schema: what comes before it counts. */
  problem: FormatError | null;
}
