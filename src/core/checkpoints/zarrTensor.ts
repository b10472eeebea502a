import { FormatError } from '../bytes/formatError.js';
import type { FileSink, FoundPiece } from '../formats/fileSink.js';
import { parseZarr } from '../formats/zarr.js';

/** What is stored of a zarr array. */
export interface StoredChunks {
  pieces: FoundPiece[];
  /** How many chunks, and their bytes as stored. */
  count: number;
  bytes: number;
}

/**
 * Lists a zarr array as one tensor with its global shape, and says what does not fit. False for a group, which is no array.
 * `keyPath` is its name as one part or several.
 */
export function addZarrTensor(sink: FileSink, keyPath: readonly string[], metadata: Uint8Array, chunks: StoredChunks): boolean {
  const array = parseZarr(metadata);
  if (array === undefined) return false;
  const bytes = array.bytes ?? chunks.bytes;
  sink.tensor({ keyPath, dtype: array.dtype, shape: array.shape, bytes, pieces: withLogicalBytes(chunks.pieces, bytes) });
  const tensor = keyPath.join('.');
  if (array.bytes === undefined) sink.finding({ code: 'dtype-unknown', facts: { dtype: array.dtype, tensor, tensors: 1 } });
  const isWhole = !array.isEncoded && array.chunkBytes !== undefined;
  const expectedBytes = isWhole ? (array.chunkBytes as number) * chunks.count : chunks.bytes;
  if (chunks.bytes !== expectedBytes)
    sink.finding({ code: 'tensor-size-mismatch', facts: { tensor, bytes: chunks.bytes, expectedBytes } });
  if (array.chunks !== undefined && array.bytes !== 0 && chunks.count < array.chunks)
    sink.finding({ code: 'chunks-not-stored', facts: { tensor, missing: array.chunks - chunks.count, chunks: array.chunks } });
  return true;
}

/** A whole array's uncompressed bytes count with its first piece: how they spread over compressed chunks is nobody's concern. */
function withLogicalBytes(pieces: readonly FoundPiece[], bytes: number): FoundPiece[] {
  if (pieces.length === 0) return [{ offset: 0, bytes: 0, logicalBytes: bytes }];
  return pieces.map((piece, index) => ({ ...piece, logicalBytes: index === 0 ? bytes : 0 }));
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
