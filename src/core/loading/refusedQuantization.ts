/**
 * Settings of quantization_config with which transformers raises while it makes the quantizer (transformers/utils/quantization_config.py, 5.24; each was tried
 * with `from_pretrained`).
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { quantizationSettings, quantizerOf } from './tensors/quantizers.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';

type Settings = Readonly<Record<string, unknown>>;
type Rule = readonly [key: string, needed: string, isTaken: (value: unknown) => boolean];

/** The first that is refused; undefined without any. */
export function refusedQuantization(config: unknown): RefusedSetting | undefined {
  for (const [part, level] of [[config, ''] as const, [memberOf(config, 'text_config'), 'text_config.'] as const]) {
    const value = memberOf(part, 'quantization_config');
    if (value !== undefined && value !== null && !isObject(value))
      return refused(`${level}quantization_config`, value, 'an object');
  }
  const settings = quantizationSettings(config);
  if (settings === undefined) return undefined;
  const quantizer = quantizerOf(settings);
  const method = settings['quant_method'];
  // A key of a dictionary, as Python looks it up.
  if (quantizer === undefined && typeof method === 'object' && method !== null)
    return refusedIn('quant_method', method, 'a text');
  if (quantizer === 'nvfp4') return refusedIn('quant_method', method, 'a method of saved weights that transformers 5.24 loads');
  const rules = quantizer === 'awq' && isAbsent(settings['version']) ? [ofFormat, ...ofAwq] : rulesOf[quantizer ?? ''];
  return firstRefused(settings, rules ?? []) ?? bothBits(settings);
}

function firstRefused(settings: Settings, rules: readonly Rule[]): RefusedSetting | undefined {
  for (const [key, needed, isTaken] of rules) {
    const value = settings[key];
    if (!isTaken(value)) return refusedIn(key, value, needed);
  }
  return undefined;
}

function bothBits(settings: Settings): RefusedSetting | undefined {
  const isBoth = settings['load_in_4bit'] === true && settings['load_in_8bit'] === true;
  return isBoth ? refusedIn('load_in_8bit', true, 'false beside load_in_4bit') : undefined;
}

const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
const orAbsent = (isTaken: (value: unknown) => boolean) => (value: unknown) => value === undefined || isTaken(value);
const orNull = (isTaken: (value: unknown) => boolean) => (value: unknown) => isAbsent(value) || isTaken(value);

/** Booleans are numbers to Python. */
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isBoolean = orAbsent((value) => typeof value === 'boolean');

const calibrationSets = ['wikitext2', 'c4', 'c4-new'];
const ofGptq: readonly Rule[] = [
  ['bits', '2, 3, 4 or 8', isOneOf([2, 3, 4, 8])],
  ['group_size', 'a number above 0, or -1', orAbsent((size) => isNumber(size) && (Number(size) > 0 || size === -1))],
  ['damp_percent', 'a number between 0 and 1', orAbsent((share) => isNumber(share) && Number(share) > 0 && Number(share) < 1)],
  [
    'dataset',
    `a list, or one of ${calibrationSets.join(', ')}`,
    orNull((set) => Array.isArray(set) || isOneOf(calibrationSets)(set)),
  ],
  ['format', 'a text', orAbsent(isText)],
  ['checkpoint_format', 'a text', orNull(isText)],
];

const awqFormats = ['gemm', 'gemv', 'gemv_fast', 'llm-awq'];
const awqBackends = [
  ...['autoawq', 'auto', 'auto_trainable', 'machete', 'marlin', 'exllama_v2', 'exllama_v1', 'gemm', 'gemm_triton', 'gemv'],
  ...['gemv_fast', 'torch_awq', 'torch_fused_awq', 'llm-awq'],
];
const isAwqFormat = (format: unknown): boolean => isText(format) && awqFormats.includes(lowered(format));
/** Where no `version` takes its place. */
const ofFormat: Rule = ['format', `one of ${awqFormats.join(', ')}`, orAbsent(isAwqFormat)];
const ofAwq: readonly Rule[] = [
  ['version', `one of ${awqFormats.join(', ')}`, orNull(isAwqFormat)],
  ['backend', `one of ${awqBackends.join(', ')}`, orAbsent((name) => isText(name) && awqBackends.includes(lowered(name)))],
];

function lowered(value: unknown): string {
  return String(value).toLowerCase();
}

/** Attributes of torch that are types. */
const torchType =
  /^(?:bfloat16|float(?:16|32|64|8_\w+)?|half|double|u?int(?:8|16|32|64)|int|long|short|bool|complex(?:32|64|128))$/;

const storageTypes = ['float16', 'float32', 'int8', 'uint8', 'float64', 'bfloat16'];
const ofBitsandbytes: readonly Rule[] = [
  ['load_in_4bit', 'a boolean', isBoolean],
  ['load_in_8bit', 'a boolean', isBoolean],
  ['llm_int8_skip_modules', 'a list of names, or null', orNull((names) => Array.isArray(names) && names.every(isText))],
  // A float to Python: `6` is refused and `6.0` is not, which are one number here.
  ['llm_int8_threshold', 'a number', orAbsent((value) => typeof value === 'number')],
  ['llm_int8_enable_fp32_cpu_offload', 'a boolean', isBoolean],
  ['llm_int8_has_fp16_weight', 'a boolean', isBoolean],
  ['bnb_4bit_compute_dtype', 'the name of a type of torch', orNull((name) => isText(name) && torchType.test(String(name)))],
  ['bnb_4bit_quant_storage', `one of ${storageTypes.join(', ')}`, orNull(isOneOf(storageTypes))],
  ['bnb_4bit_quant_type', 'a text', orAbsent(isText)],
  ['bnb_4bit_use_double_quant', 'a boolean', isBoolean],
];

const rulesOf: Readonly<Record<string, readonly Rule[]>> = {
  gptq: ofGptq,
  awq: ofAwq,
  bitsandbytes_4bit: ofBitsandbytes,
  bitsandbytes_8bit: ofBitsandbytes,
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusedIn(key: string, value: unknown, needed: string): RefusedSetting {
  return refused(`quantization_config.${key}`, value, needed);
}

function refused(key: string, value: unknown, needed: string): RefusedSetting {
  return { key, value: value === undefined ? 'nothing' : inWords(value), needed, isCertain: true };
}
