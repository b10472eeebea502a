/** Values of the tensors of the panel's sample: one of weights with NaN in it, one of zeros, and a usual one. */
import type { TensorValues, ValuesReport } from '../../src/core/values/valuesReport.js';

/** Bins of a normal distribution, in parts of a million. */
function bell(min: number, max: number, count: number): TensorValues['histogram'] {
  const bins = 64;
  const edges = Array.from({ length: bins + 1 }, (_, edge) => min + ((max - min) * edge) / bins);
  const weights = Array.from({ length: bins }, (_, bin) => Math.exp(-(((bin - 31.5) / 9) ** 2) / 2));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return { edges, counts: weights.map((weight) => Math.round((count * weight) / sum)) };
}

/** Values of one tensor; what is not given is that of weights without anything odd. */
export function tensorValues(more: Partial<TensorValues> = {}): TensorValues {
  const count = more.count ?? 16_777_216;
  return {
    name: 'model.layers.0.self_attn.q_proj.weight',
    dtype: 'bf16',
    shape: [4096, 4096],
    component: 'weights',
    path: 'model-00001-of-00004.safetensors',
    basis: 'values',
    count,
    nan: 0,
    inf: 0,
    positiveInf: 0,
    negativeInf: 0,
    zeros: 1_204,
    min: -0.287109375,
    max: 0.291015625,
    mean: -1.2043e-7,
    std: 0.0302734375,
    histogram: bell(-0.287109375, 0.291015625, count),
    allZero: false,
    allEqual: false,
    first: null,
    sampled: null,
    sameAs: null,
    copiesNotRead: 0,
    ...more,
  };
}

/** A tensor with values that are not finite. */
export function damagedValues(more: Partial<TensorValues> = {}): TensorValues {
  return tensorValues({
    nan: 3,
    inf: 1,
    negativeInf: 1,
    first: { index: [17, 2044], path: 'model-00001-of-00004.safetensors', offset: 152_536 },
    ...more,
  });
}

/** A report of these tensors, all of which were read. */
export function valuesReport(path: string, tensors: TensorValues[], more: Partial<ValuesReport> = {}): ValuesReport {
  const bytesRead = tensors.reduce((sum, { count }) => sum + 2 * count, 0);
  return { kind: 'values', schemaVersion: 2, path, tensors, notRead: [], findings: [], sample: null, bytesRead, ...more };
}
