/** Arrays of NumPy beside a model: predictions, results of an evaluation, features. No loader of the model reads them. */
import { arrayRoles, modelName, modelRoles } from './modelNames.js';
import type { FilePart, Parts } from './parts.js';

/** Counts arrays as state of the program, where another file is a model by its name and theirs do not say that they are one. */
export function moveArraysBesideModel({ tensors, files }: Parts): void {
  if (!files.some(({ role }) => modelRoles.has(role))) return;
  const isArray = ({ path, role }: FilePart): boolean => arrayRoles.has(role) && !modelName.test(path);
  const arrays = new Set(files.flatMap((file, index) => (isArray(file) ? [index] : [])));
  if (arrays.size === 0) return;
  for (const index of arrays) {
    const file = files[index];
    if (file?.component === 'weights') file.component = 'trainerState';
  }
  for (let row = 0; row < tensors.size; row++)
    if (tensors.componentOf(row) === 'weights' && arrays.has(tensors.pieceFile(tensors.firstPieceOf(row))))
      tensors.setComponent(row, 'trainerState');
}
