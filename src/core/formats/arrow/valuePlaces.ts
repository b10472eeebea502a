/** Where the numbers of a column lie in a file: its data buffers, of bodies that are not compressed, without any nulls between them. */
import { EvenSpread } from '../../bytes/evenSpread.js';
import { limits } from '../../bytes/limits.js';
import type { ArrowSchema } from './arrowSchema.js';
import { listPlacesOf, type ListPlaces } from './listPlaces.js';
import { bufferOf, type FieldLengths, type RecordBatch } from './recordBatch.js';

export interface ValuePlace {
  /** In the file. */
  offset: number;
  bytes: number;
}

/** The data buffers of some columns: of each at most `limits.arrowPlaces`, from batches that are evenly spread. */
export class ValuePlaces {
  /** Where lengths of lists lie, by column. */
  readonly lists = new Map<number, ListPlaces>();
  private readonly columns = new Map<number, EvenSpread<ValuePlace>>();

  /** @param wanted places in `schema.columns` */
  constructor(
    private readonly schema: ArrowSchema,
    wanted: readonly number[],
  ) {
    if (schema.isBigEndian) return;
    for (const column of wanted) {
      if (isPlain(schema, column)) this.columns.set(column, new EvenSpread(limits.arrowPlaces));
      const lists = listPlacesOf(schema, column);
      if (lists !== undefined) this.lists.set(column, lists);
    }
  }

  of(column: number): readonly ValuePlace[] {
    return this.columns.get(column)?.items ?? [];
  }

  /** @param fields of the batch, one for each node of the schema */
  add(batch: RecordBatch, fields: readonly FieldLengths[]): void {
    for (const lists of this.lists.values()) lists.add(batch, fields);
    if (batch.compression !== null) return;
    for (const [column, places] of this.columns) {
      const node = this.schema.columns[column]?.node ?? -1;
      const field = fields[node];
      // What lies in place of a null is no value.
      if (field === undefined || field.length === 0 || field.values !== field.length) continue;
      const bits = this.schema.nodes[node]?.type.bits ?? 0;
      const { offset } = bufferOf(batch, field.firstBuffer + 1);
      places.add({ offset: batch.bodyOffset + offset, bytes: (field.length * bits) / 8 });
    }
  }
}

/** Integers, all of which are values: views of lists may point past some. */
function isPlain({ columns, nodes }: ArrowSchema, column: number): boolean {
  const { content, isExact, node } = columns[column] ?? {};
  return content === 'integers' && isExact === true && nodes[node as number]?.type.physical === 'fixed';
}
