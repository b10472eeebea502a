/**
 * Who loads quantized weights: the quantizers of transformers (transformers/quantizers/auto.py, 5.24) by `quant_method`, or another program. transformers
 * loads weights of a method that it does not know as plain ones, with a warning, and refuses a quantization_config without a method.
 */
import type { ReadResult } from '../checkpoints/readFiles.js';
import { ownWeights } from '../checkpoints/ownWeights.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import type { FindingCode } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isFloatDtype } from '../tensors/dtype.js';
import { jsonBeside } from './filesBeside.js';
import { refusal, refusedInWords } from './modelCheck.js';
import type { ModelCheck } from './comparedModel.js';
import { refusedQuantization } from './refusedQuantization.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';
import { otherLoaders, quantizationSettings, quantizerOf } from './tensors/quantizers.js';

/**
 * The check of a model with who loads its weights.
 * @throws FormatError `cancelled`
 */
export async function withLoader(model: ModelCheck, read: ReadResult, context: ReadContext): Promise<ModelCheck> {
  if (model.framework !== 'transformers') return model;
  const config = read.side.json.get('config.json');
  const setting = refusedQuantization(config);
  if (setting !== undefined) return refusedBy(model, setting);
  const form = formOf(read);
  const settings = quantizationSettings(config);
  const isPlain = settings === undefined || quantizerOf(settings) === undefined;
  if (isPlain && !form.hasFloats && !namesDtype(config)) return refusedBy(model, dtypeOfIntegers);
  if (isObject(memberOf(config, 'quantization')) && form.packed > 0) return byOther(model, 'MLX');
  if (settings === undefined) {
    const beside = await jsonBeside(read, context, 'hf_quant_config.json');
    if (memberOf(memberOf(beside, 'producer'), 'name') === 'modelopt') return byOther(model, 'modelopt');
    return form.scaled === undefined ? model : withoutScales(model, form.scaled);
  }
  if (quantizerOf(settings) !== undefined) return model;
  const method = settings['quant_method'];
  if (method === undefined || method === null) return withoutMethod(model);
  if (typeof method !== 'string') return byNone(model, inWords(method));
  return otherLoaders.has(method) ? byOther(model, method) : byNone(model, method);
}

/** Without a dtype in the config, transformers takes that of the first tensor of floats, else of the first (transformers/modeling_utils.py: _get_dtype). */
const dtypeOfIntegers: RefusedSetting = {
  key: 'dtype',
  value: 'nothing',
  needed: 'a floating-point type beside tensors of integers alone',
  isCertain: true,
};

function namesDtype(config: unknown): boolean {
  return [config, memberOf(config, 'text_config')].some((part) =>
    ['dtype', 'torch_dtype'].some((key) => typeof memberOf(part, key) === 'string'),
  );
}

interface WeightForm {
  /** Matrices of integers. */
  packed: number;
  /** Some tensor is of floats. */
  hasFloats: boolean;
  /** Matrices of 8-bit floats that have scales beside them, and the first of them; undefined without any. */
  scaled: { tensors: number; tensor: string } | undefined;
}

function formOf({ parts }: ReadResult): WeightForm {
  const { tensors } = parts;
  const form: WeightForm = { packed: 0, hasFloats: false, scaled: undefined };
  let [floats, first, hasScales] = [0, '', false];
  for (const { row } of ownWeights(parts)) {
    const dtype = tensors.dtypeOf(row);
    form.hasFloats ||= isFloatDtype(dtype);
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
  return {
    ...model,
    framework: loader,
    notChecked: [
      ...model.notChecked,
      { what: 'quantization', detail: `transformers has no quantizer for the weights of ${method}` },
    ],
    findings: [...model.findings, { code: 'quantization-of-other-loader', path: 'config.json', facts: { method, loader } }],
  };
}

/** What tensors are to a quantizer, which is not made. */
const ofForm: ReadonlySet<FindingCode> = new Set<FindingCode>(['quantization-config-missing', 'quantization-form-differs']);

function refusedBy(model: ModelCheck, setting: RefusedSetting): ModelCheck {
  if (model.verdict === 'fails' && model.findings.some(({ code }) => code === 'config-value-refused')) return model;
  const findings = model.findings.filter(({ code }) => !ofForm.has(code));
  return { ...model, verdict: 'fails', why: refusedInWords(setting), findings: [...findings, refusal(setting)] };
}

/** With a warning, and as if there were no quantization_config. */
function byNone(model: ModelCheck, method: string): ModelCheck {
  const findings = model.findings.filter(({ code }) => code !== 'quantization-config-missing');
  return { ...model, findings: [...findings, { code: 'quantization-method-unknown', path: 'config.json', facts: { method } }] };
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
  if (model.verdict === 'fails' || model.findings.some(({ code }) => code === 'quantization-config-missing')) return model;
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
