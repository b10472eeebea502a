/** Where the data of a dataset lie: layout messages, and the indexes of chunks (HDF5 File Format Specification, IV.A.2.i and VII). */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FoundPiece } from '../sink/fileSink.js';
import { eachTreeLeaf } from './groups.js';
import type { Fields, Hdf5Bytes } from './hdf5Bytes.js';

export interface Dataset {
  shape: readonly number[];
  elementBytes: number;
  /** All of its elements. */
  bytes: number;
}

/** A stretch of data; a chunk states which filters it left out, by their places in the pipeline. */
export interface StoredPiece extends FoundPiece {
  leftOutFilters?: number;
  /** Of a chunk: its elements along each axis that belong to the dataset. */
  within?: number[];
}

/** Where the data of a dataset are, and the shape of its chunks, where it has some that are listed one by one. */
export interface StoredData {
  pieces: StoredPiece[];
  chunkShape: readonly number[] | null;
}

const COMPACT = 0;
const CONTIGUOUS = 1;
const CHUNKED = 2;
const CHUNK_TREE = 1;

/**
 * Extents of the dataset's data. Empty where nothing was written yet: HDF5 allocates late.
 * @throws FormatError `unsupported` for virtual datasets and indexes of chunks that are not read
 */
export async function readDataLayout(file: Hdf5Bytes, fields: Fields, dataset: Dataset): Promise<StoredData> {
  const version = fields.u8();
  if (version === 1 || version === 2) return readOldLayout(file, fields, dataset);
  // Version 5 differs from 4 in the width of sizes in indexes, which these state themselves.
  if (version < 3 || version > 5) throw new FormatError('unsupported', `data layout version ${version}`);
  const kind = fields.u8();
  if (kind === COMPACT) return inOrder(compact(fields, fields.u16()));
  if (kind === CONTIGUOUS) {
    const address = fields.address();
    return inOrder(address === undefined ? [] : [{ offset: file.offsetOf(address), bytes: fields.length() }]);
  }
  if (kind !== CHUNKED) throw new FormatError('unsupported', 'a virtual dataset');
  return version === 3 ? readTreeLayout(file, fields, dataset) : readIndexLayout(file, fields, dataset);
}

function inOrder(pieces: StoredPiece[]): StoredData {
  return { pieces, chunkShape: null };
}

function compact(fields: Fields, bytes: number): FoundPiece[] {
  const offset = fields.fileOffset + fields.at;
  fields.skip(bytes);
  return [{ offset, bytes }];
}

async function readOldLayout(file: Hdf5Bytes, fields: Fields, dataset: Dataset): Promise<StoredData> {
  const rank = fields.u8();
  const kind = fields.u8();
  fields.skip(5);
  const address = kind === COMPACT ? undefined : fields.address();
  const sizes: number[] = [];
  for (let index = 0; index < rank; index++) sizes.push(fields.u32());
  if (kind === COMPACT) return inOrder(compact(fields, fields.u32()));
  if (address === undefined) return inOrder([]);
  if (kind === CONTIGUOUS) return inOrder([{ offset: file.offsetOf(address), bytes: dataset.bytes }]);
  return readChunkTree(file, address, sizes, dataset);
}

async function readTreeLayout(file: Hdf5Bytes, fields: Fields, dataset: Dataset): Promise<StoredData> {
  const rank = fields.u8();
  const address = fields.address();
  const sizes: number[] = [];
  for (let index = 0; index < rank; index++) sizes.push(fields.u32());
  return address === undefined ? inOrder([]) : readChunkTree(file, address, sizes, dataset);
}

/** Keys of the tree: stored bytes u32, filters left out u32, the chunk's first element (u64 a dimension, and one for the element). */
async function readChunkTree(file: Hdf5Bytes, address: number, sizes: readonly number[], dataset: Dataset): Promise<StoredData> {
  const pieces: StoredPiece[] = [];
  const chunk = sizes.slice(0, -1);
  for await (const { address: at, key } of eachTreeLeaf(file, address, CHUNK_TREE, 8 + 8 * sizes.length)) {
    const bytes = key.u32();
    const leftOutFilters = key.u32();
    const first = chunk.map(() => key.uint(8));
    pieces.push({ offset: file.offsetOf(at), bytes, ...partOf(first, chunk, dataset), leftOutFilters });
  }
  return { pieces, chunkShape: chunk };
}

/** The part of a chunk that belongs to the dataset: chunks at its edges reach beyond it. */
function partOf(
  first: readonly number[],
  chunk: readonly number[],
  { shape, elementBytes }: Dataset,
): { within: number[]; logicalBytes: number } {
  const within = chunk.map((size, axis) => Math.max(0, Math.min(size, (shape[axis] ?? 0) - (first[axis] ?? 0))));
  return { within, logicalBytes: within.reduce((product, size) => product * size, elementBytes) };
}

const CHECKSUM_BYTES = 4;
const SINGLE_CHUNK = 1;
const IMPLICIT = 2;
const FIXED_ARRAY = 3;
const indexNames: Readonly<Record<number, string>> = { 4: 'an extensible array', 5: 'a version 2 B-tree' };

/** Versions 4 and 5 of the layout, as HDF5 1.10 and later write it when asked for the latest format. */
async function readIndexLayout(file: Hdf5Bytes, fields: Fields, dataset: Dataset): Promise<StoredData> {
  const flags = fields.u8();
  const rank = fields.u8();
  const width = fields.u8();
  const sizes: number[] = [];
  for (let index = 0; index < rank; index++) sizes.push(fields.uint(width));
  const chunk = sizes.slice(0, -1);
  const chunkBytes = sizes.reduce((product, size) => product * size, 1);
  const kind = fields.u8();
  if (kind === SINGLE_CHUNK) {
    const isFiltered = (flags & 2) !== 0;
    const bytes = isFiltered ? fields.length() : chunkBytes;
    const leftOutFilters = isFiltered ? fields.u32() : 0;
    const address = fields.address();
    if (address === undefined) return inOrder([]);
    const part = partOf([], chunk, dataset);
    return { pieces: [{ offset: file.offsetOf(address), bytes, ...part, leftOutFilters }], chunkShape: chunk };
  }
  if (kind === IMPLICIT) {
    const address = fields.address();
    if (address === undefined) return inOrder([]);
    const bytes = chunkBytes * countChunks(dataset.shape, chunk);
    return inOrder([{ offset: file.offsetOf(address), bytes, logicalBytes: dataset.bytes }]);
  }
  if (kind !== FIXED_ARRAY) throw new FormatError('unsupported', `chunks in ${indexNames[kind] ?? `an index of kind ${kind}`}`);
  fields.skip(1);
  const address = fields.address();
  if (address === undefined) return inOrder([]);
  return { pieces: await readFixedArray(file, address, chunk, chunkBytes, dataset), chunkShape: chunk };
}

function countChunks(shape: readonly number[], chunk: readonly number[]): number {
  return chunk.reduce((count, size, index) => count * Math.ceil((shape[index] ?? 0) / Math.max(1, size)), 1);
}

/** A fixed array (VII.C): a header, and a data block with an address a chunk, in pages where there are many. */
async function readFixedArray(
  file: Hdf5Bytes,
  address: number,
  chunk: readonly number[],
  chunkBytes: number,
  dataset: Dataset,
): Promise<StoredPiece[]> {
  const { offsetBytes, lengthBytes } = file.sizes;
  const header = await file.read(address, 8 + lengthBytes + offsetBytes);
  file.sums?.metadata(header.fileOffset, header.left + CHECKSUM_BYTES);
  header.expect('FAHD');
  header.skip(1);
  const isFiltered = header.u8() === 1;
  const entryBytes = header.u8();
  const pageBits = header.u8();
  const count = header.length();
  const block = header.address();
  if (block === undefined) return [];
  const isPossible = count <= limits.hdf5Objects && entryBytes >= offsetBytes + (isFiltered ? 4 : 0) && pageBits < 32;
  if (!isPossible) throw new FormatError('corrupt', 'a damaged array of chunks', { offset: file.offsetOf(address) });
  const pageEntries = 2 ** pageBits;
  const pages = count > pageEntries ? Math.ceil(count / pageEntries) : 0;
  const prefixBytes = 6 + offsetBytes + (pages === 0 ? 0 : Math.ceil(pages / 8) + CHECKSUM_BYTES);
  if (pages > 0) file.sums?.metadata(file.offsetOf(block), prefixBytes);
  const pieces: StoredPiece[] = [];
  for (let page = 0; page < Math.max(1, pages); page++) {
    const from = page * pageEntries;
    const entries = pages === 0 ? count : Math.min(pageEntries, count - from);
    const pageAt = block + prefixBytes + page * (pageEntries * entryBytes + CHECKSUM_BYTES);
    const fields = await file.read(pages === 0 ? block + prefixBytes : pageAt, entries * entryBytes);
    const summedBytes = (pages === 0 ? prefixBytes : 0) + entries * entryBytes + CHECKSUM_BYTES;
    file.sums?.metadata(file.offsetOf(pages === 0 ? block : pageAt), summedBytes);
    for (let index = 0; index < entries; index++) {
      const at = fields.address();
      const bytes = isFiltered ? fields.uint(entryBytes - offsetBytes - 4) : chunkBytes;
      const leftOutFilters = isFiltered ? fields.u32() : 0;
      if (at === undefined) continue;
      const part = partOf(firstOf(from + index, chunk, dataset.shape), chunk, dataset);
      pieces.push({ offset: file.offsetOf(at), bytes, ...part, leftOutFilters });
    }
  }
  return pieces;
}

/** First element of a chunk by its number; chunks are numbered with the last dimension fastest. */
function firstOf(number: number, chunk: readonly number[], shape: readonly number[]): number[] {
  const first: number[] = [];
  let rest = number;
  for (let index = chunk.length - 1; index >= 0; index--) {
    const size = Math.max(1, chunk[index] ?? 1);
    const count = Math.max(1, Math.ceil((shape[index] ?? 0) / size));
    first[index] = (rest % count) * size;
    rest = Math.floor(rest / count);
  }
  return first;
}
