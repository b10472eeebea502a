/** Arrow tables of tokens as `datasets` writes them, made by apache-arrow. */
import {
  type Int8,
  Field,
  FixedSizeList,
  Int32,
  List,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Table,
  vectorFromArray,
  type DataType,
  type Vector,
} from 'apache-arrow';

const item = <T extends DataType>(type: T): Field<T> => new Field('item', type, true);

/** Lists of variable length; a row that is null is no list. */
export function lists(rows: readonly (readonly (number | null)[] | null)[], type: Int32 | Int8 = new Int32()): Vector {
  return vectorFromArray(rows, new List(item(type)));
}

/** Lists that all have the length of the first. */
export function fixedLists(rows: readonly (readonly number[])[], type: Int32 | Int8 = new Int32()): Vector {
  return vectorFromArray(rows, new FixedSizeList(rows[0]?.length ?? 0, item(type)));
}

/** A stream, or a file, with a record batch for each table. */
export function arrowBytes(form: 'stream' | 'file', ...columns: Record<string, Vector>[]): Uint8Array {
  const writer = form === 'stream' ? new RecordBatchStreamWriter() : new RecordBatchFileWriter();
  const [first] = columns;
  if (first === undefined) throw new Error('no columns');
  const { schema } = new Table(first);
  for (const each of columns) for (const batch of new Table(schema, each).batches) writer.write(batch);
  return writer.finish().toUint8Array(true);
}

/** Numbers with a fixed order that looks random. */
export function ids(count: number, below: number, seed = 1): number[] {
  return Array.from({ length: count }, (_, index) => ((index + seed) * 7919) % below);
}
