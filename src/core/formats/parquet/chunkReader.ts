/** Data pages of a column chunk: found by their headers, decompressed within bounds. */
import { gunzipSync } from 'fflate';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { ReadWindow } from '../../bytes/readWindow.js';
import { decompressHadoopLz4, decompressLz4Block } from '../../bytes/lz4.js';
import { decompressSnappy } from '../../bytes/snappy.js';
import { decompressZstd } from '../../bytes/zstd.js';
import { codec, PLAIN, plainOrIndexed } from './columnCodec.js';
import { readPageHeader, type Page } from './pageHeader.js';
import type { ParquetContents } from './parquetFooter.js';

/** Values of a page as they are stored. */
export interface DataPage<Dictionary> {
  /** Slots of the page, nulls included. */
  slots: number;
  /** Definition levels, one bit each; undefined for a column that has no nulls. */
  levels: Uint8Array | undefined;
  values: Uint8Array;
  /** Undefined for plain values. */
  dictionary: Dictionary | undefined;
}

/** Pages of one column chunk, decompressed as they are asked for. */
export class ChunkReader {
  private readonly start: number;
  private readonly end: number;

  constructor(
    private readonly window: ReadWindow,
    private readonly contents: ParquetContents,
    group: number,
    private readonly index: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    const at = group * contents.columns.length + index;
    this.start = contents.chunkOffsets.at(at);
    this.end = this.start + contents.chunkBytes.at(at);
    if (this.start < 4 || this.end > window.source.sizeBytes)
      throw new FormatError('corrupt', 'a column chunk lies outside of the file', { offset: this.start });
  }

  /**
   * Hands the pages over that have rows `from` to `to` of the group. Dictionaries are decoded once, by `readDictionary`.
   * @throws FormatError `unsupported` for another encoding than plain values and indices into a dictionary
   */
  async pages<Dictionary>(
    from: number,
    to: number,
    readDictionary: (bytes: Uint8Array, values: number) => Dictionary,
    use: (page: DataPage<Dictionary>, firstRow: number) => void,
  ): Promise<void> {
    let dictionary: Page | undefined;
    let entries: Dictionary | undefined;
    let row = 0;
    for (let offset = this.start; offset < this.end && row < to;) {
      const page = await readPageHeader(this.window, offset, this.end);
      offset += page.headerBytes + page.bodyBytes;
      if (page.kind === 'dictionary') dictionary = page;
      if (page.kind !== 'data') continue;
      if (row + page.values > from) {
        const body = await this.body(page);
        if (page.encoding !== PLAIN && dictionary !== undefined)
          entries ??= readDictionary(this.decompress(await this.body(dictionary), dictionary.plainBytes), dictionary.values);
        if (page.encoding !== PLAIN && (entries === undefined || !plainOrIndexed.has(page.encoding)))
          throw new FormatError('unsupported', `values in encoding ${page.encoding}`, { offset: page.offset });
        use({ slots: page.values, ...this.split(page, body), dictionary: page.encoding === PLAIN ? undefined : entries }, row);
      }
      row += page.values;
    }
  }

  private async body(page: Page): Promise<Uint8Array> {
    if (Math.max(page.bodyBytes, page.plainBytes) > limits.textPageBytes || page.values > limits.textPageValues)
      throw new FormatError('limit-exceeded', `a page of ${page.plainBytes} bytes`, { offset: page.offset });
    return this.window.source.read(page.offset + page.headerBytes, page.bodyBytes, this.signal);
  }

  /** Levels are within the compressed bytes in version 1, with a u32 length, and before them in version 2. */
  private split(page: Page, body: Uint8Array): { levels: Uint8Array | undefined; values: Uint8Array } {
    const hasLevels = (this.contents.columns[this.index]?.maxDefinition ?? 0) > 0;
    const { levelBytes, plainBytes } = page;
    if (levelBytes !== null) {
      if (levelBytes > Math.min(body.byteLength, plainBytes))
        throw new FormatError('corrupt', 'levels are longer than their page');
      const packed = body.subarray(levelBytes);
      const values = page.isCompressed ? this.decompress(packed, plainBytes - levelBytes) : packed;
      return { levels: hasLevels ? body.subarray(0, levelBytes) : undefined, values };
    }
    const plain = this.decompress(body, plainBytes);
    if (!hasLevels) return { levels: undefined, values: plain };
    const length = plain.byteLength < 4 ? 0 : new DataView(plain.buffer, plain.byteOffset, 4).getUint32(0, true);
    if (4 + length > plain.byteLength) throw new FormatError('corrupt', 'levels are longer than their page');
    return { levels: plain.subarray(4, 4 + length), values: plain.subarray(4 + length) };
  }

  private decompress(bytes: Uint8Array, plainBytes: number): Uint8Array {
    const [used = 0] = this.contents.sums[this.index]?.codecs ?? [];
    if (used === 0 || bytes.byteLength === 0) return bytes;
    if (used === codec.zstd) return decompressZstd(bytes, plainBytes);
    if (used === codec.lz4Raw) return decompressLz4Block(bytes, plainBytes);
    if (used === codec.lz4) return decompressHadoopLz4(bytes, plainBytes);
    if (used === codec.snappy) return snappyPage(bytes, plainBytes);
    try {
      return gunzipSync(bytes, { out: new Uint8Array(plainBytes) });
    } catch (error) {
      throw new FormatError('corrupt', 'a page cannot be decompressed', { cause: error });
    }
  }
}

function snappyPage(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const page = decompressSnappy(bytes);
  if (page.byteLength !== plainBytes) throw new FormatError('corrupt', 'a page has another size than its header declares');
  return page;
}
