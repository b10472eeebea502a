import type { ByteSource } from './byteSource.js';
import { ReadWindow } from './readWindow.js';

const FIRST_WINDOW_BYTES = 64 * 1024;
const LARGEST_WINDOW_BYTES = 1024 * 1024;
/** A jump over no more than this costs less than another read. */
const NEAR_BYTES = 2048;

/**
 * Small reads that go forward through a file, as walks over headers make them. Where they follow each other closely more and more is
 * read at once; where they are far apart, no more than is asked for.
 */
export class ReadAhead {
  private readonly window: ReadWindow;
  private aheadBytes: number;

  /** @param firstBytes what the first read takes at least */
  constructor(source: ByteSource, signal: AbortSignal | undefined, firstBytes = FIRST_WINDOW_BYTES) {
    this.window = new ReadWindow(source, signal);
    this.aheadBytes = firstBytes;
  }

  /** Undefined where the file ends before `offset + length`. @throws FormatError `io` or `cancelled` */
  async read(offset: number, length: number): Promise<Uint8Array | undefined> {
    const { window } = this;
    if (offset + length > window.source.sizeBytes) return undefined;
    if (!window.has(offset, length)) {
      const isNear = offset <= window.end + Math.max(NEAR_BYTES, window.sizeBytes);
      this.aheadBytes = isNear ? Math.min(LARGEST_WINDOW_BYTES, Math.max(this.aheadBytes, window.sizeBytes * 2)) : length;
    }
    return window.take(offset, length, this.aheadBytes);
  }
}
