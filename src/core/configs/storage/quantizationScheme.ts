/** How a quantization method stores the weights that it converts. */
import type { TensorGroup } from '../architectures/tensorGroup.js';

/** Bytes of one kind and dtype. */
export interface StoredPart {
  name: 'weights' | 'quantized-weights' | 'scales' | 'zero-points' | 'indices';
  /** As Stowage writes dtypes: `bf16`, `f8_e4m3`, `i32`. */
  dtype: string;
  bytes: number;
  source: string;
}

/** Bytes of what stands for one weight of [outputs, inputs]. */
export interface PackedTensor {
  name: StoredPart['name'];
  dtype: string;
  bytes: (outputs: number, inputs: number) => number;
}

/** How a method stores the weights that it converts. */
export interface QuantizationScheme {
  tensors: readonly PackedTensor[];
  /** Whether it converts the weight of this module, which is called so in one layer. */
  converts: (module: string, group: TensorGroup) => boolean;
  /** Whether `converts` may tell layers apart. */
  hasIndices: boolean;
  isExact: boolean;
  source: string;
}
