/**
 * Messages of Arrow's IPC formats (format/Message.fbs and docs/source/format/Columnar.rst of apache/arrow): `FF FF FF FF`, i32 length of
 * the metadata (before 0.15 without the marker), the metadata as a FlatBuffer, and a body of `bodyLength` bytes. Length 0 ends a stream.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { ReadWindow } from '../../bytes/readWindow.js';
import { FlatBuffer, type FlatTable } from './flatBuffer.js';

/** Bytes that are read at once where messages are small. */
const NEAR_BYTES = 64 * 1024;
/** Enough for the schema and the first batch's metadata of nearly all files. */
export const HEAD_BYTES = 16 * 1024;

/** `union MessageHeader`. */
export const MessageKind = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

export interface ArrowMessage {
  kind: number;
  header: FlatTable;
  /** Unions have a validity buffer before version V5. */
  hasUnionValidity: boolean;
  /** Where the message begins, where its body does, and where the next message begins. */
  offset: number;
  bodyOffset: number;
  bodyBytes: number;
  endOffset: number;
}

/** Walks from message to message. Knows how far ahead to read: as much as the last one took, or a block where those are small. */
export class MessageReader {
  private aheadBytes = HEAD_BYTES;

  constructor(private readonly window: ReadWindow) {}

  get sizeBytes(): number {
    return this.window.source.sizeBytes;
  }

  /**
   * The message at `offset`; `end` at the mark that ends a stream (8 bytes, or 4 before 0.15), or where there is nothing more.
   * @throws FormatError `truncated` where metadata or body are cut off, `corrupt`, `unsupported`, `limit-exceeded`
   */
  async read(offset: number): Promise<ArrowMessage | { endOffset: number; isMarked: boolean }> {
    if (offset === this.sizeBytes) return { endOffset: offset, isMarked: false };
    const { prefixBytes, metadataBytes } = await this.readPrefix(offset);
    if (metadataBytes === 0) return { endOffset: offset + prefixBytes, isMarked: true };
    this.checkLength(offset, metadataBytes);
    const start = offset + prefixBytes;
    const bytes = await this.window.take(start, metadataBytes, this.aheadBytes);
    const message = decodeMessage(new FlatBuffer(bytes, start), offset, start + metadataBytes);
    if (message.endOffset > this.sizeBytes)
      throw new FormatError(
        'truncated',
        `the batch at ${offset} has a body of ${message.bodyBytes} bytes, of which ${this.sizeBytes - message.bodyOffset} are there`,
        { offset: this.sizeBytes },
      );
    this.aheadBytes = message.bodyBytes < NEAR_BYTES ? NEAR_BYTES : roundUp(prefixBytes + metadataBytes + 64);
    return message;
  }

  private async readPrefix(offset: number): Promise<{ prefixBytes: number; metadataBytes: number }> {
    const first = int32(await this.window.take(offset, 4, this.aheadBytes));
    if (first !== -1) return { prefixBytes: 4, metadataBytes: first };
    return { prefixBytes: 8, metadataBytes: int32(await this.window.take(offset + 4, 4, this.aheadBytes)) };
  }

  private checkLength(offset: number, metadataBytes: number): void {
    if (metadataBytes < 0) throw new FormatError('corrupt', `no message begins at ${offset}`, { offset });
    if (offset + metadataBytes > this.sizeBytes)
      throw new FormatError('truncated', `the message at ${offset} has ${metadataBytes} bytes of metadata`, {
        offset: this.sizeBytes,
      });
    if (metadataBytes > limits.arrowMetadataBytes)
      throw new FormatError('limit-exceeded', `${metadataBytes} bytes of metadata`, { offset });
  }
}

/** Versions V1 to V3 are of 2016: nothing of them is on a disk (Schema.fbs, MetadataVersion). */
const FIRST_VERSION = 3;
const LAST_VERSION = 4;

function decodeMessage(buffer: FlatBuffer, offset: number, bodyOffset: number): ArrowMessage {
  const table = buffer.root();
  const version = table.i16(0);
  if (version < FIRST_VERSION || version > LAST_VERSION)
    throw new FormatError('unsupported', `metadata version V${version + 1} of Arrow`, { offset });
  const header = table.table(2);
  const bodyBytes = table.i64(3);
  if (header === undefined || bodyBytes < 0) throw new FormatError('corrupt', 'a message without a header', { offset });
  return {
    kind: table.i8(1),
    header,
    hasUnionValidity: version < LAST_VERSION,
    offset,
    bodyOffset,
    bodyBytes,
    endOffset: bodyOffset + bodyBytes,
  };
}

function int32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0, true);
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / 1024) * 1024;
}
