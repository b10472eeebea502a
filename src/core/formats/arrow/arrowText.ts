/** Texts of a string column: the only reader of bodies, and of no more of them than the rows asked for. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { decodeText } from '../../bytes/text.js';
import { decompressLz4Frame } from '../../bytes/lz4.js';
import { decompressZstd } from '../../bytes/zstd.js';
import type { ArrowContents } from './arrowContents.js';
import { MessageReader } from './arrowMessage.js';
import type { ArrowNode, ArrowSchema } from './arrowSchema.js';
import { bufferOf, readRecordBatch, walkFields, type FieldLengths, type RecordBatch } from './recordBatch.js';

/** True for a column of which this reader gets texts: strings, one a row, in bodies of any compression. */
export function hasRowTexts({ schema }: ArrowContents, column: number): boolean {
  const { content, listDepth, isExact, node } = schema.columns[column] ?? {};
  if (content !== 'text' || listDepth !== 0 || isExact !== true) return false;
  return schema.nodes[node as number]?.type.physical !== 'fixed' && isBelowStructs(schema, node as number);
}

function isBelowStructs({ nodes }: ArrowSchema, node: number): boolean {
  for (let at = (nodes[node] as ArrowNode).parent; at >= 0; at = (nodes[at] as ArrowNode).parent)
    if (nodes[at]?.type.physical !== 'struct') return false;
  return true;
}

/**
 * Texts of rows `from` to `from + count` (exclusive); a null is an empty text.
 * @throws FormatError `corrupt`, `truncated`, `limit-exceeded`
 */
export async function readRowTexts(
  source: ByteSource,
  contents: ArrowContents,
  column: number,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const texts: string[] = [];
  const end = Math.min(contents.rows, from + count);
  for (let batch = contents.batchFirstRows.lastUpTo(from), row = from; row < end; batch++) {
    const first = contents.batchFirstRows.at(batch);
    const reader = new MessageReader(new ReadWindow(source, signal));
    const message = await reader.read(contents.batchOffsets.at(batch));
    if (!('kind' in message)) throw new FormatError('corrupt', 'a batch is not there any more');
    const place = locate(readRecordBatch(message), contents.schema, column);
    const stop = Math.min(end - first, place.batch.rows);
    const read = new ColumnReader(source, place, signal);
    for (const text of await read.texts(row - first, stop)) texts.push(text);
    row = first + stop;
    if (batch + 1 >= contents.batchOffsets.length) break;
  }
  return texts;
}

interface ColumnPlace {
  batch: RecordBatch;
  node: ArrowNode;
  field: FieldLengths;
}

function locate(batch: RecordBatch, schema: ArrowSchema, column: number): ColumnPlace {
  let place: ColumnPlace | undefined;
  walkFields(batch, schema.nodes, (node, field) => {
    if (node.column === column) place = { batch, node, field };
  });
  if (place === undefined) throw new FormatError('corrupt', 'a batch without the column');
  return place;
}

class ColumnReader {
  constructor(
    private readonly source: ByteSource,
    private readonly place: ColumnPlace,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async texts(from: number, to: number): Promise<string[]> {
    if (to <= from) return [];
    return this.place.node.type.physical === 'view' ? this.viewed(from, to) : this.between(from, to);
  }

  /** Text `i` lies between offsets `i` and `i + 1`. */
  private async between(from: number, to: number): Promise<string[]> {
    const width = this.place.node.type.offsetBytes;
    const bytes = await this.buffer(1, from * width, (to + 1 - from) * width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const offset = (index: number): number =>
      width === 4 ? view.getInt32(4 * index, true) : Number(view.getBigInt64(8 * index, true));
    const start = offset(0);
    const values = await this.buffer(2, start, offset(to - from) - start);
    return Array.from({ length: to - from }, (_, index) => {
      const begin = offset(index) - start;
      const end = offset(index + 1) - start;
      if (begin < 0 || end < begin || end > values.byteLength) throw new FormatError('corrupt', 'offsets of texts do not rise');
      return decodeText(values, begin, end);
    });
  }

  /** Up to 12 bytes lie in the view; longer texts in the data buffer that it names: i32 length, 4 bytes, i32 buffer, i32 offset. */
  private async viewed(from: number, to: number): Promise<string[]> {
    const bytes = await this.buffer(1, from * 16, (to - from) * 16);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const texts: string[] = [];
    for (let at = 0; at < bytes.byteLength; at += 16) {
      const length = view.getInt32(at, true);
      if (length >= 0 && length <= 12) texts.push(decodeText(bytes, at + 4, at + 4 + length));
      else texts.push(decodeText(await this.buffer(2 + view.getInt32(at + 8, true), view.getInt32(at + 12, true), length)));
    }
    return texts;
  }

  /** A part of one of the column's buffers. Those that are compressed begin with their i64 length, -1 where they are not after all. */
  private async buffer(index: number, from: number, length: number): Promise<Uint8Array> {
    const { batch, field } = this.place;
    if (index < 1 || index > 2 + field.moreBuffers) throw new FormatError('corrupt', 'a text in a buffer that is not there');
    const { offset, length: bufferBytes } = bufferOf(batch, field.firstBuffer + index);
    const start = batch.bodyOffset + offset;
    if (batch.compression === null) return this.read(start, from, length, bufferBytes);
    const head = await this.source.read(start, Math.min(8, bufferBytes), this.signal);
    if (head.byteLength < 8) {
      if (length !== 0) throw outside();
      return new Uint8Array(0);
    }
    const plainBytes = new DataView(head.buffer, head.byteOffset, 8).getBigInt64(0, true);
    if (plainBytes === -1n) return this.read(start + 8, from, length, bufferBytes - 8);
    const frame = await this.read(start + 8, 0, bufferBytes - 8, bufferBytes - 8);
    if (plainBytes < 0n || plainBytes > limits.textPageBytes)
      throw new FormatError('limit-exceeded', `a buffer of ${plainBytes} bytes`);
    const plain =
      batch.compression === 'zstd' ? decompressZstd(frame, Number(plainBytes)) : decompressLz4Frame(frame, Number(plainBytes));
    if (from < 0 || length < 0 || from + length > plain.byteLength) throw outside();
    return plain.subarray(from, from + length);
  }

  private read(start: number, from: number, length: number, bufferBytes: number): Promise<Uint8Array> {
    if (from < 0 || length < 0 || from + length > bufferBytes) throw outside();
    if (length > limits.textPageBytes) throw new FormatError('limit-exceeded', `texts of ${length} bytes in a few rows`);
    return length === 0 ? Promise.resolve(new Uint8Array(0)) : this.source.read(start + from, length, this.signal);
  }
}

function outside(): FormatError {
  return new FormatError('corrupt', 'a text lies outside of its buffer');
}
