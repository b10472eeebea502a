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

/** Receives the checksums that a walk comes across. The readers do not check them. */
export interface Hdf5Sums {
  /** A structure whose last four bytes are the checksum (lookup3) of those before, by its offset in the file. */
  metadata(offset: number, length: number): void;
  /** A chunk whose last four bytes are the Fletcher-32 of those before. */
  chunk(dataset: string, offset: number, length: number): void;
}

export class Hdf5Bytes {
  constructor(
    private readonly source: ByteSource,
    readonly sizes: Hdf5Sizes,
    private readonly signal: AbortSignal | undefined,
    readonly sums: Hdf5Sums | null = null,
  ) {}

  /** Files that external links lead to, each once, up to the limit. */
  readonly linkedFiles = new Set<string>();

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

/** A cursor over little-endian fields: a stretch of what was read, without a view of its own, as a file has a million of them. */
export class Fields {
  at = 0;
  constructor(
    private readonly read: Uint8Array,
    readonly sizes: Hdf5Sizes,
    /** Offset of the first byte in the file. */
    readonly fileOffset: number,
    private readonly start = 0,
    private readonly end = read.byteLength,
  ) {}

  get bytes(): Uint8Array {
    return this.read.subarray(this.start, this.end);
  }

  get left(): number {
    return this.end - this.start - this.at;
  }

  /** Moves over `length` bytes. */
  skip(length: number): void {
    this.take(length);
  }

  /** Moves over `length` bytes and answers where they begin in what was read. */
  private take(length: number): number {
    const { at } = this;
    if (length < 0 || length > this.left)
      throw new FormatError('corrupt', 'a structure of the file ends too early', { offset: this.fileOffset + at });
    this.at = at + length;
    return this.start + at;
  }

  u8(): number {
    return this.read[this.take(1)] as number;
  }

  u16(): number {
    return this.uint(2);
  }

  u32(): number {
    return this.uint(4);
  }

  /** An unsigned integer of any width; infinite beyond 2^53, which no file reaches. */
  uint(width: number): number {
    const start = this.take(width);
    let value = 0;
    for (let index = width - 1; index >= 0; index--) value = value * 256 + (this.read[start + index] as number);
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
    const start = this.take(length);
    let end = start;
    while (end < start + length && this.read[end] !== 0) end += 1;
    return decodeText(this.read, start, end);
  }

  /** Moves over a signature of four letters. */
  expect(signature: string): void {
    const start = this.take(4);
    if (decodeLatin1(this.read, start, start + 4) !== signature)
      throw new FormatError('corrupt', `there is no ${signature} here`, { offset: this.fileOffset + this.at - 4 });
  }

  /** The next `length` bytes as fields of their own. */
  part(length: number): Fields {
    const fileOffset = this.fileOffset + this.at;
    const start = this.take(length);
    return new Fields(this.read, this.sizes, fileOffset, start, start + length);
  }
}
