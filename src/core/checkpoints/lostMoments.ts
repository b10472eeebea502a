/** Parameters that an optimizer was given and has no state of (torch/optim/optimizer.py: state_dict has the numbers of all in `param_groups`). */
import { entriesOf, itemsOf, keyText, member } from '../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../formats/pickle/pickleValue.js';
import type { Finding } from '../findings/finding.js';
import { isFloatDtype } from '../tensors/dtype.js';
import { ownWeights } from './ownWeights.js';
import type { OptimizerMatch } from './optimizerMatch.js';
import { limits } from '../bytes/limits.js';
import type { Parts } from './parts.js';

/** A state dict is the root, or in a dict or a list of it: `optimizer`, Lightning's `optimizer_states`. */
const MOST_NESTED = 3;

interface Listed {
  parameters: number;
  without: number;
}

/**
 * A warning where listed parameters have no entry; where no groups list any, a note of weights beyond the entries, as frozen ones have none.
 * @param weights see `trainableWeights`
 */
export function findLostMoments(parts: Parts, match: OptimizerMatch | null, weights: number): Finding[] {
  const found: Finding[] = [];
  let hasLists = false;
  for (const { path, value } of parts.objects) {
    if (value.kind !== 'pickle') continue;
    for (const { parameters, without } of listedIn(value.root)) {
      hasLists = true;
      if (without > 0) found.push({ code: 'moments-missing', path, facts: { without, parameters } });
    }
  }
  // Entries of several optimizers may match one another's weights: of those nothing is counted.
  const optimizers = parts.files.filter(({ component }) => component === 'optimizer').length;
  if (hasLists || optimizers > 1 || match === null || match.method !== 'by-order-and-shape' || match.total >= weights)
    return found;
  return [{ code: 'weights-without-moments', facts: { without: weights - match.total, weights } }];
}

function listedIn(root: PickleValue): Listed[] {
  const found: Listed[] = [];
  let left: number = limits.stateDictValues;
  const visit = (value: PickleValue, depth: number): void => {
    if (left-- <= 0) return;
    const listed = listedBy(value);
    if (listed !== undefined) found.push(listed);
    else if (depth < MOST_NESTED) for (const inner of entriesOf(value)?.values ?? itemsOf(value) ?? []) visit(inner, depth + 1);
  };
  visit(root, 0);
  return found;
}

/** Undefined for what is no optimizer's dict, and for one without state: plain SGD, or one that has not stepped. */
function listedBy(value: PickleValue): Listed | undefined {
  const groups = itemsOf(member(value, 'param_groups'));
  const state = entriesOf(member(value, 'state'));
  if (groups === undefined || state === undefined || state.keys.length === 0) return undefined;
  const listed = new Set(groups.flatMap((group) => itemsOf(member(group, 'params')) ?? []).map(keyText));
  if (listed.size === 0) return undefined;
  const present = new Set(state.keys.map(keyText));
  const without = [...listed].filter((key) => !present.has(key)).length;
  // Other keys than the groups have: flat shards, or names that a wrapper gave.
  return without === listed.size ? undefined : { parameters: listed.size, without };
}

/** Floating-point weights of the directory itself, as its loader takes them. */
export function trainableWeights(parts: Parts): number {
  let count = 0;
  for (const { row } of ownWeights(parts)) if (isFloatDtype(parts.tensors.dtypeOf(row))) count += 1;
  return count;
}
