/** The tensors that a config asks for under the names and in the form of the file that has them. */
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import { inExpertForm } from './expertForms.js';
import { patternOf } from './storedPatterns.js';
import { storedNamesOf } from './storedNames.js';

/** Shape of the first tensor of such a key in the file; undefined where there is none. */
export type ShapeAt = (key: string) => readonly number[] | undefined;

/** Groups, of which some are put together of several tensors whose sizes the config does not tell. */
export interface StoredGroup extends TensorGroup {
  /** Its sizes are not compared. */
  isOpen?: true;
}

type Rule = readonly [string, string];

/** Models whose linear layers are stored as [inputs, outputs] (`Conv1D` of transformers/pytorch_utils.py). */
const transposedTypes: ReadonlySet<string> = new Set(['gpt2', 'gpt-sw3', 'openai-gpt', 'imagegpt', 'decision_transformer']);
const transposedModule = /\.(?:c_attn|c_proj|c_fc|q_attn)\.weight$/;

/** @param modelType of the config */
export function inStoredForm(groups: readonly TensorGroup[], modelType: string, shapeAt: ShapeAt): readonly StoredGroup[] {
  const turned = transposedTypes.has(modelType) ? groups.map(transposed) : groups;
  return inExpertForm(renamed(turned, storedNamesOf(modelType), shapeAt), shapeAt);
}

function transposed(group: TensorGroup): TensorGroup {
  return transposedModule.test(group.name) ? { ...group, shape: group.shape.toReversed() } : group;
}

/** A file has the names of one form or the other: a tensor that it lacks is called as the others are. */
function renamed(groups: readonly TensorGroup[], rules: readonly Rule[], shapeAt: ShapeAt): readonly StoredGroup[] {
  if (rules.length === 0) return groups;
  const choices = groups.map((group) => ({ group, rule: rules.find(([from]) => hasPart(group.name, from)) }));
  const isThere = (name: string): boolean => name.split('|').some((one) => shapeAt(patternOf(one).key) !== undefined);
  const renames = choices.filter(({ rule }) => rule !== undefined);
  const asStored = renames.filter(({ group, rule }) => isThere(renameBy(group.name, rule as Rule))).length;
  const asLoaded = renames.filter(({ group }) => isThere(group.name)).length;
  if (asLoaded > asStored) return groups;
  return joined(choices.map(({ group, rule }) => (rule === undefined ? group : { ...group, name: renameBy(group.name, rule) })));
}

/** Groups of one name in the file: those that lie one after the other in it, and those that it has apart. */
function joined(groups: readonly TensorGroup[]): readonly StoredGroup[] {
  const result: StoredGroup[] = [];
  const places = new Map<string, number>();
  for (const group of groups) {
    if (group.name.includes('|')) {
      for (const name of group.name.split('|')) result.push({ ...group, name, isOpen: true });
      continue;
    }
    const id = `${group.name} ${group.copies} ${group.shape.slice(1).join()}`;
    const place = places.get(id);
    const first = place === undefined ? undefined : result[place];
    if (place === undefined || first === undefined) {
      places.set(id, result.length);
      result.push(group);
    } else result[place] = { ...first, shape: [(first.shape[0] ?? 0) + (group.shape[0] ?? 0), ...first.shape.slice(1)] };
  }
  return result;
}

function hasPart(name: string, part: string): boolean {
  return `.${name}.`.includes(`.${part}.`);
}

function renameBy(name: string, [from, to]: Rule): string {
  return to
    .split('|')
    .map((one) => `.${name}.`.replace(`.${from}.`, () => `.${one}.`).slice(1, -1))
    .join('|');
}
