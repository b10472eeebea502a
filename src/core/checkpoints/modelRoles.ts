import type { RoleId } from '../files/roleLabels.js';

/** Names of files that only a model has. */
export const modelRoles: ReadonlySet<RoleId> = new Set<RoleId>([
  'model-weights',
  'adapter-weights',
  'averaged-weights',
  'model-weights-of-rank',
]);
