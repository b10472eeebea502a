import type { TensorPacking } from '../../tensors/tensorPacking.js';
import type { Dataset, StoredData } from './dataLayout.js';
import { codecsOf } from './filters.js';

/**
 * How the chunks of a dataset become its elements. Undefined where each piece is these as it is, and where that is not known: a filter that is not
 * undone here or that single chunks left out, chunks that were never written, or that are listed twice.
 */
export function packingOf(
  { pieces, chunkShape }: StoredData,
  filters: readonly number[],
  dataset: Dataset,
): TensorPacking | undefined {
  const codecs = codecsOf(filters, dataset.elementBytes);
  if (chunkShape === null || codecs === undefined || chunkShape.length !== dataset.shape.length) return undefined;
  const bytes = pieces.reduce((sum, { logicalBytes = 0 }) => sum + logicalBytes, 0);
  if (bytes !== dataset.bytes || pieces.some(({ leftOutFilters = 0 }) => leftOutFilters !== 0)) return undefined;
  const isCut = pieces.some(({ within = [] }) => within.some((size, axis) => size !== chunkShape[axis]));
  if (!isCut) return codecs.length === 0 ? undefined : { codecs };
  const within = new Uint32Array(pieces.length * chunkShape.length);
  for (const [piece, part] of pieces.entries()) within.set(part.within ?? [], piece * chunkShape.length);
  return { codecs, chunks: { shape: chunkShape, within } };
}
