import { bytesOfElements } from '../../tensors/dtype.js';

/** ggml's tensor types by their number (enum ggml_type in ggml.h), under the names that reports use. */
const names: readonly (string | undefined)[] = [
  'f32',
  'f16',
  'q4_0',
  'q4_1',
  undefined,
  undefined,
  'q5_0',
  'q5_1',
  'q8_0',
  'q8_1',
  'q2_k',
  'q3_k',
  'q4_k',
  'q5_k',
  'q6_k',
  'q8_k',
  'iq2_xxs',
  'iq2_xs',
  'iq3_xxs',
  'iq1_s',
  'iq4_nl',
  'iq3_s',
  'iq2_s',
  'iq4_xs',
  'i8',
  'i16',
  'i32',
  'i64',
  'f64',
  'iq1_m',
  'bf16',
  undefined,
  undefined,
  undefined,
  'tq1_0',
  'tq2_0',
  undefined,
  undefined,
  undefined,
  'mxfp4',
  'nvfp4',
  'q1_0',
  'q2_0',
];

/** Types that early files have and ggml no longer reads. */
const obsolete = new Map([
  [4, 'q4_2'],
  [5, 'q4_3'],
  [31, 'q4_0_4_4'],
  [32, 'q4_0_4_8'],
  [33, 'q4_0_8_8'],
  [36, 'iq4_nl_4_4'],
  [37, 'iq4_nl_4_8'],
  [38, 'iq4_nl_8_8'],
]);

/** `q4_k` for 12; `ggml_type_99` for a number that this version does not know. */
export function nameOfType(type: number): string {
  return names[type] ?? obsolete.get(type) ?? `ggml_type_${type}`;
}

export function isObsoleteType(type: number): boolean {
  return obsolete.has(type);
}

/** The last type that files before GGUF have: numbers above it had another meaning then. */
const LAST_EARLY_TYPE = 15;

/** Elements and bytes of blocks until May 2023 (llama.cpp's pull request 1508), where they differ: scales were f32, q4_2 and q4_3 in use. */
const blocksUntil2023 = new Map<string, readonly [elements: number, bytes: number]>([
  ['q4_0', [32, 20]],
  ['q4_1', [32, 24]],
  ['q4_2', [16, 10]],
  ['q4_3', [16, 12]],
  ['q8_0', [32, 36]],
]);

/** Bytes of a tensor in a file before GGUF; undefined for a type that these do not have. */
export function bytesBeforeGguf(type: number, elements: number, hasEarlyBlocks: boolean): number | undefined {
  if (type > LAST_EARLY_TYPE) return undefined;
  const block = hasEarlyBlocks ? blocksUntil2023.get(nameOfType(type)) : undefined;
  return block === undefined ? bytesOfElements(nameOfType(type), elements) : Math.ceil(elements / block[0]) * block[1];
}
