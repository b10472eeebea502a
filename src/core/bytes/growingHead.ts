import type { ByteSource } from './byteSource.js';
import { FormatError, throwIfCancelled } from './formatError.js';

/** A parser came to the end of what has been read. Never leaves `GrowingHead.parse`. */
class EndOfHead extends Error {}

/**
 * The beginning of a file, read only as far as a parser needs it. For headers whose length is nowhere stated: what is there is
 * doubled until the parser is through.
 */
export class GrowingHead {
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  /** Where the next value begins. */
  at = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly firstBytes: number,
    private readonly maxBytes: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Runs a synchronous parser of one item at `at`; runs it again from there, with more bytes, when it needed more than there were.
   * @throws FormatError `truncated` at the end of the file, `limit-exceeded` beyond `maxBytes`
   */
  async parse<T>(item: () => T): Promise<T> {
    const start = this.at;
    for (;;) {
      try {
        return item();
      } catch (error) {
        if (!(error instanceof EndOfHead)) throw error;
        this.at = start;
        await this.grow();
      }
    }
  }

  /** Moves over `length` bytes and answers where they begin. */
  take(length: number): number {
    const start = this.at;
    // A length that no file has room for would have the whole file read before it was refused.
    if (start + length > this.source.sizeBytes)
      throw new FormatError('truncated', `${length} bytes are needed at ${start}`, { offset: this.source.sizeBytes });
    if (start + length > this.bytes.byteLength) throw new EndOfHead();
    this.at = start + length;
    return start;
  }

  private async grow(): Promise<void> {
    throwIfCancelled(this.signal);
    const known = this.bytes.byteLength;
    const wanted = Math.min(this.source.sizeBytes, Math.max(this.firstBytes, known * 2));
    if (known >= this.maxBytes)
      throw new FormatError('limit-exceeded', `the header takes more than ${known} bytes`, { offset: 0 });
    const more = await this.source.read(known, wanted - known, this.signal);
    const bytes = new Uint8Array(wanted);
    bytes.set(this.bytes);
    bytes.set(more, known);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}
