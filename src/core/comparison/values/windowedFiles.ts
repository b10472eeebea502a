/** Files that are read in rising order: what lies behind a small tensor comes with it. */
import type { ByteSource } from '../../bytes/byteSource.js';
import type { FileTree } from '../../files/fileTree.js';

/** Parts of one tensor may be in several files, and come again with the next tensor. */
const mostOpen = 16;

export class WindowedFiles {
  bytesRead = 0;
  /** The one that was used last is last. */
  private readonly open = new Map<string, ByteSource>();
  private buffer: Uint8Array = new Uint8Array(0);
  private window: { path: string; offset: number; bytes: Uint8Array } | undefined;

  /** @param aheadBytes of a read at least, where the file has so many */
  constructor(
    private readonly tree: Pick<FileTree, 'open'>,
    private readonly aheadBytes: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** These bytes, until the next call. @throws FormatError `io`, `truncated`, `cancelled` */
  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    const held = this.window;
    if (held?.path === path && offset >= held.offset && offset + length <= held.offset + held.bytes.byteLength)
      return held.bytes.subarray(offset - held.offset, offset - held.offset + length);
    const source = await this.sourceOf(path);
    const bytes = await this.readWindow(source, offset, Math.max(length, Math.min(this.aheadBytes, source.sizeBytes - offset)));
    this.window = { path, offset, bytes };
    return bytes.subarray(0, length);
  }

  /** @throws FormatError `io`, `cancelled` */
  async sizeOf(path: string): Promise<number> {
    return (await this.sourceOf(path)).sizeBytes;
  }

  async close(): Promise<void> {
    const sources = [...this.open.values()];
    this.open.clear();
    this.window = undefined;
    for (const source of sources) await source.close();
  }

  private async readWindow(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
    this.window = undefined;
    this.bytesRead += length;
    if (source.readInto === undefined || offset + length > source.sizeBytes) return source.read(offset, length, this.signal);
    if (this.buffer.byteLength < length) this.buffer = new Uint8Array(length);
    const target = this.buffer.subarray(0, length);
    await source.readInto(target, offset, this.signal);
    return target;
  }

  private async sourceOf(path: string): Promise<ByteSource> {
    const known = this.open.get(path);
    if (known !== undefined) {
      this.open.delete(path);
      this.open.set(path, known);
      return known;
    }
    const source = await this.tree.open(path, this.signal);
    this.open.set(path, source);
    const [oldest] = this.open;
    if (this.open.size > mostOpen && oldest !== undefined) {
      this.open.delete(oldest[0]);
      await oldest[1].close();
    }
    return source;
  }
}
