/**
 * How many parameters a packed tensor is, by the shapes of what quantizers store beside it. Methods mix widths within a model, so that
 * the bits of a config are the last resort. Layouts as the quantizers' own modules register them: AutoGPTQ and GPTQModel, AutoAWQ,
 * compressed-tensors, mlx.nn.QuantizedLinear, ExLlamaV2 and V3, HQQ, AQLM, QuIP#, VPTQ, FLUTE (HIGGS), BitNet, EETQ, torchao, quanto.
 */
import { isFloatDtype } from './dtype.js';

/** What the config says of the quantization. */
export interface QuantizationFacts {
  /** `quant_method` of transformers; undefined where no config states one. */
  method: string | undefined;
  /** Bits of a packed integer weight; undefined where no config states them, or modules differ. */
  weightBits: number | undefined;
  /** Weights that share a scale; undefined where no config states it. */
  groupSize: number | undefined;
  /** Settings of one module, where the config has them apart. */
  ofModule: (module: string) => ModuleQuantization | undefined;
  /** True where the config says that input and output embeddings are one. */
  tiesEmbeddings: boolean;
}

export interface ModuleQuantization {
  groupSize?: number | undefined;
  bits?: number | undefined;
  inputs?: number | undefined;
  outputs?: number | undefined;
}

export interface PackedTensor {
  /** Of its module, without the point before the last segment. */
  module: string;
  segment: string;
  dtype: string;
  shape: readonly number[];
  elements: number;
  /** Shape of a tensor of the same module; undefined where there is none. */
  beside: (segment: string) => readonly number[] | undefined;
}

/** `unknown`: packed, and nothing tells what it unpacks to. `none`: no parameter. Undefined: not packed. */
export type PackedCount = number | 'unknown' | 'none' | undefined;

/** Methods whose tensors are all named below, or have names and dtypes of their own: what else is an integer is no weight. */
const understood = new Set([
  'gptq',
  'awq',
  'compressed-tensors',
  'bitsandbytes',
  'bitnet',
  'eetq',
  'exl2',
  'exl3',
  'hqq',
  'aqlm',
  'quip',
  'quip_sharp',
  'higgs',
  'fbgemm_fp8',
  'fp8',
  'mxfp4',
  'modelopt',
  'torchao',
  'quanto',
  'auto-round',
  'intel/auto-round',
  'vptq',
]);

/** True for a method whose layout of tensors is known, and where no method is stated. */
export function isUnderstood(method: string | undefined): boolean {
  return method === undefined || understood.has(method.toLowerCase());
}

/** What is stored for a packed weight, by the last segment of its name, each with the packed tensors that it belongs to. */
const satellites: Readonly<Record<string, readonly string[]>> = {
  q_scale: ['q_weight'],
  q_scale_max: ['q_weight'],
  q_groups: ['q_weight'],
  q_group_map: ['q_weight'],
  q_perm: ['q_weight'],
  q_invperm: ['q_weight'],
  suh: ['trellis'],
  svh: ['trellis'],
  su: ['trellis'],
  sv: ['trellis'],
  mcg: ['trellis'],
  mul1: ['trellis'],
  scale: ['W_q'],
  zero: ['W_q'],
  zero_scale: ['W_q'],
  scale_q: ['W_q'],
  zero_q: ['W_q'],
  codebooks: ['codes'],
  SU: ['Qidxs', 'Qidxs_0'],
  SV: ['Qidxs', 'Qidxs_0'],
  Wscale: ['Qidxs', 'Qidxs_0'],
  codebook_id: ['Qidxs', 'Qidxs_0'],
  weight_scales: ['weight', 'qweight'],
  tables: ['weight'],
  tables2: ['weight'],
  s: ['B'],
  s_group: ['B'],
  s_channel: ['B'],
  workspace: ['B'],
  weight_bias: ['indices'],
  perm: ['indices'],
  res_indices: ['indices'],
  outlier_indices: ['indices'],
  _shift: ['_data'],
  _weight_scale_and_zero: ['_weight_qdata'],
  weight_scale_and_zero: ['weight_qdata'],
  input_scale_ub: ['weight'],
};

/** Codebooks of VPTQ are embeddings of the module. */
const codebookModule = /\.(res_centroids|outlier_centroids|centroids)$/;

/** Parameters of one tensor. */
export function packedCount(tensor: PackedTensor, facts: QuantizationFacts): PackedCount {
  const { segment, dtype } = tensor;
  const packed = satellites[segment];
  if (packed !== undefined && Object.hasOwn(satellites, segment) && packed.some((each) => tensor.beside(each) !== undefined))
    return 'none';
  if (codebookModule.test(tensor.module) && facts.method === 'vptq') return 'none';
  if (Object.hasOwn(counters, segment)) {
    const count = counters[segment]?.(tensor, facts);
    if (count !== undefined) return count;
  }
  if (isUnderstood(facts.method)) return undefined;
  // Of a method that is not known: which of its numbers are weights and which are scales is not known either.
  if (isFloatDtype(dtype)) return segment === 'weight' || segment === 'bias' || tensor.shape.length === 0 ? undefined : 'none';
  return tensor.elements > 1 ? 'unknown' : 'none';
}

type Counter = (tensor: PackedTensor, facts: QuantizationFacts) => PackedCount;

const counters: Readonly<Record<string, Counter>> = {
  qweight: (tensor, facts) =>
    tensor.dtype === 'i32' ? countOfQweight(tensor, facts) : tensor.dtype === 'u8' ? 2 * tensor.elements : undefined,
  weight_packed: (tensor, facts) =>
    tensor.dtype === 'i32' ? countOfPacked(tensor, facts) : tensor.dtype === 'u8' ? 2 * tensor.elements : undefined,
  weight: countOfWeight,
  // Inputs by their order, outputs by the columns.
  q_weight: ({ shape, beside }) => product(beside('q_invperm') ?? beside('q_perm'), [shape[1] ?? 0]) ?? 'unknown',
  // Tiles of 16 by 16.
  trellis: ({ shape: [rows, columns] }) => (rows === undefined || columns === undefined ? 'unknown' : 256 * rows * columns),
  W_q: countOfHqq,
  // Each code of a group of outputs and inputs, whose sizes the codebooks have.
  codes: ({ shape, beside }) => {
    const [, , outputs, inputs] = beside('codebooks') ?? [];
    if (outputs === undefined || inputs === undefined) return undefined;
    return (shape[0] ?? 0) * (shape[1] ?? 0) * outputs * inputs;
  },
  Qidxs: ({ beside }) => product(beside('SU'), beside('SV')) ?? 'unknown',
  Qidxs_0: ({ beside }) => product(beside('SU'), beside('SV')) ?? 'unknown',
  // Marlin packs tiles of 16 inputs, 4 bits a weight; with two scales, of groups and channels, it is QQQ.
  B: ({ dtype, elements, beside }) =>
    dtype === 'i32' && ['s', 's_group', 's_channel'].some((segment) => beside(segment) !== undefined) ? 8 * elements : undefined,
  indices: ({ module }, { method, ofModule }) => {
    if (method !== 'vptq') return undefined;
    const { inputs, outputs } = ofModule(module) ?? {};
    return inputs === undefined || outputs === undefined ? 'unknown' : inputs * outputs;
  },
  _weight_qdata: countOfQdata,
  weight_qdata: countOfQdata,
  _data: countOfQdata,
};

/** Widths that methods pack into words. */
const widths: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 8]);

/** The product of two vectors' lengths. */
function product(a: readonly number[] | undefined, b: readonly number[] | undefined): number | undefined {
  if (a === undefined || b === undefined || a.length !== 1 || b.length !== 1) return undefined;
  return (a[0] as number) * (b[0] as number);
}

/** Undefined where so many bits are no width of a packed integer. */
function ofWidth(words: number, weights: number, parameters: number): number | undefined {
  return weights > 0 && widths.has((32 * words) / weights) ? parameters : undefined;
}

/** GPTQ packs inputs, one column each output; AWQ packs outputs, one row each input. Scales are of groups of inputs and single outputs. */
function countOfQweight({ module, shape, elements, beside }: PackedTensor, facts: QuantizationFacts): PackedCount {
  const [rows = 0, columns = 0] = shape;
  const scales = beside('scales');
  const outputs = scales?.[1] ?? 0;
  if (outputs > columns) return ofWidth(columns, outputs, rows * outputs) ?? byBits(elements, module, facts);
  const inputs = beside('g_idx')?.[0] ?? 0;
  const zeroBits = (32 * (beside('qzeros')?.[1] ?? 0)) / outputs;
  const grouped = (scales?.[0] ?? 0) * (facts.groupSize ?? 0);
  return (
    ofWidth(rows, inputs, inputs * columns) ??
    (outputs === columns && widths.has(zeroBits) ? (32 * elements) / zeroBits : undefined) ??
    ((scales?.[0] ?? 0) > 1 ? ofWidth(rows, grouped, grouped * columns) : undefined) ??
    byBits(elements, module, facts)
  );
}

/** compressed-tensors packs inputs of each output; zero points are packed along outputs. */
function countOfPacked({ module, shape, elements, beside }: PackedTensor, facts: QuantizationFacts): PackedCount {
  const [rows = 0, columns = 0] = shape;
  const inputs = beside('weight_g_idx')?.[0] ?? 0;
  const groups = beside('weight_scale')?.[1] ?? 0;
  const grouped = groups > 1 ? groups * (facts.groupSize ?? 0) : 0;
  const zeroBits = (32 * (beside('weight_zero_point')?.[0] ?? 0)) / rows;
  return (
    ofWidth(columns, inputs, rows * inputs) ??
    ofWidth(columns, grouped, rows * grouped) ??
    (widths.has(zeroBits) ? (32 * elements) / zeroBits : undefined) ??
    byBits(elements, module, facts)
  );
}

/** A module's own `weight`, packed in place. */
function countOfWeight({ module, dtype, shape, elements, beside }: PackedTensor, facts: QuantizationFacts): PackedCount {
  const scales = beside('scales');
  if (facts.method === 'higgs' && dtype === 'i16' && scales !== undefined)
    return facts.groupSize === undefined ? 'unknown' : facts.groupSize * sizeOf(scales);
  // Four ternary weights in a byte.
  if (facts.method === 'bitnet' && dtype === 'u8') return 4 * elements;
  if (dtype === 'u8' && beside('weight.absmax') !== undefined) return 2 * elements;
  if (dtype !== 'u32' || scales === undefined) return undefined;
  // MLX: groups of inputs, of the config or of the module.
  const groupSize = facts.ofModule(module)?.groupSize ?? facts.groupSize ?? 0;
  const inputs = (scales.at(-1) ?? 0) * groupSize;
  const words = shape.at(-1) ?? 0;
  return ofWidth(words, inputs, (elements / Math.max(words, 1)) * inputs) ?? byBits(elements, module, facts);
}

/** A scale is of one group, in any order of the axes; else by the packing of the bits, which for 3 bits has unused ones. */
function countOfHqq({ dtype, elements, beside, module }: PackedTensor, facts: QuantizationFacts): PackedCount {
  const scale = beside('scale');
  const groupSize = facts.ofModule(module)?.groupSize ?? facts.groupSize;
  if (scale !== undefined && groupSize !== undefined) {
    const count = sizeOf(scale) * groupSize;
    const perElement = count / Math.max(elements, 1);
    if (dtype === 'u8' ? [1, 2, 4, 8].includes(perElement) : perElement > 8 && perElement <= 10) return count;
  }
  const bits = facts.ofModule(module)?.bits ?? facts.weightBits;
  return dtype === 'u8' && bits !== undefined && bits !== 3 ? (8 / bits) * elements : 'unknown';
}

/** torchao and quanto: whole bytes, bits packed into bytes, which nothing but the config tells, or tiles of eight 4-bit numbers in a word. */
function countOfQdata({ module, dtype, elements }: PackedTensor, facts: QuantizationFacts): PackedCount {
  if (dtype === 'i8') return elements;
  if (dtype === 'i32') return 8 * elements;
  if (dtype !== 'u8') return undefined;
  const bits = facts.ofModule(module)?.bits ?? facts.weightBits;
  return bits === undefined ? 'unknown' : (8 / bits) * elements;
}

function byBits(elements: number, module: string, facts: QuantizationFacts): number | 'unknown' {
  const bits = facts.ofModule(module)?.bits ?? facts.weightBits;
  return bits === undefined ? 'unknown' : Math.round((32 / bits) * elements);
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, each) => size * each, 1);
}
