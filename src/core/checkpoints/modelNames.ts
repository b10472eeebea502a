/** Which files are a model by their names. */
import type { RoleId } from '../files/roleLabels.js';

/** Names of files that only a model has. */
export const modelRoles: ReadonlySet<RoleId> = new Set<RoleId>([
  'model-weights',
  'adapter-weights',
  'averaged-weights',
  'model-weights-of-rank',
]);

/** Files of NumPy, which may hold anything. */
export const arrayRoles: ReadonlySet<RoleId> = new Set<RoleId>(['array', 'arrays']);

/** Names of arrays that are weights or state all the same. */
export const modelName = /weight|param|model|checkpoint|ckpt|state|optim/i;
