/** Modules behind groups of tensors: names of single ones where a pattern or a list of layers asks for them. */
import type { TensorGroup } from './tensorGroup.js';

/** The module that a tensor belongs to: its name without `weight`, `bias`, or the parameter's own name. */
export function moduleOf({ name }: TensorGroup): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

/** Whether the tensor is the weight of a module, and no parameter of its own. */
export function isModuleWeight({ name }: TensorGroup): boolean {
  return name.endsWith('.weight');
}

/** Whether the tensor belongs to a layer's experts, which are modules of their own for some frameworks and one stacked parameter for others. */
export function isExpert({ name }: TensorGroup): boolean {
  return name.includes('.experts.');
}

/** Layers below each prefix (`model.layers`), by what most tensors of a stack come to. */
export function layerCounts(groups: readonly TensorGroup[]): ReadonlyMap<string, number> {
  const single = new Map<string, number>();
  const nested = new Map<string, Map<number, number>>();
  for (const group of groups) {
    const prefix = stackOf(group.name);
    if (prefix === null) continue;
    if (numbersIn(group.name) === 1) single.set(prefix, Math.max(single.get(prefix) ?? 0, group.copies));
    else {
      const counts = nested.get(prefix) ?? new Map<number, number>();
      counts.set(group.copies, (counts.get(group.copies) ?? 0) + 1);
      nested.set(prefix, counts);
    }
  }
  for (const [prefix, counts] of nested) if (!single.has(prefix)) single.set(prefix, mostCommon(counts));
  return single;
}

/** `model.layers` of `model.layers.N.mlp.up_proj.weight`; null for what is not in a stack of layers. */
export function stackOf(name: string): string | null {
  const place = `${name}.`.indexOf('.N.');
  return place < 0 ? null : name.slice(0, place);
}

/** The same name with the first number filled in, and every number after it. */
export function nameAt(pattern: string, layer: number, inner = 0): string {
  let count = 0;
  return pattern
    .split('.')
    .map((segment) => (segment === 'N' ? String(count++ === 0 ? layer : inner) : segment))
    .join('.');
}

export function numbersIn(name: string): number {
  return name.split('.').filter((segment) => segment === 'N').length;
}

function mostCommon(counts: ReadonlyMap<number, number>): number {
  let best = { value: 0, times: 0 };
  for (const [value, times] of counts)
    if (times > best.times || (times === best.times && value < best.value)) best = { value, times };
  return best.value;
}
