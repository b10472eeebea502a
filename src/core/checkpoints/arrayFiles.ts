/** Arrays that no model promises: a table of constants, or what a test expects. */
import type { RoleId } from '../files/roleLabels.js';
import type { FilePart, Parts } from './parts.js';

const arrayRoles: ReadonlySet<RoleId> = new Set<RoleId>(['array', 'arrays']);
const modelName = /weight|param|model|checkpoint|ckpt|state|optim/i;

/** Whether a file of a directory without a framework holds arrays, and is not called as a model is. */
export function holdsArraysOutsideModel({ layout }: Pick<Parts, 'layout'>, { role, path }: FilePart): boolean {
  return (layout === 'unknown' || layout === 'numpy') && isArrayFile({ role, path });
}

/** Whether a file holds arrays, and is not called as a model is. */
export function isArrayFile({ role, path }: Pick<FilePart, 'role' | 'path'>): boolean {
  return arrayRoles.has(role) && !modelName.test(path);
}
