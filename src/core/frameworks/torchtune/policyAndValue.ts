/** What torchtune's PPO trains and saves: the policy, and a value model with one score in place of the output layer (recipes/ppo_full_finetune_single_device.py). */
import { appendAll } from '../../bytes/appendAll.js';
import { ModelTensors, type TensorGroup } from '../../configs/architectures/tensorGroup.js';

/** Both as one set of tensors, each below its own name. */
export function policyAndValue(policy: readonly TensorGroup[], value: readonly TensorGroup[], classes: number): ModelTensors {
  const both = new ModelTensors();
  const width = value.find(({ kind }) => kind === 'embedding')?.shape[1] ?? 0;
  appendAll(both.groups, below('policy', policy));
  appendAll(both.groups, below('value', withoutHead(value)));
  return both.head('value.output', classes, width);
}

/** torchtune/modules/classifier.py replaces it, by one without a bias. */
function withoutHead(groups: readonly TensorGroup[]): TensorGroup[] {
  return groups.filter(({ kind }) => kind !== 'head');
}

function below(prefix: string, groups: readonly TensorGroup[]): TensorGroup[] {
  return groups.map((group) => ({ ...group, name: `${prefix}.${group.name}` }));
}
