import type { ByteSource } from './byteSource.js';
import { FormatError, throwIfCancelled } from './formatError.js';

/**
 * Bytes of a file in rising order, some ahead of what was asked for: headers that lie close to each other come with one read, bodies
 * between those that lie far apart are skipped.
 */
export class ReadWindow {
  private bytes: Uint8Array = new Uint8Array(0);
  private start = 0;

  constructor(
    readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Where what is there ends. */
  get end(): number {
    return this.start + this.bytes.byteLength;
  }

  /** How much is there. */
  get sizeBytes(): number {
    return this.bytes.byteLength;
  }

  /** Whether a read would be answered from what is there. */
  has(offset: number, length: number): boolean {
    return offset >= this.start && offset + length <= this.end;
  }

  /**
   * `length` bytes at `offset`, out of what is there or with a read of `aheadBytes` (or `length`, where that is more).
   * @throws FormatError `truncated` where the file ends before, `io`, `cancelled`
   */
  async take(offset: number, length: number, aheadBytes: number): Promise<Uint8Array> {
    throwIfCancelled(this.signal);
    const { sizeBytes } = this.source;
    if (offset + length > sizeBytes)
      throw new FormatError('truncated', `${length} bytes are needed at ${offset}, the file has ${sizeBytes}`, {
        offset: Math.min(offset, sizeBytes),
      });
    if (!this.has(offset, length)) {
      const wanted = Math.min(Math.max(length, aheadBytes), sizeBytes - offset);
      this.bytes = new Uint8Array(0);
      this.bytes = await this.source.read(offset, wanted, this.signal);
      this.start = offset;
    }
    return this.bytes.subarray(offset - this.start, offset - this.start + length);
  }
}
