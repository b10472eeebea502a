/** Texts of a string column: finds the pages with the rows asked for by their headers, and has hyparquet decode no others. */
import { gunzipSync } from 'fflate';
import { parquetReadObjects, type Compressors, type FileMetaData } from 'hyparquet';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { decompressZstd } from '../../bytes/zstd.js';
import { readPageHeader, type Page } from './pageHeader.js';
import type { ParquetContents } from './parquetFooter.js';

/** `enum CompressionCodec`. */
const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
const readable = new Set([0, 1, 2, 6]);

/** In the words of pyarrow. */
export function codecName(codec: number): string {
  return codec === 0 ? 'none' : (codecs[codec]?.toLowerCase() ?? `codec ${codec}`);
}

/** True for a column of which this reader gets texts: strings, one a row, in a codec that is at hand. */
export function hasPageTexts({ columns, sums }: ParquetContents, index: number): boolean {
  const column = columns[index];
  if (column?.content !== 'text' || column.listDepth > 0 || column.maxDefinition > 1) return false;
  const { codecs: used } = sums[index] ?? { codecs: new Set<number>() };
  return used.size === 1 && [...used].every((codec) => readable.has(codec));
}

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
  for (let group = groupOfRow(contents, from), row = from; row < end && group < contents.groupRows.length; group++) {
    const first = contents.groupFirstRows.at(group);
    const stop = Math.min(end - first, contents.groupRows.at(group));
    const chunk = new ChunkReader(new ReadWindow(source, signal), contents, group, index);
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

function groupOfRow({ groupFirstRows }: ParquetContents, row: number): number {
  let low = 0;
  let high = groupFirstRows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (groupFirstRows.at(middle) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Values of a page: a run takes a few bytes however long it is, so that a page's size is no bound. Writers end pages at 20,000 rows. */
const MOST_VALUES = 16 * 1024 * 1024;

/** Pages never begin at 0, which stands for none: the magic is there. */
const HEAD_BYTES = 4;

class ChunkReader {
  private readonly start: number;
  private readonly end: number;

  constructor(
    private readonly window: ReadWindow,
    private readonly contents: ParquetContents,
    group: number,
    private readonly index: number,
  ) {
    const at = group * contents.columns.length + index;
    this.start = contents.chunkOffsets.at(at);
    this.end = this.start + contents.chunkBytes.at(at);
    if (this.start < 4 || this.end > window.source.sizeBytes)
      throw new FormatError('corrupt', 'a column chunk lies outside of the file', { offset: this.start });
  }

  /** Texts of the rows `from` to `to` of the group. */
  async texts(from: number, to: number): Promise<string[]> {
    const texts: string[] = [];
    let dictionary: Page | undefined;
    let row = 0;
    for (let offset = this.start; offset < this.end && row < to;) {
      const page = await readPageHeader(this.window, offset, this.end);
      offset += page.headerBytes + page.bodyBytes;
      if (page.kind === 'dictionary') dictionary = page;
      if (page.kind !== 'data') continue;
      if (row + page.values > from) {
        const all = await this.decode(page, dictionary);
        for (const text of all.slice(Math.max(0, from - row), to - row)) texts.push(text);
      }
      row += page.values;
    }
    return texts;
  }

  /** A file of one column with one page (and its dictionary), as far as hyparquet can tell. */
  private async decode(page: Page, dictionary: Page | undefined): Promise<string[]> {
    const parts: Uint8Array[] = [new Uint8Array(HEAD_BYTES)];
    for (const each of dictionary === undefined ? [page] : [dictionary, page]) {
      const bytes = each.headerBytes + each.bodyBytes;
      if (Math.max(bytes, each.plainBytes) > limits.textPageBytes || each.values > MOST_VALUES)
        throw new FormatError('limit-exceeded', `a page of ${each.plainBytes} bytes`, { offset: each.offset });
      parts.push(await this.window.source.read(each.offset, bytes));
    }
    const bytes = joined(parts);
    const file = {
      byteLength: bytes.byteLength,
      slice: (start: number, end?: number) => Promise.resolve(bytes.buffer.slice(start, end)),
    };
    try {
      const metadata = this.describe(page, dictionary, bytes.byteLength);
      const rows = await parquetReadObjects({ file, metadata, compressors, columns: ['text'], utf8: true });
      return rows.map(({ text }) => (typeof text === 'string' ? text : ''));
    } catch (error) {
      if (FormatError.is(error)) throw error;
      throw new FormatError('corrupt', 'a page of text cannot be decoded', { offset: page.offset, cause: error });
    }
  }

  private describe(page: Page, dictionary: Page | undefined, bytes: number): FileMetaData {
    const isOptional = (this.contents.columns[this.index]?.maxDefinition ?? 0) > 0;
    const [codec = 0] = this.contents.sums[this.index]?.codecs ?? [];
    const dictionaryBytes = dictionary === undefined ? 0 : dictionary.headerBytes + dictionary.bodyBytes;
    const size = BigInt(bytes);
    const meta_data = {
      type: 'BYTE_ARRAY' as const,
      encodings: [],
      path_in_schema: ['text'],
      codec: codecs[codec] ?? 'UNCOMPRESSED',
      num_values: BigInt(page.values),
      total_uncompressed_size: size,
      total_compressed_size: size,
      data_page_offset: BigInt(HEAD_BYTES + dictionaryBytes),
      ...(dictionary === undefined ? {} : { dictionary_page_offset: BigInt(HEAD_BYTES) }),
    };
    return {
      version: 1,
      schema: [
        { name: 'schema', num_children: 1 },
        { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' },
      ],
      num_rows: BigInt(page.values),
      row_groups: [{ columns: [{ file_offset: 0n, meta_data }], total_byte_size: size, num_rows: BigInt(page.values) }],
      metadata_length: 0,
    };
  }
}

/** Those that hyparquet does not bring along. What is declared was compared with the limits before. */
const compressors: Compressors = {
  ZSTD: (input, outputLength) => decompressZstd(input, outputLength),
  GZIP: (input, outputLength) => gunzipSync(input, { out: new Uint8Array(outputLength) }),
};

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
