/** The tensors of a model of which only some layers or parts are trained. */
import { type ModelPart, partOf } from './architectures/modelParts.js';
import { layerCounts, moduleOf, numbersIn, stackOf } from './architectures/moduleNames.js';
import { countGroups, type TensorGroup } from './architectures/tensorGroup.js';

/** Whole layers, or parts of them: the names of modules right below a layer. */
export interface TrainedLayers {
  count: number;
  /** All of a layer without it. */
  modules?: readonly string[];
  /** Modules beside the layers that are trained too. */
  extra?: readonly string[];
  /** Of a multimodal model the layers are those of its language model, and all else is frozen. */
  isOfLanguage?: true;
}

export interface TrainedTensors {
  groups: readonly TensorGroup[];
  parameters: number;
}

/** Null where layers differ, so that their number does not say which tensors are trained, and where no module has such a name. */
export function trainedTensors(all: readonly TensorGroup[], layersOf: TrainedLayers): TrainedTensors | null {
  const { count, modules, extra = [], isOfLanguage } = layersOf;
  const groups = isOfLanguage === true ? all.filter((group) => partOf(group) === 'language') : all;
  if (!extra.every((name) => groups.some((group) => isBeside(group, name)))) return null;
  const stacks = [...layerCounts(groups)];
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) return null;
  const [prefix, layers] = stack;
  const trained: TensorGroup[] = [];
  for (const group of groups) {
    // Any part of a name, as the framework looks for it: `norm` is also of those within layers.
    if (extra.some((name) => group.name.includes(name))) {
      trained.push(group);
      continue;
    }
    if (stackOf(group.name) !== prefix) continue;
    if (numbersIn(group.name) > 1 || group.copies !== layers) return null;
    const copies = Math.min(count, layers);
    if (isBelow(group.name.slice(prefix.length + '.N.'.length), modules))
      trained.push({ ...group, copies, activeCopies: copies });
  }
  const parameters = countGroups(trained)?.unique ?? 0;
  return parameters === 0 ? null : { groups: trained, parameters };
}

/** Whether it is of a module of that name which is in no layer, and is no other one's weight. */
function isBeside(group: TensorGroup, module: string): boolean {
  return group.isTied !== true && stackOf(group.name) === null && moduleOf(group).split('.').at(-1) === module;
}

/** What is left of a multimodal model without its frozen parts; null where that is all or nothing of it. */
export function tensorsOutside(groups: readonly TensorGroup[], frozen: readonly ModelPart[]): TrainedTensors | null {
  const trained = groups.filter((group) => !frozen.includes(partOf(group)));
  const parameters = countGroups(trained)?.unique ?? 0;
  return trained.length === groups.length || parameters === 0 ? null : { groups: trained, parameters };
}

/** The framework looks for the name after the layer's number, and takes longer ones that begin so. */
function isBelow(name: string, modules: readonly string[] | undefined): boolean {
  return modules === undefined || modules.some((module) => name.startsWith(module));
}
