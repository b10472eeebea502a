/** The tensors of a model of which only some layers or parts are trained. */
import { type ModelPart, partOf } from './architectures/modelParts.js';
import { layerCounts, numbersIn, stackOf } from './architectures/moduleNames.js';
import { countGroups, type TensorGroup } from './architectures/tensorGroup.js';

/** Whole layers, or parts of them: the names of modules right below a layer. */
export interface TrainedLayers {
  count: number;
  /** All of a layer without it. */
  modules?: readonly string[];
}

export interface TrainedTensors {
  groups: readonly TensorGroup[];
  parameters: number;
}

/** Null where layers differ, so that their number does not say which tensors are trained, and where no module has such a name. */
export function trainedTensors(groups: readonly TensorGroup[], { count, modules }: TrainedLayers): TrainedTensors | null {
  const stacks = [...layerCounts(groups)];
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) return null;
  const [prefix, layers] = stack;
  const trained: TensorGroup[] = [];
  for (const group of groups) {
    if (stackOf(group.name) !== prefix) continue;
    if (numbersIn(group.name) > 1 || group.copies !== layers) return null;
    const copies = Math.min(count, layers);
    if (isBelow(group.name.slice(prefix.length + '.N.'.length), modules))
      trained.push({ ...group, copies, activeCopies: copies });
  }
  const parameters = countGroups(trained)?.unique ?? 0;
  return parameters === 0 ? null : { groups: trained, parameters };
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
