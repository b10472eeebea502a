/** What layers keep of a token by the tensors that make keys and values, where a config has no list of its layers or no keys of its own. */
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';

export interface KeptByTensors {
  /** Numbers of a token, over all layers. */
  values: number;
  /** Layers that have them. */
  layers: number;
}

const separate = /(?:^|\.)(?:k_proj|v_proj)\.weight$/;
const keys = /(?:^|\.)k_proj\.weight$/;
/** Megatron's: queries, keys and values in one matrix, and what goes back to the hidden size. */
const fused = /(?:^|\.)linear_qkv\.weight$/;
const output = /(?:^|\.)self_attention\.linear_proj\.weight$/;
const elsewhere = /(?:^|\.)(?:vision|visual|audio|encoder|vision_tower|cross_attn)/;

/** Null where no such tensors are known, or layers differ in what one matrix has. */
export function keptByTensors(groups: readonly TensorGroup[]): KeptByTensors | null {
  const own = groups.filter(({ name }) => !elsewhere.test(name));
  const matrix = own.filter(({ name }) => fused.test(name));
  const apart = own.filter(({ name }) => separate.test(name));
  if (matrix.length > 0)
    return keptByFused(
      matrix,
      own.filter(({ name }) => output.test(name)),
    );
  if (apart.length === 0) return null;
  return {
    values: sumOf(apart, rowsOf),
    layers: sumOf(
      apart.filter(({ name }) => keys.test(name)),
      () => 1,
    ),
  };
}

function keptByFused(matrix: readonly TensorGroup[], outputs: readonly TensorGroup[]): KeptByTensors | null {
  const [all, back] = [sumOf(matrix, rowsOf), sumOf(outputs, ({ shape }) => shape[1] ?? 0)];
  const layers = sumOf(matrix, () => 1);
  return sumOf(outputs, () => 1) === layers && all > back ? { values: all - back, layers } : null;
}

function rowsOf({ shape }: TensorGroup): number {
  return shape[0] ?? 0;
}

function sumOf(groups: readonly TensorGroup[], numberOf: (group: TensorGroup) => number): number {
  return groups.reduce((sum, group) => sum + group.copies * numberOf(group), 0);
}
