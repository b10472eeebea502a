/** Where the buffers are that tell how long the lists of a column are. */
import { NumberColumn } from '../../bytes/numberColumn.js';
import type { ArrowNode, ArrowSchema } from './arrowSchema.js';
import type { ArrowType } from './arrowType.js';
import { bufferOf, type FieldLengths, type RecordBatch } from './recordBatch.js';

/** The list whose items are the column's values, where each row has one: the list is a column, or a member of structs. */
function listAround({ columns, nodes }: ArrowSchema, column: number): number | undefined {
  const list = nodes[columns[column]?.node ?? -1]?.parent ?? -1;
  const physical = nodes[list]?.type.physical;
  if (physical !== 'list' && physical !== 'listView') return undefined;
  for (let at = nodes[list]?.parent ?? -1; at >= 0; at = nodes[at]?.parent ?? -1)
    if (nodes[at]?.type.physical !== 'struct') return undefined;
  return list;
}

/** The buffers of a column's lists that tell their lengths, batch by batch: offsets of lists, sizes of views. */
export class ListPlaces {
  /** Where the buffer begins; 0 in a batch without rows. */
  readonly starts = new NumberColumn(16);
  /** Items of the lists in the batch: none of them ends behind. */
  readonly values = new NumberColumn(16);

  constructor(
    private readonly list: number,
    readonly type: ArrowType,
  ) {}

  /** @param fields of the batch, one for each node of the schema */
  add(batch: RecordBatch, fields: readonly FieldLengths[]): void {
    const field = fields[this.list];
    const isThere = field !== undefined && field.length > 0 && batch.compression === null;
    const buffer = this.type.physical === 'list' ? 1 : 2;
    this.starts.push(isThere ? batch.bodyOffset + bufferOf(batch, field.firstBuffer + buffer).offset : 0);
    this.values.push(fields[this.list + 1]?.length ?? 0);
  }
}

/** Undefined where the column's values are not in lists of which each row has one. */
export function listPlacesOf(schema: ArrowSchema, column: number): ListPlaces | undefined {
  const list = listAround(schema, column);
  return list === undefined ? undefined : new ListPlaces(list, (schema.nodes[list] as ArrowNode).type);
}
