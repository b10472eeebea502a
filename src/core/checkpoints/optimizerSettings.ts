/** Settings of an optimizer without its state, among the objects of a torch.distributed.checkpoint save: they have names, and no moments. */
import { entriesOf } from '../formats/pickle/pickleAccess.js';
import { componentOfObject } from './fileSets/distributedObjects.js';
import type { Parts } from './parts.js';

/**
 * Whether what is stored of an optimizer are entries of `param_groups`, with `betas` among them: one with betas has moments, which are
 * missing then. Plain SGD has no state to miss.
 * @param tensors how many tensors of optimizer state there are
 */
export function hasOptimizerSettingsAlone({ objects }: Pick<Parts, 'objects'>, tensors: number): boolean {
  if (tensors > 0) return false;
  let hasBetas = false;
  for (const { path, value } of objects) {
    if (value.kind !== 'pickle' || !path.endsWith('.metadata')) continue;
    for (const key of entriesOf(value.root)?.keys ?? []) {
      if (typeof key !== 'string' || componentOfObject([key]) !== 'optimizer') continue;
      if (!key.includes('param_groups')) return false;
      hasBetas ||= key.endsWith('betas');
    }
  }
  return hasBetas;
}
