/**
 * Shards of MosaicML Streaming (streaming/base/format/mds): u32 samples n | u32 offsets[n + 1] | settings as JSON | samples. A sample is
 * u32 sizes of its variable columns, then the values of all columns in their order. The `.meta` of JSON and XSV shards is the same
 * without samples: its offsets are those of the data file. Little-endian.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { ReadAhead } from '../../bytes/readAhead.js';
import type { MdsColumn } from './mdsIndex.js';

export interface MdsHead {
  samples: number;
  /** Where the first sample begins: what comes before is the header. */
  firstOffset: number;
  /** Where each sample begins, and the last ends; null where only the first was asked for. */
  offsets: Uint32Array | null;
}

/**
 * Number and places of the samples.
 * @param dataBytes size of what the offsets point into, uncompressed
 * @param wantsOffsets false reads 8 bytes only
 * @throws FormatError `truncated` or `corrupt`
 */
export async function readMdsHead(
  source: ByteSource,
  dataBytes: number,
  wantsOffsets: boolean,
  signal: AbortSignal | undefined,
): Promise<MdsHead> {
  const start = viewOf(await source.read(0, Math.min(8, source.sizeBytes), signal));
  if (start.byteLength < 8) throw new FormatError('truncated', 'the shard ends in its header', { offset: start.byteLength });
  const samples = start.getUint32(0, true);
  const tableBytes = 4 * (samples + 2);
  if (tableBytes > source.sizeBytes)
    throw new FormatError('truncated', `offsets of ${samples} samples do not fit`, { offset: source.sizeBytes });
  const firstOffset = start.getUint32(4, true);
  if (firstOffset > dataBytes)
    throw new FormatError(firstOffset < 2 ** 28 ? 'truncated' : 'corrupt', 'the first sample begins behind the end', {
      offset: 4,
    });
  if (!wantsOffsets) return { samples, firstOffset, offsets: null };
  return { samples, firstOffset, offsets: offsetsIn(await source.read(0, tableBytes, signal), samples, dataBytes) };
}

/** The table of offsets, checked: ascending, and not beyond the data. */
function offsetsIn(table: Uint8Array, samples: number, dataBytes: number): Uint32Array {
  const view = viewOf(table);
  const offsets = new Uint32Array(samples + 1);
  let last = 0;
  for (let index = 0; index <= samples; index++) {
    const offset = view.getUint32(4 + 4 * index, true);
    if (offset < last)
      throw new FormatError('corrupt', `sample ${index} begins before the one before it`, { offset: 4 + 4 * index });
    offsets[index] = last = offset;
  }
  if (last > dataBytes)
    throw new FormatError('truncated', `the offsets declare samples up to byte ${last}; the shard has ${dataBytes} bytes`, {
      offset: Math.min(dataBytes, last),
    });
  return offsets;
}

/**
 * Hands over the sizes of the variable columns of samples `from` to `to` (exclusive). The array is used again for each.
 * @throws FormatError `truncated` or `corrupt` where the sizes do not fill the sample
 */
export async function readMdsSizes(
  source: ByteSource,
  offsets: Uint32Array,
  columns: readonly MdsColumn[],
  range: { from: number; to: number },
  use: (sizes: Uint32Array) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const variable = columns.filter(({ fixedBytes }) => fixedBytes === null).length;
  const fixedBytes = columns.reduce((sum, column) => sum + (column.fixedBytes ?? 0), 0);
  const sizes = new Uint32Array(variable);
  const ahead = new ReadAhead(source, signal, 512);
  for (let index = range.from; index < range.to; index++) {
    if (index % 4096 === 0) throwIfCancelled(signal);
    const offset = offsets[index] as number;
    const bytes = await ahead.read(offset, 4 * variable);
    if (bytes === undefined) throw new FormatError('truncated', `sample ${index} is cut`, { offset });
    const view = viewOf(bytes);
    let total = 4 * variable + fixedBytes;
    for (let column = 0; column < variable; column++) total += sizes[column] = view.getUint32(4 * column, true);
    if (total !== (offsets[index + 1] as number) - offset)
      throw new FormatError('corrupt', `the columns of sample ${index} do not fill it`, { offset });
    use(sizes);
  }
}

/** Where the value of one column lies in a sample, by the sizes before it; undefined where the sample is too short. */
export function valueIn(sample: Uint8Array, columns: readonly MdsColumn[], name: string): Uint8Array | undefined {
  const view = viewOf(sample);
  let sizeAt = 0;
  let at = 4 * columns.filter(({ fixedBytes }) => fixedBytes === null).length;
  for (const column of columns) {
    if (column.fixedBytes === null && sizeAt + 4 > sample.byteLength) return undefined;
    const size = column.fixedBytes ?? view.getUint32(sizeAt, true);
    if (column.fixedBytes === null) sizeAt += 4;
    if (column.name === name) return at > sample.byteLength ? undefined : sample.subarray(at, at + size);
    at += size;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
