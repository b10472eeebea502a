/**
 * ZeRO's partitions of the master weights against the shapes in `param_shapes`: the shards of all data-parallel ranks together have each
 * trained parameter once. `zero_to_fp32.py` compares the same sums (deepspeed/utils/zero_to_fp32.py: _zero2_merge_trainable_params,
 * _zero3_merge_trainable_params).
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import type { Finding } from '../../findings/finding.js';
import { entriesOf, itemsOf, member, numbersOf } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { tensorOf } from '../../formats/torch/torchTensor.js';
import { countOf } from '../../checkpoints/layouts/stateSteps.js';

/** One shard of a model-parallel rank. */
export interface Shard {
  path: string;
  root: PickleValue;
}

/**
 * A finding where the master weights of one model-parallel rank have more or fewer elements than are trained, by more than padding; none
 * where shapes or partitions are not stored, or disagree on the number of ranks.
 * @param state root of a model state of this rank
 * @param shards of all its data-parallel ranks
 */
export function findOtherPartitions(state: PickleValue, shards: readonly Shard[]): Finding[] {
  const groups = itemsOf(member(state, 'param_shapes'))?.map(sizesOf);
  if (groups === undefined || shards.length === 0) return [];
  const own = shards.map(({ root }) => member(root, 'optimizer_state_dict'));
  const isStage3 = own.every((shard) => member(shard, 'fp32_flat_groups') !== undefined);
  return isStage3 ? comparePieces(groups.flat(), shards, own) : compareGroups(groups, shards.length, own);
}

/** Stages 1 and 2 flatten each group of parameters and cut it into equal shares, those of experts among fewer ranks. */
function compareGroups(
  groups: readonly (readonly (number | undefined)[])[],
  ranks: number,
  shards: readonly (PickleValue | undefined)[],
): Finding[] {
  const partitions = shards.map((shard) => elementsOfTensors(member(shard, 'single_partition_of_fp32_groups')));
  const counts = numbersOf(member(shards[0], 'partition_count'));
  if (counts?.length !== groups.length) return [];
  let [held, trained] = [0, 0];
  for (const [index, group] of groups.entries()) {
    const copies = ranks / (counts[index] as number);
    const elements = sumOf(group);
    const pieces = partitions.map((sizes) => (sizes?.length === groups.length ? sizes[index] : undefined));
    const stored = sumOf(pieces);
    if (elements === undefined || stored === undefined || !Number.isSafeInteger(copies) || copies < 1) return [];
    held += stored;
    trained += elements * copies;
  }
  // Groups begin at multiples of two elements a rank.
  return Math.abs(held - trained) <= 2 * ranks * groups.length
    ? []
    : [{ code: 'master-weights-differ', facts: { held, trained } }];
}

/** Stage 3 cuts each parameter into equal shares, the last of which is padded. */
function comparePieces(
  sizes: readonly (number | undefined)[],
  shards: readonly Shard[],
  states: readonly (PickleValue | undefined)[],
): Finding[] {
  const trainedBy = new Map<number, number | undefined>();
  const trainedPer = (ranks: number): number | undefined => {
    if (!trainedBy.has(ranks))
      trainedBy.set(ranks, sumOf(sizes.map((size) => (size === undefined ? undefined : Math.ceil(size / ranks)))));
    return trainedBy.get(ranks);
  };
  return states.flatMap((state, index): Finding[] => {
    const ranks = countOf(member(state, 'partition_count')) ?? 0;
    const groups = elementsOfTensors(member(state, 'fp32_flat_groups'));
    const held = sumOf(groups ?? [undefined]);
    if (ranks === 0 || groups === undefined || held === undefined) return [];
    const trained = trainedPer(ranks);
    if (trained === undefined || Math.abs(held - trained) <= 2 * ranks * groups.length) return [];
    return [{ code: 'master-weights-differ', path: shards[index]?.path ?? '', facts: { held, trained } }];
  });
}

/** Elements of each shape of a group; undefined for a damaged one. */
function sizesOf(group: PickleValue): (number | undefined)[] {
  return (entriesOf(group)?.values ?? [undefined]).map((shape) => {
    const sizes = numbersOf(shape);
    return sizes === undefined ? undefined : elementCount(sizes);
  });
}

/** Elements of each tensor of a list; undefined where an item is no tensor, or has no elements, as what is offloaded to NVMe. */
function elementsOfTensors(list: PickleValue | undefined): number[] | undefined {
  const elements: number[] = [];
  for (const item of itemsOf(list) ?? []) {
    const tensor = tensorOf(item);
    const count = tensor === undefined ? undefined : elementCount(tensor.shape);
    if (count === undefined || count === 0) return undefined;
    elements.push(count);
  }
  return elements.length === 0 ? undefined : elements;
}

/** Undefined where one of them is, or where the sum is not exact. */
function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const number of numbers) {
    if (number === undefined) return undefined;
    sum += number;
  }
  return Number.isSafeInteger(sum) ? sum : undefined;
}
