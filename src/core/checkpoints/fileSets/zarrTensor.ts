import { FormatError } from '../../bytes/formatError.js';
import type { FileSink, FoundPiece } from '../../formats/sink/fileSink.js';
import { parseZarr, type ZarrArray } from '../../formats/zarr.js';
import type { TensorPacking } from '../../tensors/tensorPacking.js';
import type { TensorExtra } from '../../tensors/tensorTable.js';

/** Where a chunk, or several side by side, lies. */
export interface ChunkPiece extends FoundPiece {
  file: number;
  logicalBytes: number;
  /** Along each axis, where that is known. */
  index?: readonly number[];
}

/** What is stored of a zarr array. */
export interface StoredChunks {
  /** With no uncompressed bytes: those of the whole array are counted with the first one. */
  pieces: ChunkPiece[];
  /** How many chunks, and their bytes as stored. */
  count: number;
  bytes: number;
  /**
   * True for an array of zarr-python 3, which leaves out chunks of nothing but zeros also where `fill_value` is null (`write_empty_chunks` false by
   * default, `fill_value_or_default` in zarr/core/array.py).
   */
  isOfZarrPython3?: boolean;
  /** True where some lie within something else, which may be compressed. */
  hasInline?: boolean;
  /** Where each chunk is a file of its own: takes what is found of the one in that file. */
  sinkOfFile?: (file: number) => FileSink;
}

/**
 * Lists a zarr array as one tensor with its global shape, and says what does not fit. False for a group, which is no array.
 * `keyPath` is its name as one part or several.
 */
export function addZarrTensor(sink: FileSink, keyPath: readonly string[], metadata: Uint8Array, chunks: StoredChunks): boolean {
  const array = parseZarr(metadata);
  if (array === undefined) return false;
  const bytes = array.bytes ?? chunks.bytes;
  sink.tensor({
    keyPath,
    dtype: array.dtype,
    shape: array.shape,
    bytes,
    pieces: countedWhole(chunks.pieces, bytes),
    ...layoutOf(array, chunks),
  });
  const tensor = keyPath.join('.');
  if (array.bytes === undefined) sink.finding({ code: 'dtype-unknown', facts: { dtype: array.dtype } });
  if (array.isPickled) sink.finding({ code: 'values-pickled', facts: { names: tensor, scanned: 0, samples: 0 } });
  if (!array.isEncoded && array.chunkBytes !== undefined) noteSizes(sink, tensor, array.chunkBytes, chunks);
  if (array.chunks !== undefined && array.bytes !== 0 && chunks.count < array.chunks) {
    const code = array.hasFillValue || chunks.isOfZarrPython3 === true ? 'chunks-not-stored' : 'chunks-missing';
    sink.finding({ code, facts: { tensor, missing: array.chunks - chunks.count, chunks: array.chunks } });
  }
  return true;
}

/** What of its bytes is not usual. The order of axes within a chunk is a codec, too. */
function layoutOf(array: ZarrArray, { pieces, count, hasInline = false }: StoredChunks): { extra?: TensorExtra } {
  const { isEncoded, isTransposed, isBigEndian, shape, codecs, bytes, chunkBytes } = array;
  const isCoded = isEncoded || hasInline || (isTransposed && shape.length > 1);
  // Chunks that reach beyond the array, and missing ones, have no equal shares of it.
  const areWhole = bytes !== undefined && chunkBytes !== undefined && chunkBytes * count === bytes;
  // Neighbours may be one piece.
  const areShares = areWhole && (codecs?.length === 0 || pieces.length === count || pieces.length === 1);
  const chunks = areWhole ? undefined : cutChunks(array, pieces);
  const isKnown = areShares || chunks !== undefined;
  const isRead = codecs !== undefined && isKnown && !hasInline && !(isTransposed && shape.length > 1);
  const extra: TensorExtra = {
    ...(isCoded && { isEncoded: true as const }),
    ...(isRead && { packing: { codecs, ...(chunks && { chunks }) } }),
    ...(isBigEndian && { isBigEndian: true as const }),
  };
  return Object.keys(extra).length === 0 ? {} : { extra };
}

/** The parts of chunks that belong to an array, where all of it is in them. */
function cutChunks({ shape, chunkShape, bytes }: ZarrArray, pieces: readonly ChunkPiece[]): TensorPacking['chunks'] | undefined {
  const within = new Uint32Array(pieces.length * shape.length);
  let elements = 0;
  for (const [piece, { index = [] }] of pieces.entries()) {
    if (index.length !== shape.length) return undefined;
    const part = chunkShape.map((size, axis) => Math.max(0, Math.min(size, (shape[axis] ?? 0) - (index[axis] ?? 0) * size)));
    within.set(part, piece * shape.length);
    elements += part.reduce((product, size) => product * size, 1);
  }
  const wanted = shape.reduce((product, size) => product * size, 1);
  return bytes !== undefined && elements === wanted ? { shape: chunkShape, within } : undefined;
}

/** Whether chunks that are stored as they are have the size that their array gives them. */
function noteSizes(sink: FileSink, tensor: string, chunkBytes: number, { pieces, count, bytes, sinkOfFile }: StoredChunks): void {
  const expectedBytes = chunkBytes * count;
  const note = (own: FileSink, bytes: number, expectedBytes: number): void =>
    own.finding({ code: 'tensor-size-mismatch', facts: { tensor, bytes, expectedBytes } });
  if (sinkOfFile === undefined) {
    if (bytes !== expectedBytes) note(sink, bytes, expectedBytes);
    return;
  }
  // An empty file has a finding of its own in place of this one.
  for (const { file, bytes } of pieces) if (bytes !== chunkBytes) note(bytes === 0 ? sink : sinkOfFile(file), bytes, chunkBytes);
}

/** How a whole array's uncompressed bytes spread over compressed chunks is nobody's concern; there may be a million of them. */
function countedWhole(pieces: ChunkPiece[], bytes: number): FoundPiece[] {
  const [first] = pieces;
  if (first === undefined) return [{ offset: 0, bytes: 0, logicalBytes: bytes }];
  first.logicalBytes = bytes;
  return pieces;
}

/** Runs `list` for one array; metadata that cannot be read are a finding, and the others still count. */
export function noteArrayFailure(sink: FileSink, tensor: string, list: () => void): void {
  try {
    list();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    sink.finding({ code: 'array-metadata-corrupt', facts: { tensor, detail: error.detail } });
  }
}
