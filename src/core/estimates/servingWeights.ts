/** What a model's weights take in memory once they are loaded to serve. */
import { isExpert } from '../configs/architectures/moduleNames.js';
import { countGroups } from '../configs/architectures/tensorGroup.js';
import type { CountedModel } from '../configs/countModel.js';
import { Fields } from '../configs/fields.js';
import { loadedDtype } from '../configs/loadedDtype.js';
import { precisionBytes } from '../configs/precision.js';
import type { ServingSettings } from '../configs/servingSettings.js';
import { modelDtype } from '../configs/storage/modelDtype.js';
import type { StoredModel } from '../configs/storage/storedModel.js';
import { storedWeights } from '../configs/storage/storedWeights.js';
import type { Precision } from '../configs/trainingPlan.js';
import { entryOf } from '../text/entryOf.js';

/** `model`: its own config sets dtype or quantization; `given`: the config that loads it does; `assumed`: neither does, and it is the usual one of its type. */
export type ServingBasis = 'model' | 'given' | 'assumed';

export interface ServingWeights extends StoredModel {
  basis: ServingBasis;
}

/**
 * Null where neither config sets a dtype, unless the model is loaded by `settings`, and for methods of quantization whose bytes are not known.
 * @param stored the weights as the model's own config has them
 */
export function servingWeights(
  model: CountedModel,
  stored: StoredModel | null,
  settings: ServingSettings | undefined,
): ServingWeights | null {
  const isPlain = settings?.storedAs === 'plain';
  // Weights that are quantized are loaded as they are.
  const isQuantized = !isPlain && (model.fields?.at('quantization_config').keys.length ?? 0) > 0;
  if (settings === undefined || isQuantized) return stored === null ? null : { ...stored, basis: 'model' };
  const { dtype, basis } = servingDtype(model, settings);
  if (settings.storedAs !== undefined && !isPlain) return quantizedWeights(model, settings.storedAs, { dtype, basis: 'assumed' });
  const { quantization, leavesExperts } = settings;
  if (quantization === undefined) return { bytes: model.counts.unique * precisionBytes[dtype], as: dtype, basis };
  if (typeof quantization === 'object') return null;
  return quantizedWeights(model, quantization, { dtype, basis: 'given', leavesExperts });
}

/** What a model that is not quantized is loaded in. */
export function servingDtype(model: CountedModel, settings: ServingSettings): { dtype: Precision; basis: ServingBasis } {
  if (settings.dtype !== undefined) return { dtype: settings.dtype, basis: 'given' };
  const given = model.fields === null ? undefined : modelDtype(model.fields);
  const { dtype, isAssumed } = loadedDtype({ loadedDtype: 'of-model' }, model) ?? { dtype: given ?? 'bf16', isAssumed: true };
  const basis = isAssumed ? 'assumed' : 'model';
  return settings.isSixteenBits === true && dtype === 'f32' ? { dtype: 'bf16', basis } : { dtype, basis };
}

/** What they are called, and a model's own config of them; of AWQ and GPTQ in the sizes that nearly all have. */
const quantizations: Readonly<Record<string, { as: string; config: Readonly<Record<string, unknown>> }>> = {
  'bnb-4bit': { as: 'bitsandbytes, 4 bits', config: { quant_method: 'bitsandbytes', load_in_4bit: true } },
  // Publishers quantize the scales as well.
  'bnb-double': {
    as: 'bitsandbytes, 4 bits',
    config: { quant_method: 'bitsandbytes', load_in_4bit: true, bnb_4bit_use_double_quant: true },
  },
  'bnb-8bit': { as: 'bitsandbytes, 8 bits', config: { quant_method: 'bitsandbytes', load_in_8bit: true } },
  fp8: { as: 'fp8', config: { quant_method: 'fp8' } },
  awq: { as: 'AWQ, 4 bits', config: { quant_method: 'awq', bits: 4, group_size: 128 } },
  gptq: { as: 'GPTQ, 4 bits', config: { quant_method: 'gptq', bits: 4, group_size: 128 } },
  'gptq-8bit': { as: 'GPTQ, 8 bits', config: { quant_method: 'gptq', bits: 8, group_size: 128 } },
};

interface QuantizedAs {
  dtype: Precision;
  basis: ServingBasis;
  leavesExperts?: true | undefined;
}

function quantizedWeights(
  { groups }: CountedModel,
  name: string,
  { dtype, basis, leavesExperts }: QuantizedAs,
): ServingWeights | null {
  const quantization = entryOf(quantizations, name);
  if (groups === null || quantization === undefined) return null;
  const plain = dtype === 'f32' ? 'bf16' : dtype;
  const bytesPerElement = precisionBytes[plain];
  const experts = leavesExperts === true ? groups.filter(isExpert) : [];
  const others = experts.length === 0 ? groups : groups.filter((group) => !isExpert(group));
  const weights = storedWeights(others, Fields.fromValues(quantization.config), { dtype: plain, bytesPerElement });
  const bytes = (weights?.bytes ?? 0) + (countGroups(experts)?.unique ?? 0) * bytesPerElement;
  return weights === null
    ? null
    : { bytes, as: experts.length === 0 ? quantization.as : `${quantization.as}; experts ${plain}`, basis };
}
