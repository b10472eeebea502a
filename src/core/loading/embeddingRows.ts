/** The token embedding of the model in a directory: as many rows as it has ids. */
import { isEmbeddingName } from '../checkpoints/otherModels.js';
import { isModelDirectory, ownWeights } from '../checkpoints/ownWeights.js';
import type { Parts } from '../checkpoints/parts.js';
import type { TensorTable } from '../tensors/tensorTable.js';

export interface EmbeddingRows {
  name: string;
  rows: number;
}

/** The one with the most rows, where a model has several; undefined where none is known by its name. */
export function embeddingRows(parts: Parts): EmbeddingRows | undefined {
  if (!isModelDirectory(parts)) return undefined;
  const { tensors } = parts;
  let found: EmbeddingRows | undefined;
  for (const { row } of ownWeights(parts)) {
    // bitsandbytes packs a matrix into one column.
    if (tensors.rankOf(row) !== 2 || tensors.dimensionOf(row, 1) < 2 || !mayBeEmbedding(tensors, row)) continue;
    const rows = tensors.dimensionOf(row, 0);
    if (rows <= (found?.rows ?? 0)) continue;
    const name = tensors.nameOf(row);
    if (isEmbeddingName(name)) found = { name, rows };
  }
  return found;
}

const weightBytes = '.weight'.length;
/** Last letters of the modules that `isEmbeddingName` knows: no name is decoded of the projections of 64,000 experts. */
const lastLetters = new Set([...'segdnSEGDN'].map((letter) => letter.charCodeAt(0)));
const LETTER_T = 't'.charCodeAt(0);

function mayBeEmbedding(tensors: TensorTable, row: number): boolean {
  const { nameBytes } = tensors;
  const end = tensors.nameEndOf(row);
  if (nameBytes[end - 1] !== LETTER_T) return true;
  return lastLetters.has(nameBytes[end - 1 - weightBytes] as number);
}
