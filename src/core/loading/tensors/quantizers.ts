/** The quantizers of transformers (transformers/quantizers/auto.py, 5.24), and which of them a config asks for. */
import { memberOf } from '../../formats/text/jsonMember.js';
import { isObject } from './readConfig.js';

/** By `quant_method`. A config of `bitsandbytes` has to set `load_in_4bit` or `load_in_8bit`. */
const ofTransformers: ReadonlySet<unknown> = new Set([
  ...['awq', 'bitsandbytes_4bit', 'bitsandbytes_8bit', 'gptq', 'aqlm', 'quanto', 'quark', 'fouroversix', 'fp_quant', 'eetq'],
  ...['higgs', 'hqq', 'compressed-tensors', 'fbgemm_fp8', 'torchao', 'bitnet', 'vptq', 'spqr', 'fp8', 'gguf', 'nvfp4', 'mxfp8'],
  ...['auto-round', 'mxfp4', 'metal', 'sinq', 'gemma'],
]);

/** Methods of other programs, by the one that people load them with. */
export const otherLoaders: ReadonlyMap<string, string> = new Map([
  ['MLX', 'mlx-lm'],
  ['modelopt', 'vLLM'],
  ['modelopt_fp4', 'vLLM'],
  ['exl2', 'ExLlamaV2'],
  ['exl3', 'ExLlamaV3'],
]);

/** The `quantization_config` of a config or of the language model in it; undefined without one, and where it is no object. */
export function quantizationSettings(config: unknown): Readonly<Record<string, unknown>> | undefined {
  return [config, memberOf(config, 'text_config')].map((part) => memberOf(part, 'quantization_config')).find(isObject);
}

/** The quantizer of transformers for these settings, by its name there; undefined where it has none and takes the weights for plain ones. */
export function quantizerOf(settings: Readonly<Record<string, unknown>>): string | undefined {
  if (isTrue(settings['load_in_4bit'])) return 'bitsandbytes_4bit';
  if (isTrue(settings['load_in_8bit'])) return 'bitsandbytes_8bit';
  const method = settings['quant_method'];
  return typeof method === 'string' && ofTransformers.has(method) ? method : undefined;
}

/** As Python takes a value of a config. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

const quantizationKeys = ['quantization_config', 'quantization', 'compression_config'] as const;

/** Whether a config states that its weights are quantized, by a method that some program loads. Of another method they are plain to transformers. */
export function statesQuantizer(config: object): boolean {
  const settings = quantizationSettings(config);
  const method = settings?.['quant_method'];
  if (settings !== undefined && method !== undefined && quantizerOf(settings) === undefined)
    return typeof method === 'string' && otherLoaders.has(method);
  const inner = ['text_config', 'llm_config', 'language_config', 'thinker_config'].map((key) => memberOf(config, key));
  return [config, ...inner].some((one) => quantizationKeys.some((key) => isObject(memberOf(one, key))));
}
