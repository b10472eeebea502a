/** Arrays of NumPy beside a model: predictions, results of an evaluation, features. No loader of the model reads them. */
import { isArrayFile } from './arrayFiles.js';
import { modelRoles } from './modelRoles.js';
import type { Parts } from './parts.js';

/** Counts arrays as state of the program, where another file is a model by its name and theirs do not say that they are one. */
export function moveArraysBesideModel({ tensors, files }: Parts): void {
  if (!files.some(({ role }) => modelRoles.has(role))) return;
  const arrays = new Set(files.flatMap((file, index) => (isArrayFile(file) ? [index] : [])));
  if (arrays.size === 0) return;
  for (const index of arrays) {
    const file = files[index];
    if (file?.component === 'weights') file.component = 'trainerState';
  }
  for (let row = 0; row < tensors.size; row++)
    if (tensors.componentOf(row) === 'weights' && arrays.has(tensors.pieceFile(tensors.firstPieceOf(row))))
      tensors.setComponent(row, 'trainerState');
}
