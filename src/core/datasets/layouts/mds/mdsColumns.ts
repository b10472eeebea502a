/** Columns of a shard of MosaicML Streaming: what each is for, and how many bytes it takes. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { mdsArray, mdsScalar } from '../../../formats/mds/mdsEncoding.js';
import type { MdsColumn, MdsShardEntry } from '../../../formats/mds/mdsIndex.js';
import { readMdsSizes } from '../../../formats/mds/mdsShard.js';
import { bytesOfElements, isFloatDtype } from '../../../tensors/dtype.js';
import { roleOfColumn, settleRoles, type ColumnShape } from '../../columnRole.js';
import type { ColumnRole } from '../../datasetReport.js';

export interface MdsRoleColumn extends MdsColumn {
  role: ColumnRole;
  shape: ColumnShape;
  dtype: string | null;
  /** Elements in `bytes` of this column over `samples`; null where only the data would tell. */
  valuesOf(bytes: number | null, samples: number): number | null;
}

/** The columns of a shard with their roles. */
export function columnsOfShard(entry: MdsShardEntry): MdsRoleColumn[] {
  const columns = entry.columns.map(toRoleColumn);
  settleRoles(columns);
  return columns;
}

function toRoleColumn(column: MdsColumn): MdsRoleColumn {
  const { name, encoding } = column;
  const array = mdsArray(encoding);
  const dtype = array?.dtype ?? mdsScalar(encoding) ?? null;
  const shape = shapeOf(encoding, array !== undefined, dtype);
  const elements = array?.shape?.reduce((product, size) => product * size, 1);
  return {
    ...column,
    shape,
    role: roleOfColumn(name, shape),
    dtype,
    valuesOf(bytes, samples) {
      if (elements !== undefined) return elements * samples;
      if (array === undefined) return shape === 'bytes' ? null : samples;
      // Without the few bytes of each shape: a number that is only shown.
      return bytes === null || dtype === null ? null : Math.floor(bytes / (bytesOfElements(dtype, 1) ?? 1));
    },
  };
}

function shapeOf(encoding: string, isArray: boolean, dtype: string | null): ColumnShape {
  if (isArray) return dtype !== null && isFloatDtype(dtype) ? 'other' : 'integers';
  if (encoding === 'str') return 'text';
  return encoding === 'bytes' ? 'bytes' : 'other';
}

/** Bytes of each column in one shard. */
export interface ColumnSizes {
  /** In the order of the columns; null where they could not be told apart without the data. */
  bytes: (number | null)[];
  /** Bytes of each sample's value of the token column; null where they were not read. */
  tokenSizes: Float64Array | null;
  /** The same of samples here and there, where several columns are variable and there are too many to look at all. */
  sampledTokenSizes: Float64Array | null;
}

interface SizesToSum {
  /** The shard, or the beginning of it decompressed. */
  content: ByteSource | undefined;
  /** True where the sizes in all samples may be read. */
  isSmall: boolean;
  columns: readonly MdsRoleColumn[];
  samples: number;
  /** Bytes of all samples. */
  payloadBytes: number;
  offsets: Uint32Array | null;
  signal: AbortSignal | undefined;
}

/**
 * Bytes of each column: from the number of samples where widths are fixed, from the offsets where one is variable, and from the sizes
 * that stand in each sample where several are.
 * @throws FormatError where samples do not fill the shard
 */
export async function sumSizes(shard: SizesToSum): Promise<ColumnSizes> {
  const { columns, samples, payloadBytes, offsets } = shard;
  const fixedBytes = columns.reduce((sum, column) => sum + (column.fixedBytes ?? 0), 0);
  const variable = columns.filter((column) => column.fixedBytes === null);
  const bytes = columns.map((column) => (column.fixedBytes === null ? null : column.fixedBytes * samples));
  const overheadBytes = fixedBytes + 4 * variable.length;
  const variableBytes = payloadBytes - samples * overheadBytes;
  if (variableBytes < 0 || (variable.length === 0 && variableBytes !== 0))
    throw new FormatError('corrupt', `${samples} samples do not fill ${payloadBytes} bytes`);
  if (variable.length === 1) {
    const at = columns.indexOf(variable[0] as MdsRoleColumn);
    bytes[at] = variableBytes;
    const tokenSizes = columns[at]?.role === 'tokens' ? differences(offsets, overheadBytes) : null;
    return { bytes, tokenSizes, sampledTokenSizes: null };
  }
  const unknown = { bytes, tokenSizes: null, sampledTokenSizes: null };
  if (variable.length < 2 || offsets === null || shard.content === undefined) return unknown;
  if (shard.isSmall) return await walkSizes(shard.content, shard, variable, offsets, bytes);
  return { ...unknown, sampledTokenSizes: await sampleSizes(shard.content, shard, variable, offsets) };
}

/** Samples that are looked at in a shard of which not all are. */
const SAMPLED = 64;

async function sampleSizes(
  content: ByteSource,
  { columns, signal }: SizesToSum,
  variable: readonly MdsRoleColumn[],
  offsets: Uint32Array,
): Promise<Float64Array> {
  const token = variable.findIndex(({ role }) => role === 'tokens');
  const found: number[] = [];
  const reachable = offsets.findLastIndex((offset) => offset <= content.sizeBytes);
  const step = Math.max(1, Math.floor(reachable / SAMPLED));
  for (let from = 0; from < reachable && token !== -1; from += step)
    await readMdsSizes(content, offsets, columns, { from, to: from + 1 }, (sizes) => found.push(sizes[token] ?? 0), signal);
  return Float64Array.from(found);
}

function differences(offsets: Uint32Array | null, overheadBytes: number): Float64Array | null {
  if (offsets === null) return null;
  const sizes = new Float64Array(offsets.length - 1);
  for (let index = 0; index < sizes.length; index++) {
    const size = (offsets[index + 1] as number) - (offsets[index] as number) - overheadBytes;
    if (size < 0) throw new FormatError('corrupt', `sample ${index} is shorter than its columns`, { offset: 4 + 4 * index });
    sizes[index] = size;
  }
  return sizes;
}

async function walkSizes(
  source: ByteSource,
  { columns, signal }: SizesToSum,
  variable: readonly MdsRoleColumn[],
  offsets: Uint32Array,
  bytes: (number | null)[],
): Promise<ColumnSizes> {
  const token = variable.findIndex(({ role }) => role === 'tokens');
  const tokenSizes = new Float64Array(offsets.length - 1);
  const sums = variable.map(() => 0);
  let sample = 0;
  await readMdsSizes(
    source,
    offsets,
    columns,
    { from: 0, to: offsets.length - 1 },
    (sizes) => {
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + (sizes[at] as number);
      tokenSizes[sample++] = sizes[token] ?? 0;
    },
    signal,
  );
  variable.forEach((column, at) => (bytes[columns.indexOf(column)] = sums[at] as number));
  return { bytes, tokenSizes: token === -1 ? null : tokenSizes, sampledTokenSizes: null };
}
