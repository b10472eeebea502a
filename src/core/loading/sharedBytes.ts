import type { Parts } from '../checkpoints/parts.js';

/**
 * Bytes of a row on all ranks together. Each rank of ZeRO has a share of its own under the same name, and shares of one shape are one row with a piece a
 * rank; elsewhere pieces of a whole row are copies of it.
 */
export function sharedBytes({ tensors, topology }: Parts, row: number): number {
  if ((topology.zeroStage ?? 0) === 0) return tensors.bytesOf(row);
  let bytes = 0;
  for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++) bytes += tensors.pieceLogicalSize(piece);
  return bytes;
}
