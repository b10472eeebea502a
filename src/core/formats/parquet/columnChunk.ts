/** ColumnChunk and ColumnMetaData of a Parquet footer (parquet.thrift). */
import type { ParquetColumn } from './parquetSchema.js';
import { ThriftType, type ThriftCursor } from './thrift.js';

/** Sums over the chunks of one column. */
export interface ParquetSums {
  /** Values that are there, or at most as many where that is not stated. */
  values: number;
  /** At least as many; `values` where it is exact. */
  leastValues: number;
  /** On disk, with page headers and levels. */
  bytes: number;
  /** The same uncompressed. */
  logicalBytes: number;
  /** Bytes of text or binary without lengths, uncompressed; null where a writer does not state them. */
  textBytes: number | null;
  /** Codec numbers that occur (`enum CompressionCodec`). */
  codecs: Set<number>;
  /** Encodings that occur (`enum Encoding`), those of levels included. */
  encodings: Set<number>;
  /** Lowest and highest of the values by the statistics, of flat columns of integers. */
  lowest: number | null;
  highest: number | null;
}

/** One chunk. The same object is filled again for each: there are millions. */
export interface ColumnChunk {
  isExternal: boolean;
  codec: number;
  /** Slots: values, nulls, and one for each list that is null or empty. */
  slots: number;
  bytes: number;
  logicalBytes: number;
  dataPageOffset: number;
  dictionaryPageOffset: number;
  startOffset: number;
  /** Slots without a value; -1 where the statistics do not say. */
  nulls: number;
  /** Values that are there by the histogram of definition levels; -1 without one. */
  present: number;
  textBytes: number;
  lowest: number | null;
  highest: number | null;
}

export function newChunk(): ColumnChunk {
  return {
    isExternal: false,
    codec: 0,
    slots: 0,
    bytes: 0,
    logicalBytes: 0,
    dataPageOffset: 0,
    dictionaryPageOffset: 0,
    startOffset: 0,
    nulls: -1,
    present: -1,
    textBytes: -1,
    lowest: null,
    highest: null,
  };
}

const empty = newChunk();

/** Reads a ColumnChunk struct into `chunk`. @throws FormatError `corrupt` */
export function readColumnChunk(cursor: ThriftCursor, chunk: ColumnChunk, column: ParquetColumn, sums: ParquetSums): void {
  Object.assign(chunk, empty);
  let hasMetadata = false;
  cursor.struct((id, type) => {
    if (id === 1 && type === ThriftType.binary) chunk.isExternal = cursor.binary().byteLength > 0;
    else if (id === 3 && type === ThriftType.struct) {
      hasMetadata = true;
      readMetadata(cursor, chunk, column, sums);
    } else return false;
    return true;
  });
  // Encrypted columns have their metadata elsewhere: nothing is known of them but that they are there.
  if (!hasMetadata) throw cursor.corrupt(`the metadata of a chunk of ${column.name} are not there, or encrypted`);
  const { dictionaryPageOffset, dataPageOffset } = chunk;
  // A chunk without rows may have a dictionary and no data page at all.
  const isDictionaryFirst = dictionaryPageOffset > 0 && (dictionaryPageOffset < dataPageOffset || dataPageOffset === 0);
  chunk.startOffset = isDictionaryFirst ? dictionaryPageOffset : dataPageOffset;
}

function readMetadata(cursor: ThriftCursor, chunk: ColumnChunk, column: ParquetColumn, sums: ParquetSums): void {
  cursor.struct((id, type) => {
    switch (id) {
      case 2: {
        if (type !== ThriftType.list || column.content !== 'text') return false;
        cursor.list((itemType) => {
          if (itemType !== ThriftType.i32) throw cursor.corrupt('encodings are no numbers');
          const encoding = cursor.zigzag();
          // There are ten: what a damaged list has besides would fill the memory.
          if (encoding >= 0 && encoding < 32) sums.encodings.add(encoding);
        });
        return true;
      }
      case 4:
      case 5:
      case 6:
      case 7:
      case 9:
      case 11:
        if (type !== ThriftType.i32 && type !== ThriftType.i64) return false;
        setNumber(chunk, id, cursor.zigzag());
        return true;
      case 12:
        if (type !== ThriftType.struct) return false;
        readStatistics(cursor, chunk, column);
        return true;
      case 16:
        if (type !== ThriftType.struct) return false;
        readSizes(cursor, chunk, column);
        return true;
      default:
        return false;
    }
  });
}

function setNumber(chunk: ColumnChunk, id: number, value: number): void {
  if (id === 4) chunk.codec = value;
  else if (id === 5) chunk.slots = value;
  else if (id === 6) chunk.logicalBytes = value;
  else if (id === 7) chunk.bytes = value;
  else if (id === 9) chunk.dataPageOffset = value;
  else chunk.dictionaryPageOffset = value;
}

/** Statistics: 3 `null_count`, 5 `max_value`, 6 `min_value`. */
function readStatistics(cursor: ThriftCursor, chunk: ColumnChunk, column: ParquetColumn): void {
  const hasRange = column.content === 'integers' && column.maxRepetition === 0;
  cursor.struct((id, type) => {
    if (id === 3 && type === ThriftType.i64) chunk.nulls = cursor.zigzag();
    else if (hasRange && id === 5 && type === ThriftType.binary) chunk.highest = integerOf(cursor.binary());
    else if (hasRange && id === 6 && type === ThriftType.binary) chunk.lowest = integerOf(cursor.binary());
    else return false;
    return true;
  });
}

function integerOf(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength === 4) return view.getInt32(0, true);
  return bytes.byteLength === 8 ? Number(view.getBigInt64(0, true)) : null;
}

/** SizeStatistics: 1 bytes of texts without their lengths, 3 how often each definition level occurs: the highest is a value. */
function readSizes(cursor: ThriftCursor, chunk: ColumnChunk, column: ParquetColumn): void {
  cursor.struct((id, type) => {
    if (id === 1 && type === ThriftType.i64) {
      chunk.textBytes = cursor.zigzag();
      return true;
    }
    if (id !== 3 || type !== ThriftType.list) return false;
    const { length, type: itemType } = cursor.listHead();
    for (let level = 0; level < length; level++) {
      if (itemType !== ThriftType.i64) cursor.skip(itemType, 0);
      else {
        const count = cursor.zigzag();
        if (level === column.maxDefinition) chunk.present = count;
      }
    }
    return true;
  });
}

/**
 * Adds a chunk to the sums of its column, if its numbers are possible.
 * @param mostBytes what lies before the footer
 * @returns what does not fit together, or null
 */
export function addChunk(
  sums: ParquetSums,
  column: ParquetColumn,
  rows: number,
  chunk: ColumnChunk,
  mostBytes: number,
): string | null {
  const { slots, bytes, logicalBytes, nulls, present } = chunk;
  if (slots < 0 || bytes < 0 || logicalBytes < 0) return 'a chunk of a negative size';
  if (bytes > mostBytes && !chunk.isExternal) return `a chunk of ${bytes} bytes, of which ${mostBytes} are there`;
  sums.bytes += bytes;
  sums.logicalBytes += logicalBytes;
  if (sums.codecs.size < 16) sums.codecs.add(chunk.codec);
  sums.textBytes = sums.textBytes === null || chunk.textBytes < 0 ? null : sums.textBytes + chunk.textBytes;
  addRange(sums, chunk);
  if (column.maxRepetition === 0 ? slots !== rows : slots < rows) return `${slots} values in a row group of ${rows} rows`;
  if (nulls > slots || present > slots) return `${Math.max(nulls, present)} nulls or values of ${slots}`;
  const most = present >= 0 ? present : nulls >= 0 ? slots - nulls : slots;
  sums.values += most;
  sums.leastValues += present >= 0 || nulls >= 0 ? most : leastOf(column, slots, rows);
  return null;
}

/** Without statistics: each row may be a list that is null or empty, and takes a slot all the same. */
function leastOf({ maxDefinition, maxRepetition }: ParquetColumn, slots: number, rows: number): number {
  if (maxDefinition === 0) return slots;
  return maxRepetition === 1 ? slots - rows : 0;
}

function addRange(sums: ParquetSums, { lowest, highest }: ColumnChunk): void {
  if (lowest !== null) sums.lowest = sums.lowest === null ? lowest : Math.min(sums.lowest, lowest);
  if (highest !== null) sums.highest = sums.highest === null ? highest : Math.max(sums.highest, highest);
}
