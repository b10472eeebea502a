/** Filters that the chunks of a dataset pass when they are written (HDF5 File Format Specification, IV.A.2.l; H5Zpublic.h for the numbers). */
import type { ChunkCodec } from '../../bytes/chunkCodec.js';
import { decompressBeginning } from '../../bytes/decompressBeginning.js';
import { decompressLzf } from '../../bytes/lzf.js';
import { memorySource } from '../../bytes/memorySource.js';
import { unshuffle } from '../../bytes/shuffle.js';
import type { Unpacking } from '../../bytes/unpackBudget.js';
import type { Fields } from './hdf5Bytes.js';

const DEFLATE = 1;
const SHUFFLE = 2;
const FLETCHER32 = 3;
const LZF = 32_000;
const BLOSC = 32_001;
const ZSTANDARD = 32_015;
const undone: ReadonlySet<number> = new Set([DEFLATE, SHUFFLE, FLETCHER32, LZF]);
/** Below it filters are the library's own, and have no name. */
const OWN_FILTERS = 256;
const CHECKSUM_BYTES = 4;

/** Names of filters that are not undone here (the register of the HDF Group). */
const filterNames: Readonly<Record<number, string>> = {
  4: 'szip',
  5: 'nbit',
  6: 'scale-offset',
  307: 'bzip2',
  [BLOSC]: 'Blosc',
  32_004: 'LZ4',
  32_008: 'bitshuffle',
  [ZSTANDARD]: 'Zstandard',
  32_026: 'Blosc2',
};

/**
 * The numbers of the filters in the order in which they were applied.
 * @throws FormatError `corrupt`
 */
export function readFilters(fields: Fields): number[] {
  const version = fields.u8();
  const count = fields.u8();
  if (version === 1) fields.skip(6);
  const filters: number[] = [];
  for (let index = 0; index < count; index++) {
    const filter = fields.u16();
    const nameBytes = version === 1 || filter >= OWN_FILTERS ? fields.u16() : 0;
    fields.skip(2);
    const values = fields.u16();
    fields.skip(version === 1 ? Math.ceil(nameBytes / 8) * 8 : nameBytes);
    fields.skip(4 * (version === 1 ? values + (values % 2) : values));
    filters.push(filter);
  }
  return filters;
}

/** Whether the last filter that a chunk passed puts a Fletcher-32 at its end. @param leftOut filters that it did not pass, a bit each */
export function endsInFletcher32(filters: readonly number[], leftOut: number): boolean {
  return filters.findLast((_, index) => (leftOut & (1 << index)) === 0) === FLETCHER32;
}

/** What undoes the filters of a chunk, the last one first; undefined where one of them is not known. */
export function codecsOf(filters: readonly number[], elementBytes: number): ChunkCodec[] | undefined {
  const codecs = filters.map((filter) => codecOf(filter, elementBytes)).reverse();
  return codecs.includes(undefined) ? undefined : (codecs as ChunkCodec[]);
}

function codecOf(filter: number, elementBytes: number): ChunkCodec | undefined {
  switch (filter) {
    case DEFLATE:
      return 'zlib';
    case SHUFFLE:
      return { shuffledBytes: elementBytes };
    case FLETCHER32:
      return 'fletcher32';
    case LZF:
      return 'lzf';
    case BLOSC:
      return 'blosc';
    case ZSTANDARD:
      return 'zstd';
    default:
      return undefined;
  }
}

/** The first filter that is not undone here, as a clause; undefined without any. */
export function unreadFilter(filters: readonly number[]): string | undefined {
  const found = filters.find((filter) => !undone.has(filter));
  return found === undefined ? undefined : `compressed with ${filterNames[found] ?? `filter ${found}`}`;
}

/**
 * A chunk as it was before the filters, up to `maxBytes`; with `isCut` of its first bytes alone.
 * @param filters those that it passed
 * @throws FormatError `corrupt`, `truncated`, `cancelled`
 */
export async function unfilter(
  chunk: Uint8Array,
  filters: readonly number[],
  elementBytes: number,
  maxBytes: number,
  unpacking: Unpacking & { isCut?: boolean },
): Promise<Uint8Array> {
  let bytes = chunk;
  for (const filter of [...filters].reverse()) {
    if (filter === FLETCHER32) bytes = bytes.subarray(0, Math.max(0, bytes.byteLength - CHECKSUM_BYTES));
    else if (filter === SHUFFLE) bytes = unshuffle(bytes, elementBytes);
    else if (filter === LZF) bytes = unpackLzf(bytes, maxBytes, unpacking);
    else bytes = (await decompressBeginning(memorySource('chunk', bytes), 'zlib', maxBytes, unpacking)).bytes;
  }
  return bytes;
}

/** What it unpacks to counts as what is decompressed elsewhere. */
function unpackLzf(bytes: Uint8Array, maxBytes: number, { unpackBudget, isCut }: Unpacking & { isCut?: boolean }): Uint8Array {
  const unpacked = decompressLzf(bytes, Math.min(maxBytes, unpackBudget.roomBytes));
  if (isCut !== true) unpackBudget.charge(unpacked.byteLength);
  return unpacked;
}
