/** Protocol Buffers out of a file, field by field: what is stepped over is not read. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from './protobuf.js';

/** Small fields that follow each other are read together, in ever larger windows. */
const FIRST_WINDOW_BYTES = 4096;
const LARGEST_WINDOW_BYTES = 256 * 1024;
/** Tag and value, or tag and length: two varints. */
const HEAD_BYTES = 20;

export interface StreamField {
  number: number;
  wireType: number;
  /** Of a varint; numbers that a double cannot hold become infinite. */
  value: number;
  /** Extent of the payload, cut at the end of the file. */
  start: number;
  end: number;
}

export class ProtobufStream {
  /** Where the last field ends by its own length, which may be behind the end of a file that was cut. */
  declaredEnd = 0;
  private at = 0;
  private window = new Uint8Array(0);
  private windowStart = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * The next field of the message that ends at `end`; undefined at its end. A length-delimited field has to be taken, stepped over, or
   * read as a message of its own.
   */
  async next(end: number): Promise<StreamField | undefined> {
    if (this.at >= end) return undefined;
    const start = this.at;
    await this.fill(HEAD_BYTES);
    const tag = this.varint(end);
    if (tag === undefined) return undefined;
    const field: StreamField = { number: Math.floor(tag / 8), wireType: tag % 8, value: 0, start: this.at, end: this.at };
    if (field.number === 0) throw new FormatError('corrupt', 'a field without a number', { offset: start });
    if (field.wireType === VARINT || field.wireType === LENGTH_DELIMITED) {
      const value = this.varint(end);
      if (value === undefined) return undefined;
      field.value = value;
    }
    field.start = this.at;
    const length =
      field.wireType === LENGTH_DELIMITED ? field.value : field.wireType === FIXED64 ? 8 : field.wireType === FIXED32 ? 4 : 0;
    if (field.wireType !== VARINT && length === 0 && field.wireType !== LENGTH_DELIMITED)
      throw new FormatError('corrupt', `there is no wire type ${field.wireType}`, { offset: start });
    const declared = this.at + length;
    // A message that goes on where the file ends was cut; one that goes on where its parent ends is damaged.
    if (declared > end && end < this.source.sizeBytes)
      throw new FormatError('corrupt', 'a field reaches beyond its message', { offset: start });
    this.declaredEnd = Math.max(this.declaredEnd, declared);
    field.end = Math.min(declared, this.source.sizeBytes);
    if (field.wireType !== LENGTH_DELIMITED) this.at = field.end;
    return field;
  }

  skipTo(offset: number): void {
    this.at = offset;
  }

  /** The bytes up to `end`. */
  async take(end: number): Promise<Uint8Array> {
    const length = end - this.at;
    await this.fill(length);
    const from = this.at - this.windowStart;
    this.at = end;
    return this.window.subarray(from, from + length);
  }

  /** Sees to it that `bytes` are in the window, or all up to the end of the file. */
  private async fill(bytes: number): Promise<void> {
    const windowEnd = this.windowStart + this.window.byteLength;
    const wanted = Math.min(this.at + bytes, this.source.sizeBytes);
    if (this.at >= this.windowStart && wanted <= windowEnd) return;
    throwIfCancelled(this.signal);
    const goesOn = this.at >= this.windowStart && this.at <= windowEnd;
    const grown = goesOn ? Math.min(LARGEST_WINDOW_BYTES, this.window.byteLength * 2) : 0;
    const length = Math.min(this.source.sizeBytes - this.at, Math.max(bytes, FIRST_WINDOW_BYTES, grown));
    this.window = (await this.source.read(this.at, length, this.signal)) as Uint8Array<ArrayBuffer>;
    this.windowStart = this.at;
  }

  /** Undefined where the file ends in it. */
  private varint(end: number): number | undefined {
    let value = 0;
    let scale = 1;
    for (let length = 1; length <= 10; length++, scale *= 128) {
      const byte = this.window[this.at - this.windowStart];
      if (byte === undefined || this.at >= end) {
        this.declaredEnd = Math.max(this.declaredEnd, this.source.sizeBytes + 1);
        this.at = end;
        return undefined;
      }
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : Infinity;
    }
    throw new FormatError('corrupt', 'a number of more than ten bytes', { offset: this.at });
  }
}
