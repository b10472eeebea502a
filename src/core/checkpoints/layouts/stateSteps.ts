/** The step of a save, as pickled dicts keep it. */
import { member, numberOf } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import type { StateObject } from '../parts.js';

const stepKeys = ['global_step', 'step', 'iteration', 'iter', 'global_steps', 'num_steps', 'iter_num', 'num_updates', 'it'];

/** The step counter of a hand-written training checkpoint: a whole number under one of the usual keys of its root dict. */
export function stepIn(objects: readonly StateObject[]): number | null {
  for (const key of stepKeys) {
    for (const { value } of objects) {
      const found = value.kind === 'pickle' ? countOf(member(value.root, key)) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

/** A count out of a pickle; null for anything else. */
export function countOf(value: PickleValue | undefined): number | null {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** The pickled objects by the paths of their files. */
export function pickledRoots(objects: readonly StateObject[]): Map<string, PickleValue> {
  const roots = new Map<string, PickleValue>();
  for (const { path, value } of objects) if (value.kind === 'pickle') roots.set(path, value.root);
  return roots;
}
