import type { ByteSource } from './byteSource.js';
import { throwIfCancelled } from './formatError.js';

const FIRST_WINDOW_BYTES = 64 * 1024;
const LARGEST_WINDOW_BYTES = 1024 * 1024;
const NEAR_BYTES = 2048;

/**
 * Small reads that go forward through a file, as walks over headers make them. Where they follow each other closely more and more is
 * read at once; where they are far apart, no more than is asked for.
 */
export class ReadAhead {
  private bytes: Uint8Array = new Uint8Array(0);
  private start = 0;
  private windowBytes: number;

  /** @param firstBytes what the first read takes at least */
  constructor(
    private readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
    firstBytes = FIRST_WINDOW_BYTES,
  ) {
    this.windowBytes = firstBytes;
  }

  /** Undefined where the file ends before `offset + length`. @throws FormatError `io` or `cancelled` */
  async read(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.source.sizeBytes) return undefined;
    if (offset < this.start || offset + length > this.start + this.bytes.byteLength) await this.load(offset, length);
    return this.bytes.subarray(offset - this.start, offset - this.start + length);
  }

  private async load(offset: number, length: number): Promise<void> {
    throwIfCancelled(this.signal);
    const end = this.start + this.bytes.byteLength;
    // A jump of less than what was read last costs less than another read.
    const isNear = offset <= end + Math.max(NEAR_BYTES, this.bytes.byteLength);
    this.windowBytes = isNear ? Math.min(LARGEST_WINDOW_BYTES, Math.max(this.windowBytes, this.bytes.byteLength * 2)) : length;
    const wanted = Math.max(length, this.windowBytes);
    this.bytes = await this.source.read(offset, Math.min(wanted, this.source.sizeBytes - offset), this.signal);
    this.start = offset;
  }
}
