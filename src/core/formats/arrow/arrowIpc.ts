/**
 * Arrow IPC streams and files (docs/source/format/Columnar.rst of apache/arrow). A stream is a Schema message, then dictionary and record
 * batches, then the mark of its end. A file (also called Feather V2) is `ARROW1`, two bytes of padding, such a stream, a footer that
 * says where its batches lie, the footer's i32 length, and `ARROW1`. Only metadata are read, bodies are skipped.
 */
import type { ArrowContents, ColumnSums } from './arrowContents.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { NumberColumn } from '../../bytes/numberColumn.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { ARROW_MAGIC, FILE_HEAD_BYTES, readArrowFooter, type ArrowBlock, type ArrowFooter } from './arrowFooter.js';
import { MessageKind, MessageReader, HEAD_BYTES, type ArrowMessage } from './arrowMessage.js';
import { readArrowSchema, type ArrowSchema } from './arrowSchema.js';
import { readRecordBatch, walkFields, type ArrowCompression, type FieldLengths } from './recordBatch.js';
import { ValuePlaces } from './valuePlaces.js';

/** True for the beginning of a stream (with the marker of 0.15 and later) or of a file. */
export function isArrow(head: Uint8Array): boolean {
  if (isArrowFile(head)) return true;
  const marker = head.byteLength >= 8 && head[0] === 255 && head[1] === 255 && head[2] === 255 && head[3] === 255;
  // The metadata's length is a positive multiple of 8 below 16 MiB, and a FlatBuffer begins with a small offset.
  return marker && head[7] === 0 && ((head[4] as number) & 7) === 0 && (head.byteLength < 12 || head[11] === 0);
}

/** The format of that name before Arrow had files (cpp/src/arrow/ipc/feather.cc, kFeatherV1MagicBytes). */
export function isFeatherV1(head: Uint8Array): boolean {
  return decodeLatin1(head, 0, Math.min(4, head.byteLength)) === 'FEA1';
}

function isArrowFile(head: Uint8Array): boolean {
  return head.byteLength >= ARROW_MAGIC.length && decodeLatin1(head, 0, ARROW_MAGIC.length) === ARROW_MAGIC;
}

/** Which columns' values a caller wants to look at, as places in `schema.columns`. */
export type ChooseColumns = (schema: ArrowSchema) => readonly number[];

/**
 * Reads the metadata of all batches.
 * @param choose columns of which it is remembered where their values lie
 * @throws FormatError where there is not even a schema: `not-this-format`, `truncated`, `corrupt`, `unsupported`, `limit-exceeded`
 */
export async function readArrow(
  source: ByteSource,
  signal: AbortSignal | undefined,
  choose: ChooseColumns = () => [],
): Promise<ArrowContents> {
  const window = new ReadWindow(source, signal);
  const head = await window.take(0, Math.min(FILE_HEAD_BYTES, source.sizeBytes), HEAD_BYTES);
  if (isFeatherV1(head))
    throw new FormatError('unsupported', 'Feather V1, which came before the Arrow file format', { offset: 0 });
  const isFile = isArrowFile(head);
  if (head.byteLength < FILE_HEAD_BYTES)
    throw new FormatError('truncated', 'the file ends in its first message', { offset: head.byteLength });
  return isFile ? readFile(window, choose, signal) : readStream(window, 'stream', null, choose, signal);
}

/** By the footer, as the format wants it: Polars writes no schema at the beginning that could be read. */
async function readFile(window: ReadWindow, choose: ChooseColumns, signal: AbortSignal | undefined): Promise<ArrowContents> {
  let footer: ArrowFooter;
  try {
    footer = await readArrowFooter(window, HEAD_BYTES, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return readStream(window, 'file', error, choose, signal);
  }
  const contents = new Contents('file', readArrowSchema(footer.schema), choose, 0);
  await walkBlocks(new MessageReader(window), contents, footer.blocks, signal);
  return contents;
}

/** @param problem what is wrong with the footer: a file that has lost it still has its batches one after the other */
async function readStream(
  window: ReadWindow,
  form: ArrowContents['form'],
  problem: FormatError | null,
  choose: ChooseColumns,
  signal: AbortSignal | undefined,
): Promise<ArrowContents> {
  const reader = new MessageReader(window);
  const first = await readFirst(reader, form === 'file' ? FILE_HEAD_BYTES : 0, problem);
  const contents = new Contents(form, readArrowSchema(first.header), choose, first.endOffset);
  contents.problem = problem;
  await contents.attempt(() => walkStream(reader, contents, signal));
  contents.unexplainedBytes = reader.sizeBytes - contents.endOffset;
  return contents;
}

function isDamage(error: unknown): error is FormatError {
  return FormatError.is(error) && error.code !== 'cancelled' && error.code !== 'io';
}

async function readFirst(reader: MessageReader, offset: number, problem: FormatError | null): Promise<ArrowMessage> {
  try {
    const message = await reader.read(offset);
    if ('kind' in message && message.kind === MessageKind.schema) return message;
  } catch (error) {
    // Any four bytes are a length of metadata: without a schema behind it, this is not Arrow at all, or nothing is left of it.
    if (problem !== null) throw problem;
    if (!FormatError.is(error, 'corrupt')) throw error;
    throw new FormatError('not-this-format', `no schema of Arrow: ${error.detail}`, { offset, cause: error });
  }
  throw problem ?? new FormatError('not-this-format', 'the first message is no schema', { offset });
}

class Contents implements ArrowContents {
  rows = 0;
  readonly columns: ColumnSums[];
  compression: ArrowCompression | null = null;
  readonly batchOffsets = new NumberColumn(64);
  readonly batchFirstRows = new NumberColumn(64);
  readonly places: ValuePlaces;
  problem: FormatError | null = null;
  unexplainedBytes = 0;

  constructor(
    readonly form: 'stream' | 'file',
    readonly schema: ArrowSchema,
    choose: ChooseColumns,
    /** Where the next message of a stream begins. */
    public endOffset: number,
  ) {
    this.columns = schema.columns.map(() => ({ values: 0, nulls: 0, bytes: 0, logicalBytes: 0 }));
    this.places = new ValuePlaces(schema, choose(schema));
  }

  /** Keeps damage as the problem, the first one that there is; trouble with reading is thrown. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
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
    const fields: FieldLengths[] = [];
    // All of it before anything counts.
    walkFields(batch, nodes, (_, field) => {
      fields.push(field);
    });
    nodes.forEach((node, index) => {
      const field = fields[index] as FieldLengths;
      const sums = this.columns[node.column];
      if (sums === undefined) return;
      if (batch.dictionary === null) {
        sums.values += field.values;
        sums.nulls += field.nulls;
      }
      sums.bytes += field.dataBytes;
      const logical = logicalBytesOf(node.type.bits, node.type.physical, batch.compression, field);
      sums.logicalBytes = sums.logicalBytes === null || logical === null ? null : sums.logicalBytes + logical;
    });
    if (batch.compression !== null) this.compression = batch.compression;
    if (batch.dictionary !== null) return;
    this.places.add(batch, fields);
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

/** Each batch by itself: a damaged one does not hide those after it. */
async function walkBlocks(
  reader: MessageReader,
  contents: Contents,
  blocks: readonly ArrowBlock[],
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
