/**
 * Footer of a Parquet file (FileMetaData of parquet.thrift, apache/parquet-format): `PAR1`, column chunks, the footer, its u32 length, and
 * `PAR1` again. Decoded field by field into sums: a footer of 2,000 row groups with 100 columns never becomes 200,000 objects.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { NumberColumn } from '../../bytes/numberColumn.js';
import { decodeLatin1, decodeText } from '../../bytes/text.js';
import { PickledMetadata } from '../arrow/pickledMetadata.js';
import { isPickle } from '../pickle/pickleHead.js';
import { addChunk, newChunk, readColumnChunk, type ColumnChunk, type ParquetSums } from './columnChunk.js';
import { readParquetSchema, type ParquetColumn } from './parquetSchema.js';
import { ThriftCursor, ThriftType } from './thrift.js';

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
const TAIL_BYTES = 8;
/** Enough for the footers of most files: 100 bytes a column and row group. */
const GUESS_BYTES = 64 * 1024;

export interface ParquetContents {
  columns: ParquetColumn[];
  sums: ParquetSums[];
  rows: number;
  groupFirstRows: NumberColumn;
  groupRows: NumberColumn;
  /** Where the chunk of column `c` in group `g` begins, and its bytes: at `g * columns.length + c`. */
  chunkOffsets: NumberColumn;
  chunkBytes: NumberColumn;
  createdBy: string;
  metadata: Map<string, string>;
  /** Values of metadata, and of the Arrow schema in them, that are pickles. */
  pickled: PickledMetadata;
  /** Chunks lie in other files: a `_metadata` beside them. */
  isExternal: boolean;
  footerOffset: number;
  footerBytes: number;
  /** What does not fit together: the first of it. Numbers stand as the footer says them. */
  problem: FormatError | null;
}

export function isParquet(head: Uint8Array): boolean {
  const magic = decodeLatin1(head, 0, Math.min(4, head.byteLength));
  return magic === MAGIC || magic === ENCRYPTED_MAGIC;
}

/**
 * Reads the footer: one read, or two where it is large.
 * @throws FormatError `not-this-format`, `truncated` without a footer, `unsupported` where it is encrypted, `corrupt`, `limit-exceeded`
 */
export async function readParquet(source: ByteSource, signal: AbortSignal | undefined): Promise<ParquetContents> {
  const { sizeBytes } = source;
  const guess = Math.min(GUESS_BYTES, sizeBytes);
  const tail = await source.read(sizeBytes - guess, guess, signal);
  const magic = decodeLatin1(tail, Math.max(0, guess - MAGIC.length));
  if (magic === ENCRYPTED_MAGIC) throw new FormatError('unsupported', 'the footer is encrypted', { offset: sizeBytes - 4 });
  if (magic !== MAGIC || sizeBytes < 4 + TAIL_BYTES) throw await withoutFooter(source, signal);
  const lengthAt = guess - TAIL_BYTES;
  const length = new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getUint32(lengthAt, true);
  const start = sizeBytes - TAIL_BYTES - length;
  if (start < 4)
    throw new FormatError('corrupt', `a footer of ${length} bytes in a file of ${sizeBytes}`, { offset: sizeBytes - TAIL_BYTES });
  if (length > limits.parquetFooterBytes)
    throw new FormatError('limit-exceeded', `a footer of ${length} bytes`, { offset: start });
  const isThere = length <= lengthAt;
  const bytes = isThere ? tail.subarray(lengthAt - length, lengthAt) : await source.read(start, length, signal);
  throwIfCancelled(signal);
  return decodeFooter(bytes, start);
}

async function withoutFooter(source: ByteSource, signal: AbortSignal | undefined): Promise<FormatError> {
  const head = await source.read(0, Math.min(4, source.sizeBytes), signal);
  const offset = source.sizeBytes;
  if (isParquet(head) || head.byteLength < 4) return new FormatError('truncated', 'the footer is not there', { offset });
  return new FormatError('not-this-format', 'neither its beginning nor its end is that of a Parquet file', { offset: 0 });
}

function decodeFooter(bytes: Uint8Array, fileOffset: number): ParquetContents {
  const contents: ParquetContents = {
    columns: [],
    sums: [],
    rows: 0,
    groupFirstRows: new NumberColumn(),
    groupRows: new NumberColumn(),
    chunkOffsets: new NumberColumn(),
    chunkBytes: new NumberColumn(),
    createdBy: '',
    metadata: new Map(),
    pickled: new PickledMetadata(),
    isExternal: false,
    footerOffset: fileOffset,
    footerBytes: bytes.byteLength + TAIL_BYTES,
    problem: null,
  };
  const cursor = new ThriftCursor(bytes, 0, fileOffset);
  let rows = -1;
  // A table may have rows and no columns: the root is its only element then.
  let hasSchema = false;
  cursor.struct((id, type) => {
    if (id === 2 && type === ThriftType.list) {
      contents.columns = readParquetSchema(cursor);
      hasSchema = true;
      contents.sums = contents.columns.map(newSums);
    } else if (id === 3 && type === ThriftType.i64) rows = cursor.zigzag();
    else if (id === 4 && type === ThriftType.list) {
      if (!hasSchema) throw cursor.corrupt('the schema does not come before the row groups');
      readGroups(cursor, contents);
    } else if (id === 5 && type === ThriftType.list) readPairs(cursor, contents);
    else if (id === 6 && type === ThriftType.binary) contents.createdBy = cursor.text();
    else return false;
    return true;
  });
  if (rows < 0 || !hasSchema) throw cursor.corrupt('it has no schema or no number of rows');
  if (rows !== contents.rows && !isSchemaOnly(contents))
    note(
      contents,
      new FormatError('corrupt', `the footer says ${rows} rows, its row groups have ${contents.rows}`, { offset: fileOffset }),
    );
  noteSizes(contents);
  return contents;
}

/** `_common_metadata` has a schema and nothing else. */
function isSchemaOnly({ groupRows }: ParquetContents): boolean {
  return groupRows.length === 0;
}

function newSums(): ParquetSums {
  return {
    values: 0,
    leastValues: 0,
    bytes: 0,
    logicalBytes: 0,
    textBytes: 0,
    codecs: new Set(),
    encodings: new Set(),
    lowest: null,
    highest: null,
  };
}

function readGroups(cursor: ThriftCursor, contents: ParquetContents): void {
  const chunks = contents.columns.map(newChunk);
  cursor.list((type) => {
    if (type !== ThriftType.struct) throw cursor.corrupt('row groups are no structs');
    readGroup(cursor, contents, chunks);
  });
}

/** The number of rows comes after the columns: they are added once the group ends. */
function readGroup(cursor: ThriftCursor, contents: ParquetContents, chunks: readonly ColumnChunk[]): void {
  const { columns } = contents;
  let rows = 0;
  let found = 0;
  cursor.struct((id, type) => {
    if (id === 1 && type === ThriftType.list)
      cursor.list((itemType, index) => {
        const column = columns[index];
        if (itemType !== ThriftType.struct || column === undefined)
          throw cursor.corrupt('a row group has more columns than the schema');
        readColumnChunk(cursor, chunks[index] as ColumnChunk, column, contents.sums[index] as ParquetSums);
        found = index + 1;
      });
    else if (id === 3 && type === ThriftType.i64) rows = cursor.zigzag();
    else return false;
    return true;
  });
  if (rows < 0) throw cursor.corrupt(`a row group of ${rows} rows`);
  if (found !== columns.length) throw cursor.corrupt(`a row group has ${found} of ${columns.length} columns`);
  for (let index = 0; index < found; index++) addColumn(contents, index, rows, chunks[index] as ColumnChunk);
  contents.groupFirstRows.push(contents.rows);
  contents.groupRows.push(rows);
  contents.rows += rows;
}

function addColumn(contents: ParquetContents, index: number, rows: number, chunk: ColumnChunk): void {
  const column = contents.columns[index] as ParquetColumn;
  if (chunk.isExternal) contents.isExternal = true;
  const problem = addChunk(contents.sums[index] as ParquetSums, column, rows, chunk, contents.footerOffset);
  contents.chunkOffsets.push(chunk.startOffset);
  contents.chunkBytes.push(chunk.bytes);
  const { footerOffset } = contents;
  if (problem !== null) note(contents, new FormatError('corrupt', `${column.name}: ${problem}`, { offset: footerOffset }));
  else if (!chunk.isExternal && chunk.bytes > 0 && (chunk.startOffset < 4 || chunk.startOffset + chunk.bytes > footerOffset)) {
    const detail = `${column.name}: a chunk of ${chunk.bytes} bytes at ${chunk.startOffset} does not lie before the footer at ${footerOffset}`;
    note(contents, new FormatError('corrupt', detail, { offset: chunk.startOffset }));
  }
}

function noteSizes(contents: ParquetContents): void {
  const bytes = contents.sums.reduce((sum, column) => sum + column.bytes, 0);
  if (!contents.isExternal && bytes > contents.footerOffset)
    note(
      contents,
      new FormatError('corrupt', `column chunks of ${bytes} bytes before a footer at ${contents.footerOffset}`, {
        offset: contents.footerOffset,
      }),
    );
}

function note(contents: ParquetContents, problem: FormatError): void {
  contents.problem ??= problem;
}

function readPairs(cursor: ThriftCursor, { metadata, pickled }: ParquetContents): void {
  cursor.list((listType) => {
    if (listType !== ThriftType.struct) throw cursor.corrupt('key-value pairs are no structs');
    let key = '';
    let bytes: Uint8Array = new Uint8Array(0);
    cursor.struct((id, type) => {
      if (type !== ThriftType.binary || (id !== 1 && id !== 2)) return false;
      if (id === 1) key = cursor.text();
      else bytes = cursor.binary();
      return true;
    });
    const value = decodeText(bytes);
    metadata.set(key, value);
    if (key === 'ARROW:schema') pickled.addEncoded(value);
    else if (isPickle(bytes)) pickled.add({ key, bytes, offset: undefined });
  });
}
