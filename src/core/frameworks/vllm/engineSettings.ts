/** Options that engines which serve models have alike, under names of their own. */
import type { Fields } from '../../configs/fields.js';
import type { LoadingQuantization, ServingSettings } from '../../configs/servingSettings.js';
import { entryOf } from '../../text/entryOf.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { tokenCount } from '../../configs/values/tokenCount.js';

/** What is quantized while it is loaded; other methods name what the weights are in already. */
const methods: Readonly<Record<string, LoadingQuantization>> = { bitsandbytes: 'bnb-4bit', fp8: 'fp8' };

/**
 * vllm/engine/arg_utils.py, sglang/srt/server_args.py.
 * @param names of the longest sequence, of the most sequences at once, and of tensor-parallel ranks
 */
export function engineSettings(
  fields: Fields,
  names: { context: string; sequences: string; ranks: readonly string[] },
): ServingSettings {
  return {
    contextTokens: tokenCount(fields, names.context),
    sequences: positive(fields.integer(names.sequences)),
    dtype: precisionOf(fields.text('dtype')),
    isSixteenBits: true,
    quantization: quantizationOf(fields.text('torchao_config') ?? fields.text('quantization', 'q')),
    cacheDtype: cacheDtypeOf(fields.text('kv_cache_dtype')),
    ignoresWindows: fields.flag('disable_hybrid_kv_cache_manager'),
    ranks: positive(fields.integer(...names.ranks)),
  };
}

function quantizationOf(name: string | undefined): ServingSettings['quantization'] {
  if (name === undefined) return undefined;
  return entryOf(methods, name) ?? { other: name };
}

/** `fp8`, `fp8_e4m3`, `fp8_e5m2`, `bfloat16`; undefined for `auto`, that of the model; `other` for what is not known. */
function cacheDtypeOf(name: string | undefined): ServingSettings['cacheDtype'] {
  if (name === undefined || name === 'auto') return undefined;
  return name.startsWith('fp8') ? 'f8' : (precisionOf(name) ?? 'other');
}
