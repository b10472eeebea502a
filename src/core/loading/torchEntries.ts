/**
 * What torch files of a model have at their root that is no tensor. transformers takes each key for the name of one tensor: an entry that is none is
 * left out, with all tensors in it, and a dict around the state is one name (transformers/modeling_utils.py: load_state_dict).
 */
import { appendAll } from '../bytes/appendAll.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { entriesOf, keyText } from '../formats/pickle/pickleAccess.js';
import { tensorOf } from '../formats/torch/torchTensor.js';
import type { OwnWeight } from '../checkpoints/ownWeights.js';

export interface TorchEntries {
  /** Keys whose values are no tensors. */
  keys: string[];
  /** Rows of tensors that are in such values. */
  rows: Set<number>;
  /** The first of these rows, and the key that it is under; undefined where there are none. */
  first: { key: string; path: string; row: number } | undefined;
}

/** Names under which transformers opens them. */
const torchName = /^pytorch_model(?:-\d{5}-of-\d{5})?\.bin$/;

/** @param weights of the model in the directory */
export function torchEntries({ parts }: ReadResult, weights: readonly OwnWeight[]): TorchEntries {
  const found: TorchEntries = { keys: [], rows: new Set(), first: undefined };
  const opened = new Set(weights.map(({ path }) => path));
  for (const { path, value } of parts.objects) {
    if (value.kind !== 'pickle' || !torchName.test(path) || !opened.has(path)) continue;
    const entries = entriesOf(value.root);
    if (entries === undefined) continue;
    const [keys, others] = [new Set<string>(), new Set<string>()];
    entries.keys.forEach((key, at) => (tensorOf(entries.values[at]) === undefined ? others : keys).add(keyText(key)));
    if (others.size === 0) continue;
    appendAll(found.keys, [...others]);
    for (const { row, path: own } of weights) {
      const name = own === path ? parts.tensors.nameOf(row) : '';
      const key = keys.has(name) ? undefined : levelsOf(name).find((level) => others.has(level));
      if (key === undefined) continue;
      found.rows.add(row);
      found.first ??= { key, path, row };
    }
  }
  return found;
}

/** Dots in a key that holds tensors; names of a file may have any number of them. */
const MOST_LEVELS = 16;

/** `a` and `a.b` of `a.b.c`. */
function levelsOf(name: string): string[] {
  const levels: string[] = [];
  for (let at = name.indexOf('.'); at !== -1 && levels.length < MOST_LEVELS; at = name.indexOf('.', at + 1))
    levels.push(name.slice(0, at));
  return levels;
}
