/** Arrays of NumPy beside a model: predictions, results of an evaluation, features. No loader of the model reads them. */
import { logName } from '../files/logNames.js';
import { baseName } from '../files/paths.js';
import { isArrayFile } from './arrayFiles.js';
import { modelRoles } from './modelRoles.js';
import type { Parts } from './parts.js';

/**
 * Counts arrays as state of the program: all where another file is a model by its name and theirs do not say that they are one, those of NumPy
 * where another file has weights, and those that are called as results are (`evaluations.npz`).
 */
export function moveArraysBesideModel(parts: Parts): void {
  const isByName = parts.files.some(({ role }) => modelRoles.has(role));
  if (isByName)
    return moveToState(
      parts,
      arrayFilesOf(parts, () => true),
    );
  const arrays = arrayFilesOf(parts, isNumpy);
  const isMoved = hasOtherWeights(parts, arrays) ? isNumpy : isResult;
  moveToState(parts, arrayFilesOf(parts, isMoved));
}

/** Counts arrays of NumPy among the files beside the checkpoints of a run as state of the program. */
export function moveArraysBesideRun(parts: Parts): void {
  moveToState(parts, arrayFilesOf(parts, isNumpy));
}

function isNumpy(path: string): boolean {
  return /\.np[yz]$/i.test(path);
}

function isResult(path: string): boolean {
  return isNumpy(path) && logName.test(baseName(path));
}

function arrayFilesOf({ files }: Parts, isMoved: (path: string) => boolean): Set<number> {
  return new Set(files.flatMap((file, index) => (isArrayFile(file) && isMoved(file.path) ? [index] : [])));
}

function hasOtherWeights({ tensors }: Parts, arrays: ReadonlySet<number>): boolean {
  if (arrays.size === 0) return false;
  for (let row = 0; row < tensors.size; row++)
    if (tensors.componentOf(row) === 'weights' && !arrays.has(tensors.pieceFile(tensors.firstPieceOf(row)))) return true;
  return false;
}

function moveToState({ tensors, files }: Parts, arrays: ReadonlySet<number>): void {
  if (arrays.size === 0) return;
  for (const index of arrays) {
    const file = files[index];
    if (file?.component === 'weights') file.component = 'trainerState';
  }
  for (let row = 0; row < tensors.size; row++)
    if (tensors.componentOf(row) === 'weights' && arrays.has(tensors.pieceFile(tensors.firstPieceOf(row))))
      tensors.setComponent(row, 'trainerState');
}
