/**
 * MessagePack (msgpack/msgpack, spec.md) as a stream of values out of which long ones are skipped by their length: a file of gigabytes
 * takes one small read for each array. Nesting is a stack here, never a recursion.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';

/** The head of a map or an array. */
export interface MsgpackContainer {
  kind: 'container';
  isMap: boolean;
  length: number;
}

export type MsgpackValue =
  | { kind: 'scalar'; value: string | number | boolean | null }
  | MsgpackContainer
  /** Bytes of the file that were not read: a `bin`, an `ext` with its type, or a text that is too long. */
  | { kind: 'bytes'; type: number | null; offset: number; bytes: number };

/** Headers take 9 bytes at most: one for the type, 8 for the length. */
const HEADER_BYTES = 9;
/** A header and the shape behind it; larger only while values lie side by side. */
const FIRST_WINDOW_BYTES = 4 * 1024;
const LAST_WINDOW_BYTES = 256 * 1024;

/** Reads values one after the other from a file. */
export class MsgpackReader {
  private window: Uint8Array = new Uint8Array(0);
  private windowStart = 0;
  private windowBytes = FIRST_WINDOW_BYTES;
  private at = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
  ) {}

  get position(): number {
    return this.at;
  }

  /** Goes on from another place, such as the inside of an `ext` or what follows it. */
  seek(offset: number): void {
    this.at = offset;
  }

  /**
   * The next value; of a map or an array only its head, its members follow.
   * @throws FormatError `truncated` or `corrupt`
   */
  async next(): Promise<MsgpackValue> {
    const start = this.at;
    await this.fill(HEADER_BYTES);
    const type = this.uint(1);
    if (type < 0x80) return scalar(type);
    if (type < 0x90) return container(true, type & 0x0f);
    if (type < 0xa0) return container(false, type & 0x0f);
    if (type < 0xc0) return this.text(type & 0x1f);
    if (type >= 0xe0) return scalar(type - 0x100);
    return this.nextOfType(type, start);
  }

  private nextOfType(type: number, start: number): MsgpackValue | Promise<MsgpackValue> {
    switch (type) {
      case 0xc0:
        return scalar(null);
      case 0xc2:
      case 0xc3:
        return scalar(type === 0xc3);
      case 0xca:
        return scalar(this.view(4).getFloat32(0));
      case 0xcb:
        return scalar(this.view(8).getFloat64(0));
      case 0xd0:
        return scalar(this.view(1).getInt8(0));
      case 0xd1:
        return scalar(this.view(2).getInt16(0));
      case 0xd2:
        return scalar(this.view(4).getInt32(0));
      case 0xd3:
        return scalar(Number(this.view(8).getBigInt64(0)));
    }
    if (type >= 0xc4 && type <= 0xc6) return this.skip(this.uint(1 << (type - 0xc4)), null);
    if (type >= 0xc7 && type <= 0xc9) return this.extension(this.uint(1 << (type - 0xc7)));
    if (type >= 0xcc && type <= 0xcf) return scalar(this.uint(1 << (type - 0xcc)));
    if (type >= 0xd4 && type <= 0xd8) return this.extension(1 << (type - 0xd4));
    if (type >= 0xd9 && type <= 0xdb) return this.text(this.uint(1 << (type - 0xd9)));
    if (type === 0xdc || type === 0xdd) return container(false, this.uint(type === 0xdc ? 2 : 4));
    if (type === 0xde || type === 0xdf) return container(true, this.uint(type === 0xde ? 2 : 4));
    throw new FormatError('corrupt', `0x${type.toString(16)} is no type of MessagePack`, { offset: start });
  }

  private extension(length: number): MsgpackValue {
    return this.skip(length, this.uint(1));
  }

  private async text(length: number): Promise<MsgpackValue> {
    if (length > limits.metadataPayloadBytes) return this.skip(length, null);
    await this.fill(length);
    return scalar(decodeText(this.take(length)));
  }

  private skip(bytes: number, type: number | null): MsgpackValue {
    const offset = this.at;
    if (offset + bytes > this.source.sizeBytes)
      throw new FormatError('truncated', `${bytes} bytes at ${offset} reach beyond the end`, { offset: this.source.sizeBytes });
    this.at += bytes;
    return { kind: 'bytes', type, offset, bytes };
  }

  private uint(length: number): number {
    const view = this.view(length);
    let value = 0;
    for (let index = 0; index < length; index++) value = value * 256 + view.getUint8(index);
    return value;
  }

  private view(length: number): DataView {
    const bytes = this.take(length);
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  /** The next bytes of the window, which `fill` made sure of unless the file ends. */
  private take(length: number): Uint8Array {
    const from = this.at - this.windowStart;
    if (from + length > this.window.byteLength)
      throw new FormatError('truncated', 'the file ends within a value', { offset: this.source.sizeBytes });
    this.at += length;
    return this.window.subarray(from, from + length);
  }

  /** Has `length` bytes, or what is left of the file, in the window. */
  private async fill(length: number): Promise<void> {
    const windowEnd = this.windowStart + this.window.byteLength;
    const isInside = this.at >= this.windowStart && this.at + length <= windowEnd;
    if (isInside || (this.at >= this.windowStart && this.at <= windowEnd && windowEnd === this.source.sizeBytes)) return;
    // Many small values side by side are worth larger reads; after a jump over an array the next header is all that is wanted.
    const isNear = this.at >= this.windowStart && this.at <= windowEnd;
    this.windowBytes = isNear ? Math.min(LAST_WINDOW_BYTES, this.windowBytes * 2) : FIRST_WINDOW_BYTES;
    const wanted = Math.min(Math.max(length, this.windowBytes), Math.max(0, this.source.sizeBytes - this.at));
    this.window = await this.source.read(this.at, wanted, this.signal);
    this.windowStart = this.at;
  }
}

function scalar(value: string | number | boolean | null): MsgpackValue {
  return { kind: 'scalar', value };
}

function container(isMap: boolean, length: number): MsgpackContainer {
  return { kind: 'container', isMap, length };
}

/** True for bytes that begin like a map with a text as its first key. */
export function isMsgpackMap(head: Uint8Array): boolean {
  const first = head[0] ?? 0;
  const keyAt = first > 0x80 && first < 0x90 ? 1 : first === 0xde ? 3 : first === 0xdf ? 5 : -1;
  const key = head[keyAt] ?? 0;
  const length = key > 0xa0 && key < 0xc0 ? key & 0x1f : 0;
  const text = head.subarray(keyAt + 1, keyAt + 1 + length);
  return keyAt !== -1 && length > 0 && text.byteLength === length && text.every((byte) => byte >= 0x20 && byte < 0x7f);
}
