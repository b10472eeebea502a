/**
 * ArrayRecord (google/array_record, cpp/array_record_writer.cc): a Riegeli file (google/riegeli, doc/riegeli_records_file_format.md) of
 * blocks of 64 KiB, each with a header of 24 bytes in it, chunks with headers of 40, a footer that lists the chunks, and a last block with a
 * postscript that says where the footer is. The records are counted from the footer: nothing of them is read.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { ByteCursor } from '../bytes/byteCursor.js';
import { toSafeInteger } from '../bytes/checkedInteger.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeText } from '../bytes/text.js';
import { decompressSnappy } from '../bytes/snappy.js';
import { decompressZstd } from '../bytes/zstd.js';
import { LENGTH_DELIMITED, ProtobufReader, VARINT } from './protobuf/protobuf.js';

const BLOCK_BYTES = 64 * 1024;
const BLOCK_HEADER_BYTES = 24;
const CHUNK_HEADER_BYTES = 40;
/** Hash of the header of the first block, which is the same in every file. */
const SIGNATURE = [0x83, 0xaf, 0x70, 0xd1, 0x0d, 0x88, 0x4a, 0x3f];
/** Three times the same postscript of at most 20 bytes. */
const MAX_POSTSCRIPT_BYTES = 128;
const RECORDS = 0x72;
/** Behind the signature, which is a chunk of its own. */
const FIRST_CHUNK = 64;
/** `enum CompressionType`: letters. */
const BROTLI = 0x62;
const ZSTD = 0x7a;
const SNAPPY = 0x73;

export interface ArrayRecordFooter {
  records: number;
  chunks: number;
  /** Payload of all records, uncompressed. */
  logicalBytes: number;
  /** Settings of the writer: `group_size:1,zstd:3,...`. */
  options: string;
  footerOffset: number;
}

export function isArrayRecord(head: Uint8Array): boolean {
  return head.byteLength >= SIGNATURE.length && SIGNATURE.every((byte, index) => head[index] === byte);
}

/**
 * Reads the postscript and the footer.
 * @throws FormatError `not-this-format`, `truncated` where the last block is no postscript, `corrupt`, `unsupported` or `limit-exceeded`
 */
export async function readArrayRecordFooter(source: ByteSource, signal: AbortSignal | undefined): Promise<ArrayRecordFooter> {
  const head = await source.read(0, Math.min(64, source.sizeBytes), signal);
  if (!isArrayRecord(head)) throw new FormatError('not-this-format', 'no signature of Riegeli', { offset: 0 });
  const footerOffset = await readPostscript(source, signal);
  const chunk = await readChunk(source, footerOffset, limits.manifestBytes, signal);
  if (chunk === undefined)
    throw new FormatError('corrupt', 'there is no footer where the postscript says', { offset: footerOffset });
  if (chunk.data[0] === BROTLI) return { ...(await countChunks(source, footerOffset, chunk.records, signal)), footerOffset };
  return { ...parseFooter(recordsOf(chunk.data, footerOffset), footerOffset), footerOffset };
}

/**
 * What the footer states, from the headers of the chunks that it lists: for footers in Brotli, which is not decompressed here.
 * @param footerRecords of the footer: one, and one for each chunk
 * @throws FormatError `unsupported` for more chunks than are read, `corrupt` where they do not end at the footer
 */
async function countChunks(
  source: ByteSource,
  footerOffset: number,
  footerRecords: number,
  signal: AbortSignal | undefined,
): Promise<Omit<ArrayRecordFooter, 'footerOffset'>> {
  if (footerRecords > limits.lengthsReads) throw new FormatError('unsupported', 'a footer in Brotli', { offset: footerOffset });
  const footer = { records: 0, chunks: 0, logicalBytes: 0, options: '' };
  let at = FIRST_CHUNK;
  // A chunk takes 40 bytes at least; besides those of records there is padding.
  for (let left = 2 * footerRecords; at < footerOffset && left > 0; left--) {
    const { type, dataBytes, records, plainBytes } = await readChunkHeader(source, at, signal);
    if (type === RECORDS) {
      footer.records += records;
      footer.chunks += 1;
      footer.logicalBytes += plainBytes;
    }
    at = Math.max(placeAfter(at, CHUNK_HEADER_BYTES + dataBytes), at + records);
  }
  if (at !== footerOffset || footer.chunks !== footerRecords - 1)
    throw new FormatError('corrupt', 'the chunks do not end where the footer begins', { offset: at });
  return footer;
}

/** Where `length` bytes of chunks from `offset` end, with the headers of blocks that lie between them. */
function placeAfter(offset: number, length: number): number {
  const usable = BLOCK_BYTES - BLOCK_HEADER_BYTES;
  const headers = Math.floor((length + ((offset + usable - 1) % BLOCK_BYTES)) / usable);
  return offset + length + headers * BLOCK_HEADER_BYTES;
}

interface ChunkHeader {
  type: number;
  dataBytes: number;
  records: number;
  /** Payload of its records, uncompressed. */
  plainBytes: number;
}

/** Hash of the header, u64 size of the data, their hash, u8 type, u56 records, u64 decoded size. */
async function readChunkHeader(source: ByteSource, offset: number, signal: AbortSignal | undefined): Promise<ChunkHeader> {
  const header = await readWithoutHeaders(source, offset, CHUNK_HEADER_BYTES, signal);
  const view = new DataView(header.buffer, header.byteOffset, CHUNK_HEADER_BYTES);
  return {
    type: view.getUint8(24),
    dataBytes: toSafeInteger(view.getBigUint64(8, true), 'the size of a chunk', offset + 8),
    records: toSafeInteger(view.getBigUint64(24, true) >> 8n, 'the number of records of a chunk', offset + 24),
    plainBytes: toSafeInteger(view.getBigUint64(32, true), 'the decoded size of a chunk', offset + 32),
  };
}

/** Where the footer begins. Files end with a whole block, so that it is found without knowing anything else. */
async function readPostscript(source: ByteSource, signal: AbortSignal | undefined): Promise<number> {
  const isWhole = source.sizeBytes >= 2 * BLOCK_BYTES && source.sizeBytes % BLOCK_BYTES === 0;
  const chunk = isWhole ? await readChunk(source, source.sizeBytes - BLOCK_BYTES, MAX_POSTSCRIPT_BYTES, signal) : undefined;
  const [first] = chunk === undefined ? [] : recordsOf(chunk.data, source.sizeBytes - BLOCK_BYTES);
  if (first === undefined)
    throw new FormatError('truncated', 'there is no postscript in its last block', { offset: source.sizeBytes });
  const message = new ProtobufReader(first);
  while (message.next()) {
    if (message.field !== 1 || message.wireType !== VARINT) continue;
    const offset = message.varint;
    if (offset > 0 && offset < source.sizeBytes - BLOCK_BYTES) return offset;
    break;
  }
  throw new FormatError('corrupt', 'the postscript does not say where the footer is', { offset: source.sizeBytes - BLOCK_BYTES });
}

/** A chunk of records; undefined where none begins there. */
async function readChunk(
  source: ByteSource,
  offset: number,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<{ data: Uint8Array; records: number } | undefined> {
  const { type, dataBytes, records } = await readChunkHeader(source, offset, signal);
  if (type !== RECORDS) return undefined;
  if (dataBytes > maxBytes) throw new FormatError('limit-exceeded', `a chunk of ${dataBytes} bytes`, { offset });
  const data = await readWithoutHeaders(source, offset, CHUNK_HEADER_BYTES + dataBytes, signal);
  return { data: data.subarray(CHUNK_HEADER_BYTES), records };
}

/** `length` bytes of chunks from `offset`, with the headers of blocks that lie between them left out. */
async function readWithoutHeaders(
  source: ByteSource,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const extents: { start: number; bytes: number }[] = [];
  let at = offset;
  for (let left = length; left > 0;) {
    if (at % BLOCK_BYTES === 0) at += BLOCK_HEADER_BYTES;
    const bytes = Math.min(left, BLOCK_BYTES - (at % BLOCK_BYTES));
    extents.push({ start: at, bytes });
    at += bytes;
    left -= bytes;
  }
  if (at > source.sizeBytes) throw new FormatError('truncated', 'a chunk goes past the end of the file', { offset });
  const first = extents[0]?.start ?? offset;
  const raw = await source.read(first, at - first, signal);
  const joined = new Uint8Array(length);
  let to = 0;
  for (const { start, bytes } of extents) {
    joined.set(raw.subarray(start - first, start - first + bytes), to);
    to += bytes;
  }
  return joined;
}

/** Simple encoding: the kind of compression, the compressed sizes with their length before them, the values. */
function recordsOf(data: Uint8Array, offset: number): Uint8Array[] {
  const cursor = new ByteCursor(data);
  const compression = cursor.u8();
  const sizes = new ByteCursor(plain(cursor.slice(cursor.varint()), compression, offset));
  const values = new ByteCursor(plain(cursor.slice(cursor.bytesLeft), compression, offset));
  const records: Uint8Array[] = [];
  while (sizes.bytesLeft > 0) records.push(values.slice(sizes.varint()));
  return records;
}

/** Compressed parts begin with their uncompressed size. */
function plain(part: Uint8Array, compression: number, offset: number): Uint8Array {
  if (compression === 0) return part;
  if (compression !== ZSTD && compression !== SNAPPY)
    throw new FormatError('unsupported', `a footer with compression ${JSON.stringify(String.fromCharCode(compression))}`, {
      offset,
    });
  const cursor = new ByteCursor(part);
  const size = cursor.varint();
  if (size > limits.manifestBytes) throw new FormatError('limit-exceeded', `a footer of ${size} bytes`, { offset });
  const packed = cursor.slice(cursor.bytesLeft);
  if (size === 0) return new Uint8Array(0);
  return compression === ZSTD ? decompressZstd(packed, size) : decompressSnappy(packed, offset);
}

/** The first record is `ArrayRecordMetadata`, each other one describes a chunk: offset, decoded size, records. */
function parseFooter(records: readonly Uint8Array[], offset: number): Omit<ArrayRecordFooter, 'footerOffset'> {
  const [first, ...chunks] = records;
  if (first === undefined) throw new FormatError('corrupt', 'the footer is empty', { offset });
  const footer = { records: 0, chunks: chunks.length, logicalBytes: 0, options: '' };
  const outer = new ProtobufReader(first);
  while (outer.next()) {
    if (outer.field !== 1 || outer.wireType !== LENGTH_DELIMITED) continue;
    const metadata = outer.message;
    while (metadata.next()) {
      if (metadata.field === 3 && metadata.wireType === VARINT) footer.records = metadata.varint;
      if (metadata.field === 4 && metadata.wireType === LENGTH_DELIMITED)
        footer.options = decodeText(first, metadata.start, metadata.end);
    }
  }
  for (const chunk of chunks) {
    const message = new ProtobufReader(chunk);
    while (message.next()) if (message.field === 2 && message.wireType === VARINT) footer.logicalBytes += message.varint;
  }
  return footer;
}
