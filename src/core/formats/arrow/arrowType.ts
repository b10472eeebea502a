/** Types of Arrow fields (format/Schema.fbs of apache/arrow): what they are called, and which buffers they have in a record batch. */
import { FormatError } from '../../bytes/formatError.js';
import type { FlatTable } from './flatBuffer.js';

/**
 * How a type lies in a record batch (format/Columnar.rst). `variable` has offsets and data, `view` has views and any number of data
 * buffers; `list`, `listView`, `fixedList`, `struct`, `union` and `runEnd` have children.
 */
export type ArrowPhysical =
  'null' | 'fixed' | 'variable' | 'view' | 'list' | 'listView' | 'fixedList' | 'struct' | 'union' | 'runEnd';

/** What the values are to us. */
export type ArrowContent = 'integers' | 'text' | 'bytes' | 'other';

export interface ArrowType {
  physical: ArrowPhysical;
  /** As pyarrow writes it; of nested types only the outermost part. */
  text: string;
  /** In our names, where there is one. */
  dtype: string | null;
  content: ArrowContent;
  /** Bits of a value of fixed width. */
  bits: number;
  /** Bytes of an offset, of lists and of values of variable size. */
  offsetBytes: number;
  /** Values of a list of fixed size. */
  listSize: number;
  isDenseUnion: boolean;
}

/** Type ids of `union Type`. */
const LAST_TYPE = 26;

function make(physical: ArrowPhysical, text: string, more: Partial<ArrowType> = {}): ArrowType {
  return {
    physical,
    text,
    dtype: null,
    content: 'other',
    bits: 0,
    offsetBytes: 4,
    listSize: 0,
    isDenseUnion: false,
    ...more,
  };
}

const fixed = (text: string, bits: number): ArrowType => make('fixed', text, { bits });

const readers: readonly ((table: FlatTable) => ArrowType)[] = [
  () => make('null', 'null'),
  () => make('null', 'null'),
  integerOf,
  floatOf,
  () => make('variable', 'binary', { content: 'bytes' }),
  () => make('variable', 'string', { content: 'text' }),
  () => make('fixed', 'bool', { bits: 1, dtype: 'bool' }),
  (table) => fixed(`decimal${table.i32(2, 128)}`, table.i32(2, 128)),
  (table) => (table.i16(0, 1) === 0 ? fixed('date32', 32) : fixed('date64', 64)),
  (table) => fixed(`time${table.i32(1, 32)}`, table.i32(1, 32)),
  () => fixed('timestamp', 64),
  (table) => fixed('interval', [32, 64, 128][table.i16(0)] ?? 64),
  () => make('list', 'list'),
  () => make('struct', 'struct'),
  (table) => make('union', 'union', { isDenseUnion: table.i16(0) === 1 }),
  (table) => make('fixed', `fixed_size_binary[${table.i32(0)}]`, { bits: 8 * table.i32(0), content: 'bytes' }),
  (table) => make('fixedList', 'fixed_size_list', { listSize: table.i32(0) }),
  () => make('list', 'map'),
  () => fixed('duration', 64),
  () => make('variable', 'large_binary', { content: 'bytes', offsetBytes: 8 }),
  () => make('variable', 'large_string', { content: 'text', offsetBytes: 8 }),
  () => make('list', 'large_list', { offsetBytes: 8 }),
  () => make('runEnd', 'run_end_encoded'),
  () => make('view', 'binary_view', { content: 'bytes', bits: 128 }),
  () => make('view', 'string_view', { content: 'text', bits: 128 }),
  () => make('listView', 'list_view'),
  () => make('listView', 'large_list_view', { offsetBytes: 8 }),
];

/**
 * The type of a Field table: `type_type` is its third member, `type` the fourth.
 * @throws FormatError `unsupported` for a type that is younger than this reader, `corrupt`
 */
export function readArrowType(field: FlatTable): ArrowType {
  const id = field.i8(2);
  const table = field.table(3);
  if (id < 0 || id > LAST_TYPE) throw new FormatError('unsupported', `Arrow type ${id}`, { offset: field.buffer.fileOffset });
  if (table === undefined) {
    if (id <= 1) return make('null', 'null');
    throw new FormatError('corrupt', 'a field of the schema has no type', { offset: field.buffer.fileOffset });
  }
  const type = (readers[id] as (table: FlatTable) => ArrowType)(table);
  if (type.bits < 0 || type.listSize < 0)
    throw new FormatError('corrupt', `${type.text} of a negative width`, { offset: field.buffer.fileOffset });
  return type;
}

function integerOf(table: FlatTable): ArrowType {
  const bits = table.i32(0);
  if (![8, 16, 32, 64].includes(bits))
    throw new FormatError('corrupt', `an integer of ${bits} bits`, { offset: table.buffer.fileOffset });
  const isSigned = table.i8(1) !== 0;
  return make('fixed', `${isSigned ? '' : 'u'}int${bits}`, {
    bits,
    dtype: `${isSigned ? 'i' : 'u'}${bits}`,
    content: 'integers',
  });
}

function floatOf(table: FlatTable): ArrowType {
  const precision = table.i16(0);
  const bits = [16, 32, 64][precision];
  if (bits === undefined)
    throw new FormatError('corrupt', `a float of precision ${precision}`, { offset: table.buffer.fileOffset });
  return make('fixed', ['halffloat', 'float', 'double'][precision] as string, { bits, dtype: `f${bits}` });
}

/** The type that a Field's DictionaryEncoding gives its column: indices, int32 unless told. */
export function readIndexType(encoding: FlatTable): ArrowType {
  const table = encoding.table(1);
  return table === undefined ? fixed('int32', 32) : integerOf(table);
}
