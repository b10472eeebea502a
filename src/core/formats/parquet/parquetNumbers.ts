/** Numbers of a flat column of a Parquet file: plain, or indices into a dictionary. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { ChunkReader, type DataPage } from './chunkReader.js';
import { decodeHybrid } from './hybrid.js';
import type { ParquetContents } from './parquetFooter.js';

/**
 * Hands all numbers of a column over, in the order of the rows; NaN for a null. Integers above 2^53 are rounded.
 * @throws FormatError `corrupt`, `truncated`, `unsupported` for what is no flat column of numbers, `limit-exceeded`
 */
export async function readNumbers(
  source: ByteSource,
  contents: ParquetContents,
  index: number,
  use: (value: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const column = contents.columns[index];
  const read = column === undefined ? undefined : readers[column.physical];
  if (column === undefined || read === undefined || column.listDepth > 0 || column.maxDefinition > 1)
    throw new FormatError('unsupported', `${column?.name ?? 'a column'} is no column of numbers`);
  for (let group = 0; group < contents.groupRows.length; group += 1) {
    const chunk = new ChunkReader(new ReadWindow(source, signal), contents, group, index, signal);
    const decode = (bytes: Uint8Array, count: number) => plainNumbers(bytes, count, read);
    await chunk.pages(0, contents.groupRows.at(group), decode, (page) => numbersOfPage(page, read, use));
  }
}

interface NumberReader {
  bytes: number;
  at: (view: DataView, offset: number) => number;
}

const readers: Record<string, NumberReader | undefined> = {
  int32: { bytes: 4, at: (view, offset) => view.getInt32(offset, true) },
  int64: { bytes: 8, at: (view, offset) => Number(view.getBigInt64(offset, true)) },
  float: { bytes: 4, at: (view, offset) => view.getFloat32(offset, true) },
  double: { bytes: 8, at: (view, offset) => view.getFloat64(offset, true) },
};

function numbersOfPage(
  { slots, levels, values, dictionary }: DataPage<Float64Array>,
  read: NumberReader,
  use: (value: number) => void,
): void {
  const isThere = levels === undefined ? undefined : decodeHybrid(levels, 1, slots);
  const present = isThere === undefined ? slots : isThere.reduce((sum, level) => sum + level, 0);
  const all = dictionary === undefined ? plainNumbers(values, present, read) : indexedNumbers(values, present, dictionary);
  let next = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    const hasValue = isThere === undefined || isThere[slot] === 1;
    use(hasValue ? (all[next] as number) : NaN);
    if (hasValue) next += 1;
  }
}

function plainNumbers(bytes: Uint8Array, count: number, read: NumberReader): Float64Array {
  if (count * read.bytes > bytes.byteLength) throw new FormatError('corrupt', `${count} numbers in ${bytes.byteLength} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: count }, (_value, index) => read.at(view, index * read.bytes));
}

function indexedNumbers(values: Uint8Array, count: number, dictionary: Float64Array): Float64Array {
  const width = values[0] ?? 0;
  if (width > 32) throw new FormatError('corrupt', `indices of ${width} bits`);
  return Float64Array.from(decodeHybrid(values.subarray(1), width, count), (index) => {
    if (index >= dictionary.length) throw new FormatError('corrupt', `number ${index} of ${dictionary.length} in a dictionary`);
    return dictionary[index] as number;
  });
}
