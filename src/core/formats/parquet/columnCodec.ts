/** Codecs and encodings of column chunks: how they are called, and in which of them texts are read. */
import type { ParquetContents } from './parquetFooter.js';

/** `enum CompressionCodec`. */
const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
const readable = new Set([0, 1, 2, 5, 6, 7]);
/** `enum Encoding`: PLAIN, PLAIN_DICTIONARY, RLE (of levels), BIT_PACKED (of levels, long ago), RLE_DICTIONARY. */
export const plainOrIndexed = new Set([0, 2, 3, 4, 8]);
export const PLAIN = 0;
export const codec = { snappy: 1, gzip: 2, lz4: 5, zstd: 6, lz4Raw: 7 } as const;

/** In the words of pyarrow. */
export function codecName(id: number): string {
  return id === 0 ? 'none' : (codecs[id]?.toLowerCase() ?? `codec ${id}`);
}

/** True for a column of which this reader gets texts: strings, one a row, in a codec that is at hand. */
export function hasPageTexts({ columns, sums }: ParquetContents, index: number): boolean {
  const column = columns[index];
  if (column?.content !== 'text' || column.listDepth > 0 || column.maxDefinition > 1) return false;
  const { codecs: used, encodings } = sums[index] ?? { codecs: new Set<number>(), encodings: new Set<number>() };
  return used.size === 1 && [...used].every((id) => readable.has(id)) && [...encodings].every((each) => plainOrIndexed.has(each));
}
