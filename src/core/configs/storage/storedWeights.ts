/**
 * Bytes of a model's weights as its files hold them under a `quantization_config`: packed weights, their scales and zero points, and the rest in
 * the model's own dtype. What is packed how is from the frameworks that write it; each part names its source.
 */
import type { Fields } from '../fields.js';
import { isExpert, layerCounts, moduleOf, nameAt, numbersIn, stackOf } from '../architectures/moduleNames.js';
import { parseNamePattern } from '../architectures/namePattern.js';
import { compressedTensorsScheme } from './compressedTensors.js';
import { elementsOf, type TensorGroup } from '../architectures/tensorGroup.js';
import type { PackedTensor, QuantizationScheme, StoredPart } from './quantizationScheme.js';

export interface StoredWeights {
  method: string;
  bytes: number;
  parts: readonly StoredPart[];
  /** False where a writer adds a few bytes that no config tells of. */
  isExact: boolean;
}

/** The dtype that weights have which are not converted. */
export interface PlainDtype {
  dtype: string;
  bytesPerElement: number;
}

/** Null for unknown methods, and where it is unknown what is converted. */
export function storedWeights(tensors: readonly TensorGroup[], quantization: Fields, plain: PlainDtype): StoredWeights | null {
  const method = methodOf(quantization);
  const read = method !== null && Object.hasOwn(schemes, method) ? schemes[method] : undefined;
  const scheme = read?.(quantization, tensors) ?? null;
  if (method === null || scheme === null) return null;
  const layers = layerCounts(tensors);
  const parts = new Map<string, StoredPart>();
  const add = (part: StoredPart): void => {
    const key = `${part.name} ${part.dtype}`;
    parts.set(key, { ...part, bytes: (parts.get(key)?.bytes ?? 0) + part.bytes });
  };
  for (const group of tensors) {
    if (group.isTied === true) continue;
    const converted = isWeight(group) ? convertedCopies(scheme, group, layers) : 0;
    if (converted === null) return null;
    addPlain(add, group, group.copies - converted, plain);
    for (const packed of converted > 0 ? scheme.tensors : [])
      add({ name: packed.name, dtype: packed.dtype, bytes: packedBytes(group, packed) * converted, source: scheme.source });
  }
  const used = [...parts.values()].filter(({ bytes }) => bytes > 0);
  const bytes = used.reduce((sum, part) => sum + part.bytes, 0);
  return Number.isSafeInteger(bytes) ? { method, bytes, parts: used, isExact: scheme.isExact } : null;
}

function addPlain(
  add: (part: StoredPart) => void,
  { name, shape }: TensorGroup,
  copies: number,
  { dtype, bytesPerElement }: PlainDtype,
): void {
  // DeepSeek's routers keep these in 32 bits whatever the model is in.
  const isWide = name.endsWith('e_score_correction_bias');
  const bytes = elementsOf(shape) * copies * (isWide ? 4 : bytesPerElement);
  add({ name: 'weights', dtype: isWide ? 'f32' : dtype, bytes, source: 'not converted' });
}

function packedBytes({ shape }: TensorGroup, { bytes }: PackedTensor): number {
  const [outputs = 0, inputs = 0] = shape.slice(-2);
  return bytes(outputs, inputs) * (shape.length === 3 ? (shape[0] ?? 0) : 1);
}

/** Matrices of linear layers, also of experts that are stacked. */
function isWeight({ kind, shape, name }: TensorGroup): boolean {
  const isStacked = shape.length === 3 && name.includes('.experts.');
  return isStacked || ((kind === 'linear' || kind === 'head') && shape.length === 2);
}

/** Copies of a tensor that a method converts; null where some layers have the tensor, and some are converted. */
function convertedCopies(scheme: QuantizationScheme, group: TensorGroup, layers: ReadonlyMap<string, number>): number | null {
  const module = isExpert(group) && !group.name.endsWith('.weight') ? group.name : moduleOf(group);
  const stack = stackOf(module);
  const count = stack === null ? 0 : (layers.get(stack) ?? 0);
  if (stack === null || !scheme.hasIndices || count === 0 || count > 2000)
    return scheme.converts(nameAt(module, 0), group) ? group.copies : 0;
  const converted = Array.from({ length: count }, (_, layer) => scheme.converts(nameAt(module, layer), group));
  const times = converted.filter(Boolean).length;
  if (times === 0) return 0;
  if (times === count) return group.copies;
  // The group does not name the layers without this tensor (the first ones, which are dense): the last ones have it.
  if (group.copies % count === 0) return (group.copies / count) * times;
  const each = numbersIn(group.name) > 1 ? expertsOf(group, count) : 1;
  return each === null ? null : lastLayers(converted, group.copies / each, each);
}

/** Experts of a layer, where not all layers have them: the fewest layers less that make whole numbers. */
function expertsOf({ copies }: TensorGroup, layers: number): number | null {
  for (let some = layers - 1; some > 0; some--) if (copies % some === 0 && copies / some > 1) return copies / some;
  return null;
}

function lastLayers(converted: readonly boolean[], layers: number, each: number): number | null {
  const last = converted.slice(converted.length - layers);
  return last.length === layers ? last.filter(Boolean).length * each : null;
}

function methodOf(quantization: Fields): string | null {
  const written = quantization.text('quant_method');
  if (written !== undefined) return written;
  // bitsandbytes, before methods had names.
  return quantization.flag('load_in_4bit', 'load_in_8bit') === true ? 'bitsandbytes' : null;
}

type SchemeReader = (quantization: Fields, tensors: readonly TensorGroup[]) => QuantizationScheme | null;

const schemes: Readonly<Record<string, SchemeReader | undefined>> = {
  fp8: readBlockFloat8,
  fbgemm_fp8: readRowFloat8,
  mxfp4: readMxfp4,
  gptq: readGptq,
  awq: readAwq,
  bitsandbytes: readBitsAndBytes,
  'compressed-tensors': compressedTensorsScheme,
};

const ceil = (value: number, unit: number): number => Math.ceil(value / Math.max(unit, 1));

/** transformers/integrations/finegrained_fp8.py, FP8Linear: one 32-bit scale a block, or one a weight. */
function readBlockFloat8(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme | null {
  const block = quantization.integers('weight_block_size');
  const [rows, columns] = block ?? [];
  if (block !== undefined && (rows === undefined || columns === undefined || rows < 1 || columns < 1)) return null;
  // Scales that are powers of two take a byte where the writer has that dtype, and four where it has not.
  const isPowerOfTwo = quantization.text('scale_fmt') === 'ue8m0';
  const scales = (outputs: number, inputs: number): number =>
    rows === undefined || columns === undefined ? 1 : ceil(outputs, rows) * ceil(inputs, columns);
  const static32: PackedTensor[] = [{ name: 'scales', dtype: 'f32', bytes: () => 4 }];
  return {
    ...skipping(quantization.texts('modules_to_not_convert'), tensors),
    tensors: [
      { name: 'quantized-weights', dtype: 'f8_e4m3', bytes: (outputs, inputs) => outputs * inputs },
      { name: 'scales', dtype: 'f32', bytes: (outputs, inputs) => 4 * scales(outputs, inputs) },
      ...(quantization.text('activation_scheme') === 'static' ? static32 : []),
    ],
    isExact: !isPowerOfTwo,
    source: 'transformers: FP8Linear',
  };
}

/** transformers/integrations/fbgemm_fp8.py, FbgemmFp8Linear: one scale a row. */
function readRowFloat8(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme {
  return {
    ...skipping(quantization.texts('modules_to_not_convert'), tensors),
    tensors: [
      { name: 'quantized-weights', dtype: 'f8_e4m3', bytes: (outputs, inputs) => outputs * inputs },
      { name: 'scales', dtype: 'f32', bytes: (outputs) => 4 * outputs },
    ],
    isExact: true,
    source: 'transformers: FbgemmFp8Linear',
  };
}

/** transformers/integrations/mxfp4.py, Mxfp4GptOssExperts: 32 weights of four bits share a scale of one byte; experts alone. */
function readMxfp4(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme {
  const skipped = skipping(quantization.texts('modules_to_not_convert') ?? [], tensors);
  return {
    ...skipped,
    converts: (module, group) => isExpert(group) && skipped.converts(module, group),
    tensors: [
      { name: 'quantized-weights', dtype: 'mxfp4', bytes: (outputs, inputs) => outputs * ceil(inputs, 32) * 16 },
      { name: 'scales', dtype: 'u8', bytes: (outputs, inputs) => outputs * ceil(inputs, 32) },
    ],
    isExact: true,
    source: 'transformers: Mxfp4GptOssExperts',
  };
}

/** Weights, zero points and an index in words of 32 bits, scales of 16 (gptqmodel, and auto-gptq's qlinear before it). */
function readGptq(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme | null {
  const bits = quantization.integer('bits');
  const groupSize = quantization.signedInteger('group_size') ?? 128;
  // Rules for single modules by patterns may change bits; blocks may be converted in part.
  if (bits === undefined || ![2, 3, 4, 8].includes(bits) || isWritten(quantization, 'dynamic')) return null;
  if (isWritten(quantization, 'modules_in_block_to_quantize')) return null;
  const groups = (inputs: number): number => (groupSize > 0 ? ceil(inputs, groupSize) : 1);
  return {
    ...skipping(quantization.texts('modules_to_not_convert'), tensors, quantization.flag('lm_head') ?? false),
    tensors: [
      { name: 'quantized-weights', dtype: `i32`, bytes: (outputs, inputs) => ceil(inputs * bits, 32) * outputs * 4 },
      { name: 'scales', dtype: 'f16', bytes: (outputs, inputs) => groups(inputs) * outputs * 2 },
      { name: 'zero-points', dtype: 'i32', bytes: (outputs, inputs) => groups(inputs) * ceil(outputs * bits, 32) * 4 },
      { name: 'indices', dtype: 'i32', bytes: (_, inputs) => inputs * 4 },
    ],
    isExact: true,
    source: 'GPTQ: qweight, scales, qzeros, g_idx',
  };
}

/** As GPTQ, packed along the outputs, without an index (autoawq's WQLinear_GEMM). */
function readAwq(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme | null {
  const bits = quantization.integer('bits', 'w_bit') ?? 4;
  const groupSize = quantization.signedInteger('group_size', 'q_group_size') ?? 128;
  const version = (quantization.text('version') ?? 'gemm').toLowerCase();
  if (bits !== 4 || version !== 'gemm') return null;
  const groups = (inputs: number): number => (groupSize > 0 ? ceil(inputs, groupSize) : 1);
  return {
    ...skipping(quantization.texts('modules_to_not_convert'), tensors),
    tensors: [
      { name: 'quantized-weights', dtype: 'i32', bytes: (outputs, inputs) => inputs * ceil(outputs, 8) * 4 },
      { name: 'scales', dtype: 'f16', bytes: (outputs, inputs) => groups(inputs) * outputs * 2 },
      { name: 'zero-points', dtype: 'i32', bytes: (outputs, inputs) => groups(inputs) * ceil(outputs, 8) * 4 },
    ],
    isExact: true,
    source: 'AWQ: qweight, scales, qzeros',
  };
}

/** bitsandbytes/nn/modules.py, functional.py (QuantState.as_dict): blocks of 64 weights; beside each weight a table and a small text. */
function readBitsAndBytes(quantization: Fields, tensors: readonly TensorGroup[]): QuantizationScheme | null {
  const skipped = skipping(quantization.texts('llm_int8_skip_modules'), tensors);
  if (quantization.flag('load_in_8bit', '_load_in_8bit') === true)
    return {
      ...skipped,
      tensors: [
        { name: 'quantized-weights', dtype: 'i8', bytes: (outputs, inputs) => outputs * inputs },
        { name: 'scales', dtype: 'f32', bytes: (outputs) => 4 * outputs },
        { name: 'indices', dtype: 'u8', bytes: () => 1 },
      ],
      isExact: true,
      source: 'bitsandbytes: Linear8bitLt (weight, SCB, weight_format)',
    };
  if (quantization.flag('load_in_4bit', '_load_in_4bit') !== true) return null;
  const isDouble = quantization.flag('bnb_4bit_use_double_quant') ?? false;
  const blocks = (outputs: number, inputs: number): number => ceil(outputs * inputs, 64);
  const nested: PackedTensor[] = [
    { name: 'scales', dtype: 'u8', bytes: blocks },
    { name: 'scales', dtype: 'f32', bytes: (outputs, inputs) => 4 * ceil(blocks(outputs, inputs), 256) + 1024 },
  ];
  const single: PackedTensor[] = [{ name: 'scales', dtype: 'f32', bytes: (outputs, inputs) => 4 * blocks(outputs, inputs) }];
  return {
    ...skipped,
    tensors: [
      { name: 'quantized-weights', dtype: 'u8', bytes: (outputs, inputs) => ceil(outputs * inputs, 2) },
      ...(isDouble ? nested : single),
      // The table of 16 values. The text beside it has some 100 bytes, which depend on the numbers in it.
      { name: 'indices', dtype: 'f32', bytes: () => 64 },
    ],
    isExact: false,
    source: 'bitsandbytes: Linear4bit (weight, absmax, quant_map)',
  };
}

function isWritten(quantization: Fields, key: string): boolean {
  return quantization.has(key) && !quantization.isNull(key);
}

/**
 * What is converted where some modules are named that are not (transformers/quantizers/quantizers_utils.py, should_convert_module): all linear
 * layers but routers; and but the output layer, where no module is named.
 */
function skipping(
  skipped: readonly string[] | undefined,
  tensors: readonly TensorGroup[],
  convertsHead = false,
): Pick<QuantizationScheme, 'converts' | 'hasIndices'> {
  const tests = (skipped ?? []).map(skipTest);
  const routers = new Set(
    tensors.filter(isExpert).flatMap(({ name }) => {
      const block = name.slice(0, name.indexOf('.experts.'));
      return [nameAt(`${block}.gate`, 0), nameAt(`${block}.router`, 0)];
    }),
  );
  return {
    converts(module, group) {
      if (group.kind === 'head' && !(convertsHead || (skipped !== undefined && skipped.length > 0))) return false;
      if (routers.has(nameAt(moduleOf(group), 0))) return false;
      return !namesOf(module).some((name) => tests.some((test) => test(name)));
    },
    hasIndices: (skipped ?? []).some((text) => /\d/.test(text)),
  };
}

/** A text is the start of names, as a pattern, up to the end of a module's name; or the end of names. */
function skipTest(text: string): (name: string) => boolean {
  const pattern = parseNamePattern(`(${text})(\\..*)?`);
  const open = text.endsWith('.') ? parseNamePattern(`(${text}).*`) : null;
  return (name) => name.endsWith(text) || pattern?.(name) === true || open?.(name) === true;
}

/** Names that a module had in other versions: language models moved below `model` when they became parts. */
function namesOf(module: string): readonly string[] {
  const bare = module.replace(/^model\./, '');
  return [
    module,
    bare,
    module.replace(/^model\.language_model\./, 'model.'),
    module.replace(/^model\.language_model\./, 'language_model.model.'),
  ];
}
