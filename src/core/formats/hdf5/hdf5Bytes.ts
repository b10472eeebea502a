/** Access to an HDF5 file by address, and the fields that its structures are made of. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { decodeLatin1, decodeText } from '../../bytes/text.js';

/** Sizes of addresses and lengths, which the superblock declares, and where addresses count from. */
export interface Hdf5Sizes {
  offsetBytes: number;
  lengthBytes: number;
  base: number;
}

export class Hdf5Bytes {
  constructor(
    private readonly source: ByteSource,
    readonly sizes: Hdf5Sizes,
    private readonly signal: AbortSignal | undefined,
  ) {}

  get fileBytes(): number {
    return this.source.sizeBytes;
  }

  /** Offset in the file of an address. */
  offsetOf(address: number): number {
    return this.sizes.base + address;
  }

  /**
   * Fields at an address.
   * @throws FormatError `truncated` where the file ends before
   */
  async read(address: number, length: number): Promise<Fields> {
    throwIfCancelled(this.signal);
    const offset = this.offsetOf(address);
    if (offset + length > this.source.sizeBytes)
      throw new FormatError('truncated', `${length} bytes are needed at ${offset}`, { offset: this.source.sizeBytes });
    return new Fields(await this.source.read(offset, length, this.signal), this.sizes, offset);
  }
}

/** A cursor over little-endian fields. */
export class Fields {
  at = 0;
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly sizes: Hdf5Sizes,
    /** Offset of the first byte in the file. */
    readonly fileOffset: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.byteLength - this.at;
  }

  /** Moves over `length` bytes and answers where they begin. */
  skip(length: number): number {
    const start = this.at;
    if (length < 0 || start + length > this.bytes.byteLength)
      throw new FormatError('corrupt', 'a structure of the file ends too early', { offset: this.fileOffset + start });
    this.at = start + length;
    return start;
  }

  u8(): number {
    return this.view.getUint8(this.skip(1));
  }

  u16(): number {
    return this.view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }

  /** An unsigned integer of any width; infinite beyond 2^53, which no file reaches. */
  uint(width: number): number {
    const start = this.skip(width);
    let value = 0;
    for (let index = width - 1; index >= 0; index--) value = value * 256 + (this.bytes[start + index] as number);
    return value <= Number.MAX_SAFE_INTEGER ? value : Infinity;
  }

  /** A length; infinite where the file says that there is none. */
  length(): number {
    return this.uint(this.sizes.lengthBytes);
  }

  /** An address; undefined where it is all ones. */
  address(): number | undefined {
    const value = this.uint(this.sizes.offsetBytes);
    return value === Infinity || value === 2 ** (8 * this.sizes.offsetBytes) - 1 ? undefined : value;
  }

  /** A text of `length` bytes, up to its first zero. */
  text(length: number): string {
    const start = this.skip(length);
    const zero = this.bytes.indexOf(0, start);
    return decodeText(this.bytes, start, zero === -1 || zero > start + length ? start + length : zero);
  }

  /** Moves over a signature of four letters. */
  expect(signature: string): void {
    const start = this.skip(4);
    if (decodeLatin1(this.bytes, start, start + 4) !== signature)
      throw new FormatError('corrupt', `there is no ${signature} here`, { offset: this.fileOffset + start });
  }

  /** The next `length` bytes as fields of their own. */
  part(length: number): Fields {
    const start = this.skip(length);
    return new Fields(this.bytes.subarray(start, start + length), this.sizes, this.fileOffset + start);
  }
}
