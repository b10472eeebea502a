/** The tensors that a config asks for under the names and in the form of the file that has them. */
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import { inExpertForm } from './expertForms.js';
import { patternOf, type ShapeAt } from './storedPatterns.js';
import { storedNamesOf } from './storedNames/storedNamesOf.js';

/** Groups, of which some are put together of several tensors whose sizes the config does not tell. */
export interface StoredGroup extends TensorGroup {
  /** Its sizes are not compared. */
  isOpen?: true;
  /** The class computes it where no file has it. */
  isComputed?: true;
}

type Rule = readonly [string, string];

/** Models whose linear layers are stored as [inputs, outputs] (`Conv1D` of transformers/pytorch_utils.py). */
const transposedTypes: ReadonlySet<string> = new Set(['gpt2', 'gpt-sw3', 'openai-gpt', 'imagegpt', 'decision_transformer']);
const transposedModule = /\.(?:c_attn|c_proj|c_fc|q_attn)\.weight$/;

/** @param modelType of the config */
export function inStoredForm(groups: readonly TensorGroup[], modelType: string, shapeAt: ShapeAt): readonly StoredGroup[] {
  const turned = transposedTypes.has(modelType) ? groups.map(transposed) : groups;
  const named = renamed(turned, storedNamesOf(modelType), shapeAt);
  return inExpertForm(named, shapeAt).map((group) => stacked(inTower(group, shapeAt), shapeAt));
}

/** Towers of CLIP and SigLIP had one more level before transformers 5, which conversion_mapping.py takes off (5.24). */
const tower = /((?:^|\.)(?:vision|image|video)_tower\.)(?!vision_model\.)/;

function inTower(group: StoredGroup, shapeAt: ShapeAt): StoredGroup {
  const name = group.name.replace(tower, '$1vision_model.');
  return shapeAt(patternOf(name).key) === undefined ? group : { ...group, name };
}

/** Matrices that files have in one tensor, one after the other: `input_linear.weight` of `input_linear.N.weight`. */
function stacked(group: StoredGroup, shapeAt: ShapeAt): StoredGroup {
  const at = group.name.lastIndexOf('.N.');
  if (at < 0 || group.name.indexOf('.N.') === at || shapeAt(patternOf(group.name).key) !== undefined) return group;
  const names = [group.name.slice(0, at) + group.name.slice(at + 2), group.name.slice(0, at)];
  const name = names.find((one) => shapeAt(patternOf(one).key) !== undefined) ?? '';
  const found = shapeAt(patternOf(name).key);
  const [times = 0] = found ?? [];
  if (found?.length !== group.shape.length + 1 || times === 0 || group.copies % times !== 0) return group;
  return { ...group, name, shape: [times, ...group.shape], copies: group.copies / times };
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
  return joined(
    choices.map(({ group, rule }) => ({ group, name: rule === undefined ? group.name : renameBy(group.name, rule) })),
  );
}

/** Groups of one name in the file: those that lie one after the other in it, and those that it has apart. */
function joined(named: readonly { group: TensorGroup; name: string }[]): readonly StoredGroup[] {
  const result: StoredGroup[] = [];
  const places = new Map<string, { at: number; from: string }>();
  for (const { group, name } of named) {
    if (name.includes('|')) {
      for (const one of name.split('|').filter((part) => part !== '')) result.push({ ...group, name: one, isOpen: true });
      continue;
    }
    const id = `${name} ${group.copies} ${group.shape.slice(1).join()}`;
    const place = places.get(id);
    const first = place === undefined ? undefined : result[place.at];
    // Groups of one name are kinds of layers; of two, matrices of one layer.
    if (place === undefined || first === undefined || place.from === group.name) {
      places.set(id, { at: result.length, from: group.name });
      result.push({ ...group, name });
    } else result[place.at] = { ...first, shape: [(first.shape[0] ?? 0) + (group.shape[0] ?? 0), ...first.shape.slice(1)] };
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
