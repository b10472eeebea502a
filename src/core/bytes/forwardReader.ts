import type { ByteSource } from './byteSource.js';
import { FormatError } from './formatError.js';

export interface ForwardReaderOptions {
  /** Least that is read after a jump, when no more was asked for. */
  minBytes: number;
  /** Most that is read ahead where what is asked for lies close together. */
  maxBytes: number;
}

/** From here on it is cheaper to jump over what lies between than to read it. */
const JUMP_BYTES = 8 * 1024;

/**
 * Reads small pieces of a file in ascending order, as headers lie between bodies: bodies that are long are jumped over, and short ones
 * are read along in windows that double, so that neither many bytes nor many reads are spent.
 */
export class ForwardReader {
  private window: Uint8Array = new Uint8Array(0);
  private windowAt = 0;
  private windowBytes: number;

  constructor(
    private readonly source: ByteSource,
    private readonly signal: AbortSignal | undefined,
    private readonly options: ForwardReaderOptions = { minBytes: 512, maxBytes: 256 * 1024 },
  ) {
    this.windowBytes = options.minBytes;
  }

  get sizeBytes(): number {
    return this.source.sizeBytes;
  }

  /**
   * The bytes at `offset`, not copied.
   * @throws FormatError `truncated` where the file ends before, `io`, `cancelled`
   */
  async at(offset: number, length: number): Promise<Uint8Array> {
    const left = this.source.sizeBytes - offset;
    if (length > left)
      throw new FormatError('truncated', `${length} bytes wanted where ${Math.max(0, left)} are left`, { offset });
    const from = offset - this.windowAt;
    if (from >= 0 && from + length <= this.window.byteLength) return this.window.subarray(from, from + length);
    const isJump = from - this.window.byteLength >= JUMP_BYTES;
    const { minBytes, maxBytes } = this.options;
    this.windowBytes = isJump ? minBytes : Math.min(maxBytes, this.windowBytes * 2);
    this.window = await this.source.read(offset, Math.min(left, Math.max(length, this.windowBytes)), this.signal);
    this.windowAt = offset;
    return this.window.subarray(0, length);
  }
}
