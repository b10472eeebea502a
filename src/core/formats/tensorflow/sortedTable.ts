/**
 * The sorted string table of LevelDB as TensorFlow writes it (tsl/lib/io/table_builder.cc, format.h):
 *
 *   data blocks | meta index | index block | footer (48 B: two block handles, zeros, magic u64)
 *   block   entries | restart offsets u32 | their number u32 || compression u8 (0 none, 1 snappy) | crc32c u32
 *   entry   shared varint | new varint | value length varint | new key bytes | value
 *
 * An entry's key begins with `shared` bytes of the key before it. A value of the index block is the handle of a data block.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decompressSnappy } from '../../bytes/snappy.js';
import { ProtobufReader } from '../protobuf/protobuf.js';

const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;
const SNAPPY = 1;
const MAGIC_LOW = 0x8b80fb57;
const MAGIC_HIGH = 0xdb477524;

/**
 * Visits all entries in order. The bytes given are valid during the visit.
 * @throws FormatError `truncated`, `not-this-format`, `corrupt`, `unsupported` (blocks in another compression than snappy) or `limit-exceeded`
 */
export function eachTableEntry(table: Uint8Array, visit: (key: Uint8Array, value: Uint8Array) => void): void {
  const footerAt = table.byteLength - FOOTER_BYTES;
  if (footerAt < 0) throw new FormatError('truncated', 'there is no footer', { offset: table.byteLength });
  if (!isTableEnd(table))
    throw new FormatError('truncated', 'the table does not end with its magic', { offset: table.byteLength });
  const footer = new ProtobufReader(table, footerAt);
  handleOf(footer);
  const budget = new TableBudget(table.byteLength);
  const entriesOf = (handle: BlockHandle, use: typeof visit): void => {
    const block = blockOf(table, handle, footerAt);
    budget.takeBlock(block.byteLength);
    eachBlockEntry(block, budget, use);
  };
  entriesOf(handleOf(footer), (_, value) => {
    entriesOf(handleOf(new ProtobufReader(value)), visit);
  });
}

/** Where a block lies, without its trailer. */
export interface BlockHandle {
  offset: number;
  bytes: number;
}

/** Of a block: a byte with its compression, and a CRC-32C of both. */
export const blockTrailerBytes = TRAILER_BYTES;

/**
 * The blocks of a table: the index first, as all but that of metadata are found through it.
 * @throws FormatError as `eachTableEntry`, where the index is reached
 */
export function* tableBlocks(table: Uint8Array): Generator<BlockHandle> {
  const footerAt = table.byteLength - FOOTER_BYTES;
  if (footerAt < 0 || !isTableEnd(table))
    throw new FormatError('truncated', 'the table does not end with its magic', { offset: table.byteLength });
  const footer = new ProtobufReader(table, footerAt);
  const [metaIndex, index] = [handleOf(footer), handleOf(footer)];
  const bounded = (handle: BlockHandle): BlockHandle => {
    if (handle.offset + handle.bytes + TRAILER_BYTES > footerAt)
      throw new FormatError('corrupt', 'a block lies outside of the table', { offset: footerAt });
    return handle;
  };
  yield bounded(index);
  yield bounded(metaIndex);
  const data: BlockHandle[] = [];
  eachBlockEntry(blockOf(table, index, footerAt), new TableBudget(table.byteLength), (_, value) =>
    data.push(bounded(handleOf(new ProtobufReader(value)))),
  );
  yield* data;
}

function handleOf(reader: ProtobufReader): BlockHandle {
  return { offset: reader.readVarint(), bytes: reader.readVarint() };
}

function blockOf(table: Uint8Array, { offset, bytes }: BlockHandle, end: number): Uint8Array {
  if (offset + bytes + TRAILER_BYTES > end) throw new FormatError('corrupt', 'a block lies outside of the table', { offset });
  const block = table.subarray(offset, offset + bytes);
  const compression = table[offset + bytes];
  if (compression === SNAPPY) return decompressSnappy(block, offset);
  if (compression !== 0) throw new FormatError('unsupported', `blocks in compression ${compression}`, { offset });
  return block;
}

/** True for the end of a sorted table. */
export function isTableEnd(end: Uint8Array): boolean {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  const at = end.byteLength - 8;
  return at >= 0 && view.getUint32(at, true) === MAGIC_LOW && view.getUint32(at + 4, true) === MAGIC_HIGH;
}

/** Shared beginnings let a small table hold keys of any total length, and one block may be named by any number of entries of the index. */
class TableBudget {
  private keyBytes: number;
  private blockBytes: number;

  constructor(tableBytes: number) {
    this.keyBytes = limits.tableKeyBytes + 3 * tableBytes;
    this.blockBytes = limits.tableBlockBytes + 8 * tableBytes;
  }

  takeKey(bytes: number): void {
    this.keyBytes -= bytes;
    if (this.keyBytes < 0) throw new FormatError('limit-exceeded', 'the keys of the table are too long together');
  }

  takeBlock(bytes: number): void {
    this.blockBytes -= bytes;
    if (this.blockBytes < 0) throw new FormatError('limit-exceeded', 'the blocks of the table are too long together');
  }
}

function eachBlockEntry(block: Uint8Array, budget: TableBudget, visit: (key: Uint8Array, value: Uint8Array) => void): void {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const restarts = block.byteLength < 4 ? 0 : view.getUint32(block.byteLength - 4, true);
  const end = block.byteLength - 4 - 4 * restarts;
  if (end < 0) throw new FormatError('corrupt', 'a block is too short');
  let key = new Uint8Array(0);
  for (let at = 0; at < end;) {
    const header = new ProtobufReader(block, at, end);
    const [shared, added, valueBytes] = [header.readVarint(), header.readVarint(), header.readVarint()];
    const keyAt = header.position;
    const valueAt = keyAt + added;
    if (shared > key.byteLength || valueAt + valueBytes > end) throw new FormatError('corrupt', 'an entry of a block is damaged');
    budget.takeKey(shared + added);
    const next = new Uint8Array(shared + added);
    next.set(key.subarray(0, shared));
    next.set(block.subarray(keyAt, valueAt), shared);
    key = next;
    visit(key, block.subarray(valueAt, valueAt + valueBytes));
    at = valueAt + valueBytes;
  }
}
