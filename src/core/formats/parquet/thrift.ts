/**
 * Thrift's compact protocol (doc/specs/thrift-compact-protocol.md of apache/thrift) as far as Parquet uses it. A cursor, not a tree: what
 * nobody asks for is skipped, and every length is checked against the bytes that are there.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';

export const ThriftType = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
} as const;

/** Structs and lists that are skipped may nest at most this deep; Parquet's own take 7. */
const MAX_DEPTH = 32;

export class ThriftCursor {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    /** Where `bytes` begin in the file. */
    private readonly fileOffset: number,
  ) {}

  /**
   * Hands over the fields of a struct: `field` reads the value, or answers false to have it skipped.
   * @throws FormatError `corrupt`
   */
  struct(field: (id: number, type: number) => boolean): void {
    for (let id = 0; ;) {
      const head = this.byte();
      const type = head & 15;
      if (type === 0) return;
      id = head >> 4 === 0 ? this.zigzag() : id + (head >> 4);
      if (!field(id, type)) this.skip(type, 0);
    }
  }

  /** Hands over the items of a list; each takes a byte at least. `item` has to read it. */
  list(item: (type: number, index: number) => void): void {
    const { length, type } = this.listHead();
    for (let index = 0; index < length; index++) item(type, index);
  }

  listHead(): { length: number; type: number } {
    const head = this.byte();
    const length = head >> 4 === 15 ? this.varint() : head >> 4;
    if (length > this.bytes.byteLength - this.at) throw this.corrupt(`a list of ${length} items`);
    return { length, type: head & 15 };
  }

  /** An i16, i32 or i64. @throws FormatError `corrupt` beyond what a double holds */
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  binary(): Uint8Array {
    const length = this.varint();
    if (length > this.bytes.byteLength - this.at) throw this.corrupt(`a text of ${length} bytes`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text(): string {
    const length = this.varint();
    if (length > this.bytes.byteLength - this.at) throw this.corrupt(`a text of ${length} bytes`);
    this.at += length;
    return decodeText(this.bytes, this.at - length, this.at);
  }

  skip(type: number, depth: number): void {
    if (depth > MAX_DEPTH) throw this.corrupt('structs nest too deep');
    switch (type) {
      case ThriftType.true:
      case ThriftType.false:
        return;
      case ThriftType.byte:
        this.byte();
        return;
      case ThriftType.i16:
      case ThriftType.i32:
      case ThriftType.i64:
        while (this.byte() >= 128);
        return;
      case ThriftType.double:
        this.move(8);
        return;
      case ThriftType.binary:
        this.move(this.varint());
        return;
      case ThriftType.list:
      case ThriftType.set:
        this.skipList(depth);
        return;
      case ThriftType.struct:
        for (let head = this.byte(); head !== 0; head = this.byte()) {
          if (head >> 4 === 0) this.varint();
          this.skip(head & 15, depth + 1);
        }
        return;
      default:
        // Parquet has no maps.
        throw this.corrupt(`a value of type ${type}`);
    }
  }

  private skipList(depth: number): void {
    const { length, type } = this.listHead();
    if (type === ThriftType.true || type === ThriftType.false) this.move(length);
    else for (let index = 0; index < length; index++) this.skip(type, depth + 1);
  }

  private move(bytes: number): void {
    if (bytes > this.bytes.byteLength - this.at) throw this.corrupt(`${bytes} bytes are needed`);
    this.at += bytes;
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw this.corrupt('it ends within a value');
    this.at += 1;
    return byte;
  }

  private varint(): number {
    let value = this.byte();
    if (value < 128) return value;
    value &= 127;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) break;
      if (factor > 2 ** 63) throw this.corrupt('a number without an end');
    }
    // Two's complement of a negative i64 comes here too, as zigzag makes it positive: halved it may still be exact enough to refuse.
    if (value > 2 * Number.MAX_SAFE_INTEGER) throw this.corrupt('a number larger than any file');
    return value;
  }

  corrupt(detail: string): FormatError {
    return new FormatError('corrupt', `damaged Thrift metadata: ${detail}`, { offset: this.fileOffset + this.at });
  }
}
