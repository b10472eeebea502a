/** Arrays of NumPy beside a model: predictions, results of an evaluation, features. No loader of the model reads them. */
import { logName } from '../files/logNames.js';
import { baseName } from '../files/paths.js';
import { isArrayFile } from './arrayFiles.js';
import { modelRoles } from './modelRoles.js';
import type { Parts } from './parts.js';

/**
 * Counts arrays as state of the program: those that are called as results are (`evaluations.npz`), and all where another file is a model,
 * by its name or by its tensors, and theirs do not say that they are one.
 */
export function moveArraysBesideModel(parts: Parts): void {
  const arrays = arrayFilesOf(parts);
  if (arrays.size === 0) return;
  const isResult = (index: number): boolean => logName.test(baseName(parts.files[index]?.path ?? ''));
  moveToState(parts, hasModel(parts, arrays) ? arrays : new Set([...arrays].filter(isResult)));
}

/** Counts arrays among the files beside the checkpoints of a run as state of the program. */
export function moveArraysBesideRun(parts: Parts): void {
  moveToState(parts, arrayFilesOf(parts));
}

function arrayFilesOf({ files }: Parts): Set<number> {
  return new Set(files.flatMap((file, index) => (isArrayFile(file) ? [index] : [])));
}

function hasModel({ tensors, files }: Parts, arrays: ReadonlySet<number>): boolean {
  if (files.some(({ role }) => modelRoles.has(role))) return true;
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
