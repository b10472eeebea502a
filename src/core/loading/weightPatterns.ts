import type { ReadResult } from '../checkpoints/readFiles.js';
import { storedPatterns, type StoredPattern } from './tensors/storedPatterns.js';

/** The weights of a checkpoint by the pattern of their names, without copies and other models beside them. */
export function weightPatterns({ parts: { tensors, copies, otherModels } }: ReadResult): Map<string, StoredPattern> {
  const rows: number[] = [];
  for (let row = 0; row < tensors.size; row++) {
    const file = tensors.pieceFile(tensors.firstPieceOf(row));
    const isOther = copies?.has(file) === true || otherModels?.has(file) === true;
    if (!isOther && tensors.componentOf(row) === 'weights') rows.push(row);
  }
  return storedPatterns(tensors, rows);
}
