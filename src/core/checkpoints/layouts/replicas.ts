/** Weights that the files of several ranks of one model repeat: parameters that count once. */
import { sameForm } from '../../tensors/sameForm.js';
import type { Parts } from '../parts.js';

/** A row of the table as a layout sees it. */
export interface RankTensor {
  name: string;
  shape: readonly number[];
  path: string;
}

/**
 * Rows of weights that another file's row before them is a replica of.
 * @param identityOf the parameter, or the part of one, that a tensor is: equal for those that ranks repeat; undefined for files that are no rank's
 */
export function findReplicas(
  { tensors, files }: Pick<Parts, 'tensors' | 'files'>,
  identityOf: (tensor: RankTensor) => string | undefined,
): ReadonlySet<number> {
  const firsts = new Map<string, { row: number; path: string }>();
  const replicas = new Set<number>();
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'weights') continue;
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    if (path === undefined) continue;
    const identity = identityOf({ name: tensors.nameOf(row), shape: tensors.shapeOf(row), path });
    if (identity === undefined) continue;
    const first = firsts.get(identity);
    if (first === undefined) firsts.set(identity, { row, path });
    else if (first.path !== path && sameForm(tensors, first.row, row)) replicas.add(row);
  }
  return replicas;
}
