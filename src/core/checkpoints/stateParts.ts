/** Which parts of training state a pickled checkpoint dict has, by its keys and what is below them. */
import { attributesOf, entriesOf, member } from '../formats/pickle/pickleAccess.js';
import { PickleCall, PickleDict, PickleFloat, PickleList, PickleTuple, type PickleValue } from '../formats/pickle/pickleValue.js';
import { tensorOf } from '../formats/torch/torchTensor.js';
import type { ComponentId } from '../tensors/component.js';
import { componentOfStateKey } from '../tensors/stateKeys.js';

/** Components whose key the dict has with something below it; a name or a number under such a key is a setting. */
export function statePartsOf(root: PickleValue): Set<ComponentId> {
  const present = new Set<ComponentId>();
  const dict = entriesOf(root);
  dict?.keys.forEach((key, index) => {
    const value = dict.values[index] as PickleValue;
    // Composer has all parts but the random state one level down.
    if (key === 'state' && entriesOf(member(value, 'model')) !== undefined)
      statePartsOf(value).forEach((part) => present.add(part));
    const component = typeof key === 'string' && holdsValues(value) ? componentOfStateKey(key) : undefined;
    if (component !== undefined && !(component === 'optimizer' && isSettings(value))) present.add(component);
  });
  return present;
}

/** A dict that training code made of several parts, unlike a bare state_dict. */
export function isTrainingDict(root: PickleValue): boolean {
  const parts = statePartsOf(root);
  return parts.has('weights') || parts.has('optimizer');
}

/** An empty list of schedulers is none. */
function holdsValues(value: PickleValue): boolean {
  if (value instanceof PickleDict) return value.keys.length > 0;
  if (value instanceof PickleList || value instanceof PickleTuple) return value.items.length > 0;
  return value instanceof PickleCall && tensorOf(value) === undefined;
}

/** `opt` is also what many programs call their command-line options. */
function isSettings(value: PickleValue): boolean {
  const dict = entriesOf(value) ?? attributesOf(value);
  return (
    dict !== undefined &&
    dict.values.length > 0 &&
    dict.values.every((item) => typeof item !== 'object' || item === null || item instanceof PickleFloat)
  );
}
