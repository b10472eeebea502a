/** Which parts of training state a pickled checkpoint dict has, by its keys and what is below them. */
import { attributesOf, entriesOf, itemsOf, member } from '../formats/pickle/pickleAccess.js';
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
    if (component !== undefined && !(component === 'optimizer' && (isSettings(value) || hasGroupsAlone(value))))
      present.add(component);
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

/** Whether the dict has an optimizer's parameter groups and no state of it: the state is in files of its own, or was not saved. */
export function hasOptimizerGroupsAlone(root: PickleValue | undefined): boolean {
  const dict = entriesOf(root);
  return (
    dict?.keys.some(
      (key, index) =>
        typeof key === 'string' && componentOfStateKey(key) === 'optimizer' && hasGroupsAlone(dict.values[index] as PickleValue),
    ) === true
  );
}

/** Dicts and lists that are looked through for an optimizer's state: chained optimizers are a few levels of a few entries. */
const LOOKED_THROUGH = 1000;

/**
 * Whether parameter groups are below the value, and neither a tensor nor a state. An empty `state` is all that plain SGD has; an
 * optimizer with betas has moments, which are missing then.
 */
function hasGroupsAlone(value: PickleValue): boolean {
  const open: PickleValue[] = [value];
  let hasGroups = false;
  for (let looked = 0; open.length > 0; looked++) {
    const next = open.pop() as PickleValue;
    const dict = entriesOf(next);
    const items = dict?.values ?? itemsOf(next);
    if (items === undefined && next instanceof PickleCall) return false;
    if (looked + (items?.length ?? 0) > LOOKED_THROUGH) return false;
    const groups = itemsOf(member(dict, 'param_groups'));
    hasGroups ||= groups !== undefined;
    for (const [at, item] of (items ?? []).entries()) {
      const key = dict?.keys[at];
      if (key === 'param_groups' || (typeof key === 'string' && componentOfStateKey(key) === 'gradScaler')) continue;
      if (key === 'state' && !isMissingState(item, groups)) return false;
      if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return hasGroups;
}

function isMissingState(state: PickleValue, groups: readonly PickleValue[] | undefined): boolean {
  return entriesOf(state)?.keys.length === 0 && groups?.some((group) => member(group, 'betas') !== undefined) === true;
}
