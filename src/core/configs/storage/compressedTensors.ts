/** compressed-tensors, which llm-compressor writes (compressed_tensors/quantization/quant_config.py, compressors/quantized_compressors). */
import type { Fields } from '../fields.js';
import { isExpert, moduleOf } from '../architectures/moduleNames.js';
import { parseNamePattern } from '../architectures/namePattern.js';
import type { PackedTensor, QuantizationScheme } from './quantizationScheme.js';

const ceil = (value: number, unit: number): number => Math.ceil(value / Math.max(unit, 1));

/** Null where groups differ, or are of a kind that is not known. */
export function compressedTensorsScheme(quantization: Fields): QuantizationScheme | null {
  const groups = quantization.at('config_groups');
  const [name, second] = groups.keys;
  // Several groups convert different modules differently.
  if (name === undefined || second !== undefined) return null;
  const group = groups.at(name);
  const format = group.text('format') ?? quantization.text('format') ?? '';
  const targets = group.texts('targets') ?? ['Linear'];
  const tensors = tensorsOf(group.at('weights'), format);
  const isTarget = matcher(targets.filter((target) => target !== 'Linear'));
  const isIgnored = matcher(quantization.texts('ignore') ?? []);
  if (tensors === null || isIgnored === null || isTarget === null) return null;
  const inputs = group.at('input_activations');
  const hasInputScale = inputs.keys.length > 0 && inputs.flag('dynamic') === false;
  const inputScale: PackedTensor = { name: 'scales', dtype: 'bf16', bytes: () => 2 };
  return {
    tensors: hasInputScale
      ? [...tensors, format.startsWith('nvfp4') ? { ...inputScale, dtype: 'f32', bytes: () => 4 } : inputScale]
      : tensors,
    converts: (module, tensor) => {
      const isRouter = /\.(gate|router)$/.test(moduleOf(tensor)) && !isExpert(tensor);
      return !isRouter && (targets.includes('Linear') || isTarget(module)) && !isIgnored(module);
    },
    hasIndices: [...(quantization.texts('ignore') ?? []), ...targets].some((text) => /\d/.test(text)),
    // Scales are as wide as the weights were, which is 16 bits for all that are published.
    isExact: true,
    source: `compressed-tensors: ${format}`,
  };
}

function tensorsOf(weights: Fields, format: string): PackedTensor[] | null {
  const bits = weights.integer('num_bits') ?? 8;
  const strategy = weights.text('strategy') ?? 'tensor';
  const groupSize = weights.signedInteger('group_size') ?? -1;
  const [rows = 0, columns = 0] = weights.integers('block_structure') ?? [];
  const groupsOf = (inputs: number): number => (groupSize > 0 ? ceil(inputs, groupSize) : 1);
  const scales = new Map<string, (outputs: number, inputs: number) => number>([
    ['tensor', () => 1],
    ['channel', (outputs) => outputs],
    ['group', (outputs, inputs) => outputs * groupsOf(inputs)],
    ['tensor_group', (outputs, inputs) => outputs * groupsOf(inputs)],
    ['block', (outputs, inputs) => ceil(outputs, rows) * ceil(inputs, columns)],
  ]).get(strategy);
  if (scales === undefined || (strategy === 'block' && (rows < 1 || columns < 1))) return null;
  const scale: PackedTensor = { name: 'scales', dtype: 'bf16', bytes: (outputs, inputs) => 2 * scales(outputs, inputs) };
  const isSymmetric = weights.flag('symmetric') ?? true;
  switch (format) {
    case 'float-quantized':
    case 'naive-quantized':
    case 'int-quantized': {
      if (bits !== 8) return null;
      const dtype = weights.text('type') === 'float' ? 'f8_e4m3' : 'i8';
      const zero: PackedTensor = { name: 'zero-points', dtype: 'i8', bytes: scales };
      const weight: PackedTensor = { name: 'quantized-weights', dtype, bytes: (outputs, inputs) => outputs * inputs };
      return isSymmetric ? [weight, scale] : [weight, scale, zero];
    }
    case 'pack-quantized': {
      if (bits !== 4 && bits !== 8) return null;
      const zero: PackedTensor = {
        name: 'zero-points',
        dtype: 'i32',
        bytes: (outputs, inputs) => 4 * ceil(outputs * bits, 32) * (strategy === 'group' ? groupsOf(inputs) : 1),
      };
      const order: PackedTensor = { name: 'indices', dtype: 'i32', bytes: (_, inputs) => 4 * inputs };
      return [
        { name: 'quantized-weights', dtype: 'i32', bytes: (outputs, inputs) => 4 * outputs * ceil(inputs * bits, 32) },
        scale,
        // The shape before packing.
        { name: 'indices', dtype: 'i64', bytes: () => 16 },
        ...(isSymmetric ? [] : [zero]),
        ...(weights.text('actorder') === 'group' ? [order] : []),
      ];
    }
    case 'nvfp4-pack-quantized':
      return [
        { name: 'quantized-weights', dtype: 'u8', bytes: (outputs, inputs) => outputs * ceil(inputs, 2) },
        { name: 'scales', dtype: 'f8_e4m3', bytes: (outputs, inputs) => outputs * ceil(inputs, groupSize > 0 ? groupSize : 16) },
        { name: 'scales', dtype: 'f32', bytes: () => 4 },
      ];
    case 'mxfp4-pack-quantized':
      return [
        { name: 'quantized-weights', dtype: 'u8', bytes: (outputs, inputs) => outputs * ceil(inputs, 2) },
        { name: 'scales', dtype: 'u8', bytes: (outputs, inputs) => outputs * ceil(inputs, 32) },
      ];
    default:
      return null;
  }
}

/** Whole names, and patterns of their starts after `re:`. Null where a pattern is not understood. */
function matcher(texts: readonly string[]): ((module: string) => boolean) | null {
  const tests: ((module: string) => boolean)[] = [];
  for (const text of texts) {
    const pattern = text.startsWith('re:') ? parseNamePattern(`(${text.slice(3)}).*`) : null;
    if (text.startsWith('re:') && pattern === null) return null;
    tests.push(pattern ?? ((module) => module === text));
  }
  return (module) => tests.some((test) => test(module));
}
