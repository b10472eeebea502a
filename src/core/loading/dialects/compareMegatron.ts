/**
 * The tensors of a Megatron GPT against a save, under Megatron's own names. A distributed save has whole tensors, with the layers (and the experts behind
 * them) stacked in one where all are alike, and the norms of local layers under the names of Transformer Engine, which fuses them into the linear layer
 * (megatron/core/models/gpt/gpt_layer_specs.py; transformer_block.py, sharded_state_dict). A legacy one has the parts of each tensor- and pipeline-parallel rank.
 */
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import type { SavedGpt } from '../../frameworks/megatron/savedGpt.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import { FoundDifferences, type TensorDifferences } from '../tensors/tensorDifferences.js';
import type { StoredPattern } from '../tensors/storedPatterns.js';

export interface ComparedMegatron {
  differences: TensorDifferences;
  /** A tensor of which the arguments say nothing; undefined where there is none. */
  unknown: string | undefined;
  /** Whether all tensors of another shape are embeddings and output layers with another number of rows for the vocabulary. */
  hasOnlyOtherRows: boolean;
}

/** @param isByRank whether tensors are the parts of tensor-parallel ranks, one beside the other in the table */
export function compareMegatron(
  table: TensorTable,
  gpt: SavedGpt,
  stored: Iterable<StoredPattern>,
  isByRank: boolean,
): ComparedMegatron {
  const found = new FoundDifferences(table);
  const groups = new Map(gpt.groups.map((group) => [group.name, group]));
  const there = new Map<string, number>();
  let unknown: string | undefined;
  let otherRows = 0;
  const ranks = isByRank ? gpt.tensorParallel : 1;
  for (const pattern of stored) {
    if (pattern.key.endsWith('._extra_state')) continue;
    const name = moduleName(pattern.key);
    const group = groups.get(name);
    if (group === undefined) {
      found.counts.found += pattern.rows.length;
      unknown ??= table.nameOf(pattern.rows[0] ?? 0);
      continue;
    }
    const whole = wholeShape(pattern, group, gpt);
    const expected = isByRank ? shapeOfRank(group, gpt.tensorParallel) : whole;
    for (const row of pattern.rows) {
      const shape = table.shapeOf(row);
      if (isSame(shape, expected) || isOtherOrder(group, shape, expected)) continue;
      found.addMismatched(row, expected);
      if (/^(?:embedding\.word_embeddings|output_layer)\./.test(name) && isSame(shape.slice(1), expected.slice(1)))
        otherRows += 1;
    }
    const units = isByRank ? 1 : productOf(whole) / productOf(group.shape);
    found.counts.found += pattern.rows.length * units;
    there.set(name, (there.get(name) ?? 0) + pattern.rows.length * units);
  }
  for (const group of gpt.groups) {
    const expected = group.copies * ranks;
    const lacking = expected - (there.get(group.name) ?? 0);
    if (isOptional(group)) continue;
    found.counts.expected += expected;
    if (lacking > 0) found.addMissing(group.shape, lacking, () => group.name);
    if (lacking < 0) found.counts.unexpected -= lacking;
  }
  const { counts, missing, unexpected, mismatched } = found;
  return { differences: { counts, missing, unexpected, mismatched }, unknown, hasOnlyOtherRows: counts.mismatched === otherRows };
}

/** The head of tied embeddings is stored by the last of several stages alone; a router has a bias by release. */
function isOptional({ name, isTied }: TensorGroup): boolean {
  return isTied === true || name.endsWith('.mlp.router.bias');
}

/** The name that the tensor has in the modules of local layers, with each layer and expert by itself. */
function moduleName(key: string): string {
  return key
    .replace(/^(?:model(?:N|\d*)\.)?(?:module\.)*/, '')
    .replace(/^decoder\.layers\.(?!N\.)/, 'decoder.layers.N.')
    .replace('.self_attention.linear_qkv.layer_norm_', '.input_layernorm.')
    .replace('.mlp.linear_fc1.layer_norm_', '.pre_mlp_layernorm.')
    .replace(/\.mlp\.experts\.experts\.(?:N\.)?linear_/, '.mlp.experts.local_experts.N.linear_');
}

/** Of a tensor in a distributed save: layers and experts that its name does not number are its first axes. */
function wholeShape({ key }: StoredPattern, { name, shape }: TensorGroup, { layers, experts }: SavedGpt): readonly number[] {
  const isLayered = name.startsWith('decoder.layers.N.') && !key.includes('decoder.layers.N.');
  const isExpert = name.includes('.local_experts.N.') && !/experts\.N\./.test(key);
  return [...(isLayered ? [layers] : []), ...(isExpert ? [experts] : []), ...shape];
}

/** Cut along the outputs (ColumnParallelLinear, and rows of the vocabulary) or the inputs (RowParallelLinear); norms and biases of outputs are whole. */
export function shapeOfRank({ name, shape }: TensorGroup, ranks: number): readonly number[] {
  const isColumn =
    /(?:linear_qkv|linear_fc1)\.(?:weight|bias)$|softmax_offset$|^embedding\.word_embeddings\.|^output_layer\./.test(name);
  const axis = isColumn ? 0 : /(?:linear_proj|linear_fc2)\.weight$/.test(name) ? 1 : undefined;
  return shape.map((size, at) => (at === axis ? size / ranks : size));
}

/** Grouped experts have their matrices turned in some releases. */
function isOtherOrder({ name }: TensorGroup, shape: readonly number[], expected: readonly number[]): boolean {
  return name.includes('.local_experts.') && productOf(shape) === productOf(expected);
}

function isSame(shape: readonly number[], other: readonly number[]): boolean {
  return shape.length === other.length && shape.every((size, axis) => size === other[axis]);
}

function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}
