/** Classes that make the model without an output layer, whose tensors lack the level that others keep the model under: `layers.N`, not `model.layers.N`. */
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import { baseNameOf } from '../../weightNames/baseNames.js';

/** Whether a class of transformers is the model alone: `LlamaModel`, not `GPT2LMHeadModel`. */
export function isHeadless(className: string): boolean {
  return /(?<!LMHead|DoubleHeads|Encoder|MT)Model$/.test(className);
}

/** The level that such a class does not have: decoders are described with it whatever their class is. Undefined where there is none. */
export function levelWithout(className: string, modelType: string, groups: readonly TensorGroup[]): string | undefined {
  if (!isHeadless(className)) return undefined;
  const level = `${baseNameOf(modelType, className)}.`;
  return groups.every(({ name }) => name.startsWith(level)) ? level : undefined;
}

/** Groups without that level. */
export function withoutLevel<Group extends TensorGroup>(groups: readonly Group[], level: string | undefined): readonly Group[] {
  if (level === undefined) return groups;
  return groups.map((group) => (group.name.startsWith(level) ? { ...group, name: group.name.slice(level.length) } : group));
}
