/**
 * Tables of a FlatBuffer (https://flatbuffers.dev/internals): a table begins with an i32 that leads back to its vtable, whose u16 entries
 * say where each field lies. By hand, because the usual accessors trust every offset: here each is checked against the buffer.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';

/** A buffer and where it lies in the file, for the offsets of findings. */
export class FlatBuffer {
  readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly fileOffset: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws FormatError `corrupt` where the root is not a table */
  root(): FlatTable {
    return new FlatTable(this, this.follow(0));
  }

  /** Moves along the u32 offset at `at`. */
  follow(at: number): number {
    this.need(at, 4);
    return at + this.view.getUint32(at, true);
  }

  need(at: number, length: number): void {
    if (at < 0 || at + length > this.bytes.byteLength)
      throw new FormatError('corrupt', 'an offset in the metadata leads out of it', { offset: this.fileOffset });
  }

  /** @throws FormatError `corrupt` where it is no integer that a double holds */
  i64(at: number): number {
    this.need(at, 8);
    const value = this.view.getInt32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
    if (!Number.isSafeInteger(value))
      throw new FormatError('corrupt', 'a number in the metadata is larger than any file', { offset: this.fileOffset + at });
    return value;
  }
}

/** A vector: where its first element lies, and how many there are. */
export interface FlatVector {
  at: number;
  length: number;
}

/** One table. Fields are named by their place in the schema; those that are not there have their default. */
export class FlatTable {
  private readonly vtable: number;
  private readonly vtableBytes: number;

  constructor(
    readonly buffer: FlatBuffer,
    readonly at: number,
  ) {
    buffer.need(at, 4);
    this.vtable = at - buffer.view.getInt32(at, true);
    buffer.need(this.vtable, 4);
    this.vtableBytes = buffer.view.getUint16(this.vtable, true);
    buffer.need(this.vtable, this.vtableBytes);
  }

  i8(field: number, fallback = 0): number {
    const at = this.place(field, 1);
    return at === 0 ? fallback : this.buffer.view.getInt8(at);
  }

  i16(field: number, fallback = 0): number {
    const at = this.place(field, 2);
    return at === 0 ? fallback : this.buffer.view.getInt16(at, true);
  }

  i32(field: number, fallback = 0): number {
    const at = this.place(field, 4);
    return at === 0 ? fallback : this.buffer.view.getInt32(at, true);
  }

  i64(field: number, fallback = 0): number {
    const at = this.place(field, 8);
    return at === 0 ? fallback : this.buffer.i64(at);
  }

  text(field: number): string {
    const { at, length } = this.vector(field, 1);
    return decodeText(this.buffer.bytes, at, at + length);
  }

  table(field: number): FlatTable | undefined {
    const at = this.place(field, 4);
    return at === 0 ? undefined : new FlatTable(this.buffer, this.buffer.follow(at));
  }

  /** Where a vector of elements of `itemBytes` lies; empty where there is none. */
  vector(field: number, itemBytes: number): FlatVector {
    const place = this.place(field, 4);
    if (place === 0) return { at: 0, length: 0 };
    const start = this.buffer.follow(place);
    this.buffer.need(start, 4);
    const length = this.buffer.view.getUint32(start, true);
    this.buffer.need(start + 4, length * itemBytes);
    return { at: start + 4, length };
  }

  /** Tables of a vector, one at a time: how many there are is up to the file. */
  *tables(field: number): Generator<FlatTable> {
    const { at, length } = this.vector(field, 4);
    for (let index = 0; index < length; index++) yield new FlatTable(this.buffer, this.buffer.follow(at + 4 * index));
  }

  private place(field: number, bytes: number): number {
    const entry = 4 + 2 * field;
    if (entry + 2 > this.vtableBytes) return 0;
    const offset = this.buffer.view.getUint16(this.vtable + entry, true);
    if (offset === 0) return 0;
    this.buffer.need(this.at + offset, bytes);
    return this.at + offset;
  }
}
