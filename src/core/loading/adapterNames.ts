/**
 * The tensors of an adapter as PEFT puts them into a model of transformers 5: names of before are changed, and the matrices of experts put together
 * (peft/utils/transformers_weight_conversion.py, 0.21.2; transformers/conversion_mapping.py, 5.24).
 */
import { stackedExpertNames } from '../configs/adapters/adapterTargets.js';
import type { CountedModel } from '../configs/countModel.js';
import { joinedTypes } from './tensors/storedNames/multimodalNames.js';

export interface StoredTensor {
  name: string;
  shape: readonly number[];
}

/** A tensor under the name that it is loaded by. */
export interface LoadedTensor extends StoredTensor {
  /** As they are in the file: one tensor, or all that are put together. */
  stored: readonly StoredTensor[];
}

export function asLoaded(stored: readonly StoredTensor[], model: Pick<CountedModel, 'modelType'>): LoadedTensor[] {
  const renamed = stored.map(({ name, shape }) => ({
    name: loadedName(name, model.modelType ?? ''),
    shape,
    stored: [{ name, shape }],
  }));
  return stackedExpertNames(model.modelType ?? undefined) === undefined ? renamed : withExpertsStacked(renamed);
}

/** Matrices of an adapter are renamed, and modules that it has whole are not. */
function loadedName(name: string, modelType: string): string {
  if (!name.includes('.lora_')) return name;
  // PEFT names its own adapter so where none is given, and takes such a name as it is.
  let own = name.replace(/(\.lora_(?:[AB]|embedding_[AB]|magnitude_vector))\.default(?=\.weight$|\.bias$|$)/, '$1');
  if (joinedTypes.has(modelType))
    own = own
      .replace(/^(base_model\.model\.)language_model\.model\./, '$1model.language_model.')
      .replace(/^(base_model\.model\.)(?:model\.)?(\w+_tower)\.vision_model\./, '$1model.$2.');
  const [gate, up] = stackedExpertNames(modelType)?.gateAndUp ?? [];
  if (gate !== 'w1' || up !== 'w3') return own;
  return own
    .replace('.block_sparse_moe.', '.mlp.')
    .replace(/(?<=\.experts\.\d{1,9}\.)w[123](?=\.)/, (leaf) => mixtralLeaves[leaf] ?? leaf);
}

const mixtralLeaves: Readonly<Record<string, string>> = { w1: 'gate_proj', w2: 'down_proj', w3: 'up_proj' };

const expertName = /^(.*\.experts)\.(\d{1,9})\.(gate|up|down)_proj\.(lora_[AB]\.weight)$/;

/** One tensor for all experts of a layer: ranks one after the other, and outputs of the two matrices before the activation as well. */
function withExpertsStacked(tensors: readonly LoadedTensor[]): LoadedTensor[] {
  const merged = new Map<string, { tensors: LoadedTensor[]; isHalf: Set<string>; leaf: string }>();
  const others = tensors.filter((tensor) => {
    const [, module, , part, leaf] = expertName.exec(tensor.name) ?? [];
    if (module === undefined || part === undefined || leaf === undefined || tensor.shape.length !== 2) return true;
    const name = part === 'down' ? `${module}.${leaf}` : `${module}.base_layer.${leaf}`;
    const stack = merged.get(name) ?? { tensors: [], isHalf: new Set(), leaf };
    stack.tensors.push(tensor);
    stack.isHalf.add(part);
    merged.set(name, stack);
    return false;
  });
  return [
    ...others,
    ...[...merged].map(([name, { tensors: parts, isHalf, leaf }]) => {
      const [rows = 0, columns = 0] = parts[0]?.shape ?? [];
      const axis = leaf.startsWith('lora_A') ? 0 : 1;
      const ranks = parts.reduce((sum, { shape }) => sum + (shape[axis] ?? 0), 0);
      const shape = axis === 0 ? [ranks, columns] : [rows * isHalf.size, ranks];
      return { name, shape, stored: parts.flatMap((part) => part.stored) };
    }),
  ];
}
