/** Texts of a string column: finds the pages with the rows asked for by their headers, and decodes no others. */
import { gunzipSync } from 'fflate';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { decompressHadoopLz4, decompressLz4Block } from '../../bytes/lz4.js';
import { decompressSnappy } from '../../bytes/snappy.js';
import { decompressZstd } from '../../bytes/zstd.js';
import { codec, PLAIN, plainOrIndexed } from './columnCodec.js';
import { readPageHeader, type Page } from './pageHeader.js';
import type { ParquetContents } from './parquetFooter.js';
import { PlainTexts, textsOfPage } from './textPage.js';

/**
 * Texts of rows `from` to `from + count` (exclusive); a null is an empty text.
 * @throws FormatError `corrupt`, `truncated`, `unsupported`, `limit-exceeded`
 */
export async function readPageTexts(
  source: ByteSource,
  contents: ParquetContents,
  index: number,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const texts: string[] = [];
  const end = Math.min(contents.rows, from + count);
  let length = 0;
  for (let group = contents.groupFirstRows.lastUpTo(from), row = from; row < end && group < contents.groupRows.length; group++) {
    const first = contents.groupFirstRows.at(group);
    const stop = Math.min(end - first, contents.groupRows.at(group));
    const chunk = new ChunkReader(new ReadWindow(source, signal), contents, group, index, signal);
    for (const text of await chunk.texts(row - first, stop)) {
      // Many rows may point at one long text of a dictionary.
      length += text.length;
      if (length > limits.textPageBytes) throw new FormatError('limit-exceeded', 'the texts of a few rows are too long');
      texts.push(text);
    }
    row = first + stop;
  }
  return texts;
}

class ChunkReader {
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

  /** Texts of the rows `from` to `to` of the group. */
  async texts(from: number, to: number): Promise<string[]> {
    const all: string[] = [];
    let dictionary: Page | undefined;
    let entries: PlainTexts | undefined;
    let row = 0;
    for (let offset = this.start; offset < this.end && row < to;) {
      const page = await readPageHeader(this.window, offset, this.end);
      offset += page.headerBytes + page.bodyBytes;
      if (page.kind === 'dictionary') dictionary = page;
      if (page.kind !== 'data') continue;
      if (row + page.values > from) {
        const body = await this.body(page);
        if (page.encoding !== PLAIN) entries ??= dictionary === undefined ? undefined : await this.entries(dictionary);
        if (page.encoding !== PLAIN && (entries === undefined || !plainOrIndexed.has(page.encoding)))
          throw new FormatError('unsupported', `texts in encoding ${page.encoding}`, { offset: page.offset });
        const texts = textsOfPage(
          { slots: page.values, ...this.split(page, body), dictionary: page.encoding === PLAIN ? undefined : entries },
          Math.max(0, from - row),
          to - row,
        );
        for (const text of texts) all.push(text);
      }
      row += page.values;
    }
    return all;
  }

  private async entries(page: Page): Promise<PlainTexts> {
    return new PlainTexts(this.decompress(await this.body(page), page.plainBytes), page.values);
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
      throw new FormatError('corrupt', 'a page of text cannot be decompressed', { cause: error });
    }
  }
}

function snappyPage(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const page = decompressSnappy(bytes);
  if (page.byteLength !== plainBytes) throw new FormatError('corrupt', 'a page has another size than its header declares');
  return page;
}
