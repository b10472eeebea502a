/**
 * Who loads quantized weights: the quantizers of transformers (transformers/quantizers/auto.py, 5.24) by `quant_method`, or another program. transformers
 * loads weights of a method that it does not know as plain ones, with a warning, and refuses a quantization_config without a method.
 */
import type { ReadResult } from '../checkpoints/readFiles.js';
import { ownWeights } from '../checkpoints/ownWeights.js';
import type { ReadContext } from '../checkpoints/readFiles.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isFloatDtype } from '../tensors/dtype.js';
import { jsonBeside } from './filesBeside.js';
import type { ModelCheck } from './modelCheck.js';

/** Quantizers of transformers. */
const ofTransformers: ReadonlySet<string> = new Set([
  ...[
    'awq',
    'bitsandbytes',
    'gptq',
    'aqlm',
    'quanto',
    'quark',
    'fouroversix',
    'fp_quant',
    'eetq',
    'higgs',
    'hqq',
    'compressed-tensors',
  ],
  ...[
    'fbgemm_fp8',
    'torchao',
    'bitnet',
    'vptq',
    'spqr',
    'fp8',
    'gguf',
    'nvfp4',
    'mxfp8',
    'auto-round',
    'mxfp4',
    'metal',
    'sinq',
    'gemma',
  ],
]);

/** Methods of other programs, by the one that people load them with. */
const otherLoaders: ReadonlyMap<string, string> = new Map([
  ['MLX', 'mlx-lm'],
  ['modelopt', 'vLLM'],
  ['modelopt_fp4', 'vLLM'],
  ['exl2', 'ExLlamaV2'],
  ['exl3', 'ExLlamaV3'],
]);

/**
 * The check of a model with who loads its weights.
 * @throws FormatError `cancelled`
 */
export async function withLoader(model: ModelCheck, read: ReadResult, context: ReadContext): Promise<ModelCheck> {
  if (model.framework !== 'transformers') return model;
  const config = read.side.json.get('config.json');
  const form = formOf(read);
  const settings = [config, memberOf(config, 'text_config')].map((part) => memberOf(part, 'quantization_config')).find(isObject);
  if (isObject(memberOf(config, 'quantization')) && form.packed > 0) return byOther(model, 'MLX');
  if (settings === undefined) {
    const beside = await jsonBeside(read, context, 'hf_quant_config.json');
    if (memberOf(memberOf(beside, 'producer'), 'name') === 'modelopt') return byOther(model, 'modelopt');
    return form.scaled === undefined ? model : withoutScales(model, form.scaled);
  }
  const method = memberOf(settings, 'quant_method');
  const isOfBits = memberOf(settings, 'load_in_4bit') === true || memberOf(settings, 'load_in_8bit') === true;
  if (isOfBits || (typeof method === 'string' && ofTransformers.has(method))) return model;
  if (typeof method !== 'string') return withoutMethod(model);
  return otherLoaders.has(method) ? byOther(model, method) : byNone(model, method, form);
}

interface WeightForm {
  /** Matrices of integers. */
  packed: number;
  /** Matrices of 8-bit floats that have scales beside them, and the first of them; undefined without any. */
  scaled: { tensors: number; tensor: string } | undefined;
}

function formOf({ parts }: ReadResult): WeightForm {
  const { tensors } = parts;
  const form: WeightForm = { packed: 0, scaled: undefined };
  let [floats, first, hasScales] = [0, '', false];
  for (const { row } of ownWeights(parts)) {
    const dtype = tensors.dtypeOf(row);
    if (tensors.rankOf(row) === 2 && !isFloatDtype(dtype)) form.packed += 1;
    else if (tensors.rankOf(row) === 2 && dtype.startsWith('f8')) {
      floats += 1;
      if (first === '') first = tensors.nameOf(row);
    }
    hasScales ||= floats > 0 && /\.weight_scale(?:_inv)?$/.test(tensors.nameOf(row));
  }
  if (hasScales) form.scaled = { tensors: floats, tensor: first };
  return form;
}

/** What keeps transformers from loading it does not matter to another program, for which names alone are compared. */
function byOther(model: ModelCheck, method: string): ModelCheck {
  const loader = otherLoaders.get(method) ?? '';
  const findings = model.findings.filter(({ code }) => code !== 'quantization-config-missing');
  const isQuantized = findings.length < model.findings.length;
  return {
    ...model,
    framework: loader,
    ...(isQuantized ? { verdict: 'loads' as const, why: '' } : {}),
    notChecked: [
      ...model.notChecked,
      { what: 'quantization', detail: `transformers has no quantizer for the weights of ${method}` },
    ],
    findings: [...findings, { code: 'quantization-of-other-loader', path: 'config.json', facts: { method, loader } }],
  };
}

function byNone(model: ModelCheck, method: string, { packed, scaled }: WeightForm): ModelCheck {
  const isPlain = packed === 0 && scaled === undefined;
  const verdict = packed > 0 ? 'fails' : 'loads-with-warnings';
  const isWorse = !isPlain && model.verdict !== 'fails';
  return {
    ...model,
    ...(isWorse ? { verdict, why: `transformers has no quantizer for ${method}, and takes the weights for plain ones.` } : {}),
    findings: [...model.findings, { code: 'quantization-of-other-loader', path: 'config.json', facts: { method, loader: '' } }],
  };
}

function withoutMethod(model: ModelCheck): ModelCheck {
  return {
    ...model,
    verdict: 'fails',
    why: 'The quantization_config of config.json names no quant_method.',
    findings: [...model.findings, { code: 'quantization-method-missing', path: 'config.json' }],
  };
}

function withoutScales(model: ModelCheck, scaled: { tensors: number; tensor: string }): ModelCheck {
  if (model.verdict === 'fails') return model;
  return {
    ...model,
    verdict: 'loads-with-warnings',
    why: 'The weights have scales, and config.json has no quantization_config: they are taken without them.',
    findings: [...model.findings, { code: 'quantization-config-missing', path: 'config.json', facts: scaled }],
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
