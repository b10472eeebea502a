/**
 * Arrow IPC streams and files (docs/source/format/Columnar.rst of apache/arrow). A stream is a Schema message, then dictionary and record
 * batches, then the mark of its end. A file (also called Feather V2) is `ARROW1`, two bytes of padding, such a stream, a footer that
 * says where its batches lie, the footer's i32 length, and `ARROW1`. Only metadata are read, bodies are skipped.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { NumberColumn } from '../../bytes/numberColumn.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { FlatBuffer } from './flatBuffer.js';
import { MessageKind, MessageReader, HEAD_BYTES, type ArrowMessage } from './arrowMessage.js';
import { readArrowSchema, type ArrowSchema } from './arrowSchema.js';
import { readRecordBatch, walkFields, type ArrowCompression } from './recordBatch.js';

const MAGIC = 'ARROW1';
const FILE_HEAD_BYTES = 8;
/** i32 length of the footer, and the magic again. */
const FILE_TAIL_BYTES = 10;
/** Enough for the footers of most files: 24 bytes a batch and the schema. */
const FOOTER_GUESS_BYTES = 64 * 1024;
const BLOCK_BYTES = 24;

/** Sums over all batches of one leaf of the schema. */
export interface ColumnSums {
  values: number;
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
  /** Bytes that were not understood: damaged batches, what follows after the end. */
  unexplainedBytes: number;
  /** Damage that was met after the schema: what comes before it counts. */
  problem: FormatError | null;
}

/** True for the beginning of a stream (with the marker of 0.15 and later) or of a file. */
export function isArrow(head: Uint8Array): boolean {
  if (isArrowFile(head)) return true;
  const marker = head.byteLength >= 8 && head[0] === 255 && head[1] === 255 && head[2] === 255 && head[3] === 255;
  // The metadata's length is a positive multiple of 8 below 16 MiB, and a FlatBuffer begins with a small offset.
  return marker && head[7] === 0 && ((head[4] as number) & 7) === 0 && (head.byteLength < 12 || head[11] === 0);
}

function isArrowFile(head: Uint8Array): boolean {
  return head.byteLength >= MAGIC.length && decodeLatin1(head, 0, MAGIC.length) === MAGIC;
}

/**
 * Reads the metadata of all batches.
 * @throws FormatError where there is not even a schema: `not-this-format`, `truncated`, `corrupt`, `unsupported`, `limit-exceeded`
 */
export async function readArrow(source: ByteSource, signal: AbortSignal | undefined): Promise<ArrowContents> {
  const window = new ReadWindow(source, signal);
  const head = await window.take(0, Math.min(FILE_HEAD_BYTES, source.sizeBytes), HEAD_BYTES);
  if (decodeLatin1(head, 0, Math.min(4, head.byteLength)) === 'FEA1')
    throw new FormatError('unsupported', 'Feather V1, which came before the Arrow file format', { offset: 0 });
  const isFile = isArrowFile(head);
  if (head.byteLength < FILE_HEAD_BYTES)
    throw new FormatError('truncated', 'the file ends in its first message', { offset: head.byteLength });
  const reader = new MessageReader(window);
  const first = await readFirst(reader, isFile ? FILE_HEAD_BYTES : 0);
  const contents = new Contents(isFile ? 'file' : 'stream', readArrowSchema(first.header), first.endOffset);
  const footer = isFile ? await contents.attempt(() => readFooter(window, signal)) : undefined;
  if (footer !== undefined) await walkBlocks(reader, contents, footer, signal);
  else {
    // A file whose footer is lost still has its batches one after the other; what was lost with it is the first problem.
    await contents.attempt(() => walkStream(reader, contents, signal));
    contents.unexplainedBytes = source.sizeBytes - contents.endOffset;
  }
  return contents;
}

async function readFirst(reader: MessageReader, offset: number): Promise<ArrowMessage> {
  try {
    const message = await reader.read(offset);
    if ('kind' in message && message.kind === MessageKind.schema) return message;
  } catch (error) {
    // Any four bytes are a length of metadata: without a schema behind it, this is not Arrow at all, or nothing is left of it.
    if (!FormatError.is(error, 'corrupt')) throw error;
    throw new FormatError('not-this-format', `no schema of Arrow: ${error.detail}`, { offset, cause: error });
  }
  throw new FormatError('not-this-format', 'the first message is no schema', { offset });
}

class Contents implements ArrowContents {
  rows = 0;
  readonly columns: ColumnSums[];
  compression: ArrowCompression | null = null;
  readonly batchOffsets = new NumberColumn(64);
  readonly batchFirstRows = new NumberColumn(64);
  problem: FormatError | null = null;
  unexplainedBytes = 0;

  constructor(
    readonly form: 'stream' | 'file',
    readonly schema: ArrowSchema,
    /** Where the next message of a stream begins. */
    public endOffset: number,
  ) {
    this.columns = schema.columns.map(() => ({ values: 0, bytes: 0, logicalBytes: 0 }));
  }

  /** Keeps damage as the problem, the first one that there is; trouble with reading is thrown. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!FormatError.is(error) || FormatError.is(error, 'cancelled') || FormatError.is(error, 'io')) throw error;
      this.problem ??= error;
      return undefined;
    }
  }

  /** @throws FormatError `corrupt` where the message does not fit to the schema: then nothing of it counts */
  add(message: ArrowMessage): void {
    if (message.kind !== MessageKind.recordBatch && message.kind !== MessageKind.dictionaryBatch) return;
    const batch = readRecordBatch(message);
    const nodes = batch.dictionary === null ? this.schema.nodes : this.schema.dictionaries.get(batch.dictionary);
    if (nodes === undefined) throw new FormatError('corrupt', 'a dictionary that no field has', { offset: message.offset });
    walkFields(batch, nodes, () => undefined);
    walkFields(batch, nodes, (node, field) => {
      const sums = this.columns[node.column];
      if (sums === undefined) return;
      if (batch.dictionary === null) sums.values += field.values;
      sums.bytes += field.dataBytes;
      const logical = logicalBytesOf(node.type.bits, node.type.physical, batch.compression, field);
      sums.logicalBytes = sums.logicalBytes === null || logical === null ? null : sums.logicalBytes + logical;
    });
    if (batch.compression !== null) this.compression = batch.compression;
    if (batch.dictionary !== null) return;
    this.batchOffsets.push(message.offset);
    this.batchFirstRows.push(this.rows);
    this.rows += batch.rows;
  }
}

function logicalBytesOf(
  bits: number,
  physical: string,
  compression: ArrowCompression | null,
  field: { length: number; dataBytes: number },
): number | null {
  if (physical === 'fixed') return Math.ceil((field.length * bits) / 8);
  return compression === null || field.length === 0 ? field.dataBytes : null;
}

/** From message to message up to the mark of the end. */
async function walkStream(reader: MessageReader, contents: Contents, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    throwIfCancelled(signal);
    const message = await reader.read(contents.endOffset);
    if (!('kind' in message)) {
      contents.endOffset = message.endOffset;
      if (!message.isMarked)
        throw new FormatError('truncated', 'the mark that ends a stream is not there, batches may be missing', {
          offset: message.endOffset,
        });
      break;
    }
    contents.add(message);
    contents.endOffset = message.endOffset;
  }
  const rest = reader.sizeBytes - contents.endOffset;
  if (contents.form === 'stream' && rest > 0)
    throw new FormatError('corrupt', `${rest} bytes follow after the end of the stream`, { offset: contents.endOffset });
}

/** A dictionary or record batch as the footer of a file has it (`struct Block` of File.fbs). */
interface Block {
  offset: number;
  sizeBytes: number;
}

/** Dictionaries first, then record batches, each in the order of the footer. */
async function readFooter(window: ReadWindow, signal: AbortSignal | undefined): Promise<Block[]> {
  const { sizeBytes } = window.source;
  if (sizeBytes < FILE_HEAD_BYTES + FILE_TAIL_BYTES)
    throw new FormatError('truncated', 'the footer is not there', { offset: sizeBytes });
  const guess = Math.min(FOOTER_GUESS_BYTES, sizeBytes);
  const isNear = sizeBytes <= HEAD_BYTES;
  const read = (offset: number, length: number): Promise<Uint8Array> =>
    isNear ? window.take(offset, length, length) : window.source.read(offset, length, signal);
  const tail = await read(sizeBytes - guess, guess);
  if (decodeLatin1(tail, guess - MAGIC.length) !== MAGIC)
    throw new FormatError('truncated', 'the file does not end with the magic of an Arrow file: its footer is not there', {
      offset: sizeBytes,
    });
  const lengthAt = guess - FILE_TAIL_BYTES;
  const length = new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getInt32(lengthAt, true);
  const start = sizeBytes - FILE_TAIL_BYTES - length;
  if (length <= 0 || start < FILE_HEAD_BYTES)
    throw new FormatError('corrupt', `a footer of ${length} bytes`, { offset: sizeBytes - FILE_TAIL_BYTES });
  if (length > limits.arrowMetadataBytes)
    throw new FormatError('limit-exceeded', `a footer of ${length} bytes`, { offset: start });
  const bytes = length <= lengthAt ? tail.subarray(lengthAt - length, lengthAt) : await read(start, length);
  const footer = new FlatBuffer(bytes, start).root();
  const blocks: Block[] = [];
  for (const field of [2, 3]) {
    const { at, length: count } = footer.vector(field, BLOCK_BYTES);
    for (let index = 0; index < count; index++) {
      const block = at + BLOCK_BYTES * index;
      const metadataBytes = footer.buffer.view.getInt32(block + 8, true);
      blocks.push({ offset: footer.buffer.i64(block), sizeBytes: metadataBytes + footer.buffer.i64(block + 16) });
    }
  }
  return blocks;
}

/** Each batch by itself: a damaged one does not hide those after it. */
async function walkBlocks(
  reader: MessageReader,
  contents: Contents,
  blocks: readonly Block[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const seen = new Set<number>();
  for (const { offset, sizeBytes } of blocks) {
    throwIfCancelled(signal);
    const isRead = await contents.attempt(async () => {
      if (offset < FILE_HEAD_BYTES || seen.has(offset) || offset >= reader.sizeBytes)
        throw new FormatError('corrupt', `the footer says that a batch is at ${offset}`, { offset: reader.sizeBytes });
      seen.add(offset);
      const message = await reader.read(offset);
      if (!('kind' in message)) throw new FormatError('corrupt', `no batch begins at ${offset}`, { offset });
      if (message.endOffset - message.offset !== sizeBytes)
        throw new FormatError('corrupt', `the batch at ${offset} is not as long as the footer says`, { offset });
      contents.add(message);
      return true;
    });
    if (isRead === undefined && offset >= 0 && sizeBytes > 0) contents.unexplainedBytes += sizeBytes;
  }
  contents.unexplainedBytes = Math.min(contents.unexplainedBytes, reader.sizeBytes);
}
