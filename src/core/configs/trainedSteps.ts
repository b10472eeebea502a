/** Which tensors of a model are trained after steps that freeze parts of it or train them again, as a Python file has them. */
import { layerCounts, nameAt, numbersIn, stackOf } from './architectures/moduleNames.js';
import { countGroups, type TensorGroup } from './architectures/tensorGroup.js';
import type { TrainedTensors } from './trainedLayers.js';

/** One step: what is below a module, in all of its layers or some, and whose names are so. */
export interface TrainingStep {
  isTrained: boolean;
  /** Of a module, without the model's own name; '' is all of it. */
  path: string;
  /** Of the module's layers, as Python's slices have them. */
  layers?: { from: number; to: number | null };
  /** Of a module of these layers. */
  below?: string;
  /** Names of parameters, counted from the module: those that have one of these texts, or the others. */
  names?: { texts: readonly string[]; at: 'anywhere' | 'start'; isOther: boolean };
}

/** Null where that is all or nothing of the model, where a step names what is not there, or parts of groups whose places are not known. */
export function trainedAfter(groups: readonly TensorGroup[], steps: readonly TrainingStep[]): TrainedTensors | null {
  const own = groups.filter(({ isTied }) => isTied !== true);
  const placed = steps.map((step) => placedIn(groups, step));
  if (placed.some((step) => step === null || !namesSome(groups, step))) return null;
  const known = placed.filter((step) => step !== null);
  const layers = layerCounts(groups);
  const trained: TensorGroup[] = [];
  for (const group of own) {
    const count = layers.get(stackOf(group.name) ?? '') ?? 1;
    const share = sharePerLayer(group, count, namesOf(group, groups), known);
    if (share === null) return null;
    if (share > 0) trained.push({ ...group, copies: group.copies * share, activeCopies: group.activeCopies * share });
  }
  const parameters = countGroups(trained)?.unique ?? 0;
  return parameters === 0 || parameters === countGroups(own)?.unique ? null : { groups: trained, parameters };
}

/** The module as the model has it: scripts leave out the outer one that classes for a task have within. */
function placedIn(groups: readonly TensorGroup[], step: TrainingStep): TrainingStep | null {
  const paths = [step.path, `model.${step.path}`];
  const path = step.path === '' ? '' : paths.find((whole) => groups.some(({ name }) => name.startsWith(`${whole}.`)));
  return path === undefined ? null : { ...step, path };
}

/** A step that is about no tensor is about another model, or other names than the counted ones. */
function namesSome(groups: readonly TensorGroup[], step: TrainingStep | null): boolean {
  const layers = layerCounts(groups);
  return groups.some(({ name }) => {
    const count = layers.get(stackOf(name) ?? '') ?? 1;
    return step !== null && Array.from({ length: count }, (_, layer) => layer).some((layer) => isIn(name, layer, count, step));
  });
}

/** Its own name, and those of what is tied to it where a step names a module: they are one parameter. */
function namesOf(group: TensorGroup, groups: readonly TensorGroup[]): { own: string; tied: readonly string[] } {
  const isSame = ({ shape }: TensorGroup) => shape.join() === group.shape.join();
  const tied = group.kind === 'embedding' ? groups.filter((other) => other.isTied === true && isSame(other)) : [];
  return { own: group.name, tied: tied.map(({ name }) => name) };
}

/** The share of a group's tensors that is trained; null where layers differ in what of it they have, and in whether that is trained. */
function sharePerLayer(
  group: TensorGroup,
  count: number,
  { own, tied }: ReturnType<typeof namesOf>,
  steps: readonly TrainingStep[],
): number | null {
  let trained = 0;
  for (let layer = 0; layer < count; layer++) {
    let isTrained = true;
    for (const step of steps) {
      const isMeant =
        isIn(own, layer, count, step) || (step.names === undefined && tied.some((name) => isIn(name, layer, count, step)));
      if (isMeant) isTrained = step.isTrained;
    }
    if (isTrained) trained += 1;
  }
  if (trained === 0 || trained === count) return trained === 0 ? 0 : 1;
  // Experts are numbered within their layer, of which each has as many.
  const hasDigits = steps.some(({ names }) => names?.texts.some((text) => /\d/.test(text)) === true);
  if (group.copies % count !== 0 || (numbersIn(group.name) > 1 && hasDigits)) return null;
  return trained / count;
}

/** Whether a step means the tensor of that name pattern in a layer of so many. */
function isIn(pattern: string, layer: number, count: number, { path, layers, below, names }: TrainingStep): boolean {
  const name = nameAt(pattern, layer);
  if (path !== '' && !name.startsWith(`${path}.`)) return false;
  const rest = path === '' ? name : name.slice(path.length + 1);
  if (layers !== undefined && !(stackOf(pattern) === path && isWithin(layer, count, layers))) return false;
  if (below !== undefined && !rest.slice(rest.indexOf('.') + 1).startsWith(`${below}.`)) return false;
  if (names === undefined) return true;
  const hasOne = names.texts.some((text) => (names.at === 'start' ? rest.startsWith(text) : rest.includes(text)));
  return hasOne !== names.isOther;
}

/** Places below 0 are counted from the end. */
function isWithin(layer: number, count: number, { from, to }: NonNullable<TrainingStep['layers']>): boolean {
  const place = (index: number): number => (index < 0 ? index + count : index);
  return layer >= place(from) && layer < (to === null ? count : place(to));
}
