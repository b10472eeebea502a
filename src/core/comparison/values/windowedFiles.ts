/** Files that are read in rising order: what lies behind a small tensor comes with it. */
import type { ByteSource } from '../../bytes/byteSource.js';
import type { FileTree } from '../../files/fileTree.js';

/** Parts of one tensor may be in several files, and come again with the next tensor. */
const mostOpen = 16;

interface OpenFile {
  source: ByteSource;
  buffer: Uint8Array;
  window: { offset: number; bytes: Uint8Array } | undefined;
}

export class WindowedFiles {
  bytesRead = 0;
  /** The one that was used last is last. */
  private readonly open = new Map<string, OpenFile>();

  /** @param aheadBytes of a read at least, where the file has so many */
  constructor(
    private readonly tree: Pick<FileTree, 'open'>,
    private readonly aheadBytes: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * These bytes, until the next call.
   * @param files that are read in turn: of too many nothing that was read ahead would be there the next time
   * @throws FormatError `io`, `truncated`, `cancelled`
   */
  async read(path: string, offset: number, length: number, files = 1): Promise<Uint8Array> {
    const file = await this.fileOf(path);
    const held = file.window;
    if (held !== undefined && offset >= held.offset && offset + length <= held.offset + held.bytes.byteLength)
      return held.bytes.subarray(offset - held.offset, offset - held.offset + length);
    const aheadBytes = files > mostOpen ? 0 : this.aheadBytes;
    const bytes = await this.readWindow(file, offset, Math.max(length, Math.min(aheadBytes, file.source.sizeBytes - offset)));
    file.window = { offset, bytes };
    return bytes.subarray(0, length);
  }

  /** @throws FormatError `io`, `cancelled` */
  async sizeOf(path: string): Promise<number> {
    return (await this.fileOf(path)).source.sizeBytes;
  }

  async close(): Promise<void> {
    const files = [...this.open.values()];
    this.open.clear();
    for (const { source } of files) await source.close();
  }

  private async readWindow(file: OpenFile, offset: number, length: number): Promise<Uint8Array> {
    const { source } = file;
    file.window = undefined;
    this.bytesRead += length;
    if (source.readInto === undefined || offset + length > source.sizeBytes) return source.read(offset, length, this.signal);
    if (file.buffer.byteLength < length) file.buffer = new Uint8Array(length);
    const target = file.buffer.subarray(0, length);
    await source.readInto(target, offset, this.signal);
    return target;
  }

  private async fileOf(path: string): Promise<OpenFile> {
    const known = this.open.get(path);
    if (known !== undefined) {
      this.open.delete(path);
      this.open.set(path, known);
      return known;
    }
    const file = { source: await this.tree.open(path, this.signal), buffer: new Uint8Array(0), window: undefined };
    this.open.set(path, file);
    const [oldest] = this.open;
    if (this.open.size > mostOpen && oldest !== undefined) {
      this.open.delete(oldest[0]);
      await oldest[1].source.close();
    }
    return file;
  }
}
