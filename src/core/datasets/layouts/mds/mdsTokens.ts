/** How many tokens a column of MosaicML Streaming holds, by its encoding and the sizes of its values. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { limits } from '../../../bytes/limits.js';
import { beginningOfArray, elementsBetween, elementsOfArray, mdsArray, type MdsArray } from '../../../formats/mds/mdsEncoding.js';
import { valueIn, type MdsHead } from '../../../formats/mds/mdsShard.js';
import { bytesOfElements } from '../../../tensors/dtype.js';
import { guessTokenDtype } from '../../guessTokenDtype.js';
import type { LengthCounter } from '../../lengthHistogram.js';
import type { ColumnSizes, MdsRoleColumn } from './mdsColumns.js';

export interface TokenRange {
  low: number;
  high: number;
  isExact: boolean;
  dtype: string;
}

/** What is known of the way in which one column stores tokens. */
export class TokenEncoding {
  readonly array: MdsArray | undefined;
  dtype: string;
  dimensions: number;
  method: string;
  /** True once the first sample was looked at, or where the encoding says everything. */
  isSettled: boolean;
  /** True where the dtype is stated or was seen, not only assumed. */
  isSure: boolean;
  /** True where the width is from what the values look like: a count by it is never exact. */
  isByValues = false;

  constructor(private readonly column: MdsRoleColumn) {
    this.array = mdsArray(column.encoding);
    const stated = this.array?.dtype ?? null;
    this.isSure = stated !== null;
    this.isSettled = this.isSure && this.array?.shape !== null;
    // llm-foundry writes tokens as bytes of int64 (scripts/data_prep/convert_dataset_hf.py) before it had arrays.
    this.dtype = stated ?? 'i64';
    this.dimensions = this.array?.shape?.length ?? 1;
    this.method = this.isSettled
      ? `samples of the index times the ${column.fixedBytes ?? 0} bytes of column ${column.name}, as ${column.encoding}`
      : `bytes of column ${column.name} as ${this.dtype}, as llm-foundry writes it: no file states it, and none could be looked into`;
  }

  /**
   * Looks at the first sample, at most 64 KiB of it.
   * @param content the shard, or the beginning of it decompressed
   */
  async settle(
    content: ByteSource,
    head: MdsHead,
    columns: readonly MdsRoleColumn[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const length = Math.min(
      limits.metadataPayloadBytes,
      content.sizeBytes - head.firstOffset,
      endOfFirst(head) - head.firstOffset,
    );
    if (length <= 0) return;
    const value = valueIn(await content.read(head.firstOffset, length, signal), columns, this.column.name);
    if (value === undefined || value.byteLength === 0) return;
    this.isSettled = true;
    if (this.array !== undefined) {
      const beginning = beginningOfArray(this.array, value);
      if (beginning === undefined) return;
      this.isSure = true;
      this.dtype = beginning.dtype;
      this.dimensions = beginning.dimensions;
      this.method = `bytes of column ${this.column.name}, less the shape of each value, over the width of ${this.dtype}`;
      return;
    }
    const guess = guessTokenDtype(value);
    this.isSure = guess.isSure;
    this.dtype = guess.dtype;
    // int64 is what llm-foundry writes: a sample that agrees confirms it.
    this.isByValues = guess.dtype !== 'i64';
    this.method = `bytes of column ${this.column.name} over the width of ${guess.dtype}; no file states the width, but in the first sample ${guess.reason}`;
  }

  /** Elements of a value of this many bytes; undefined where it cannot be one. */
  elementsOf(sizeBytes: number): number | undefined {
    if (this.array !== undefined) return elementsOfArray(this.array, this.dtype, this.dimensions, sizeBytes);
    return sizeBytes / (bytesOfElements(this.dtype, 1) ?? 1);
  }
}

/** A first sample of any length: offsets may not have been read. */
function endOfFirst({ offsets }: MdsHead): number {
  return offsets?.[1] ?? Infinity;
}

/**
 * Tokens of a shard; null where nothing tells, not even roughly.
 * @param at which column it is
 */
export function tokensOfShard(
  encoding: TokenEncoding,
  column: MdsRoleColumn,
  at: number,
  sizes: ColumnSizes,
  samples: number,
  lengths: LengthCounter,
): TokenRange | null {
  const { dtype } = encoding;
  if (column.fixedBytes !== null) {
    const each = encoding.elementsOf(column.fixedBytes) ?? 0;
    return Number.isInteger(each) ? exactly(each * samples, dtype) : null;
  }
  const bytes = sizes.bytes[at] ?? null;
  if (!encoding.isSure) return bytes === null ? null : rangeOf(encoding, bytes, samples);
  const total = sizes.tokenSizes === null ? undefined : addLengths(encoding, sizes.tokenSizes, lengths);
  if (total !== undefined) return exactly(total, dtype);
  if (sizes.sampledTokenSizes !== null) return rangeOfSampled(encoding, sizes.sampledTokenSizes, samples);
  return bytes === null ? null : rangeOf(encoding, bytes, samples);
}

/** From the shortest to the longest value that was seen, in each sample. */
function rangeOfSampled(encoding: TokenEncoding, sizes: Float64Array, samples: number): TokenRange | null {
  let low = Infinity;
  let high = 0;
  for (const size of sizes) {
    const elements = encoding.elementsOf(size) ?? 0;
    low = Math.min(low, Math.floor(elements));
    high = Math.max(high, Math.ceil(elements));
  }
  return sizes.length === 0 ? null : { low: low * samples, high: high * samples, isExact: false, dtype: encoding.dtype };
}

function rangeOf(encoding: TokenEncoding, bytes: number, samples: number): TokenRange {
  const { array, dtype, dimensions } = encoding;
  if (array !== undefined) {
    const [low, high] = elementsBetween(array, dtype, dimensions, bytes, samples);
    return { low, high, isExact: low === high && encoding.isSure, dtype };
  }
  const count = bytes / (bytesOfElements(dtype, 1) ?? 1);
  if (encoding.isSure && Number.isInteger(count)) return exactly(count, dtype);
  return {
    low: Math.floor(bytes / 8),
    high: Math.floor(bytes / Math.min(2, bytesOfElements(dtype, 1) ?? 2)),
    isExact: false,
    dtype,
  };
}

function addLengths(encoding: TokenEncoding, sizes: Float64Array, lengths: LengthCounter): number | undefined {
  let total = 0;
  for (const size of sizes) {
    const elements = encoding.elementsOf(size);
    if (elements === undefined || !Number.isInteger(elements)) return undefined;
    total += elements;
  }
  for (const size of sizes) lengths.add(encoding.elementsOf(size) ?? 0);
  return total;
}

function exactly(count: number, dtype: string): TokenRange {
  return { low: count, high: count, isExact: true, dtype };
}
