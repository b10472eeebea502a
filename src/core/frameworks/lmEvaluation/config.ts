/** lm-evaluation-harness (lm_eval/__main__.py): `lm_eval --model hf --model_args pretrained=MODEL,dtype=bfloat16 --batch_size 8`. */
import type { ConfigKind } from '../../configs/configKind.js';
import { isLmEvaluation } from '../../configs/document/servers.js';
import { Fields } from '../../configs/fields.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import { positive, wholeNumber } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { tokenCount } from '../../configs/values/tokenCount.js';

/** Those of its models that load weights here; others ask a server. */
const loaders: ReadonlySet<string> = new Set(['hf', 'hf-auto', 'huggingface', 'vllm', 'sglang']);

export const lmEvaluation: ConfigKind = {
  id: 'lm-evaluation',
  match: ({ document, fields }) =>
    document.syntax === 'shell' &&
    isLmEvaluation(document.programs) &&
    loaders.has(fields.text('model') ?? 'hf') &&
    (fields.text('model_args') ?? '').includes('pretrained='),
  read({ fields }) {
    const options = optionsOf(fields.text('model_args') ?? '');
    const name = options.text('pretrained');
    return {
      model: name === undefined ? null : { kind: 'named', name, key: 'model_args' },
      plan: planOf({
        tensorParallel: ranksOf(options),
        dataParallel: positive(wholeNumber(options.scalar('data_parallel_size', 'dp_size'))),
      }),
      serving: settingsOf(fields, options),
    };
  },
};

function ranksOf(options: Fields): number | undefined {
  return positive(wholeNumber(options.scalar('tensor_parallel_size', 'tp_size')));
}

function settingsOf(fields: Fields, options: Fields): ServingSettings {
  const isHub = !['vllm', 'sglang'].includes(fields.text('model') ?? 'hf');
  const isOn = (name: string) => options.text(name)?.toLowerCase() === 'true';
  const fourBits = !isOn('load_in_4bit') ? undefined : isOn('bnb_4bit_use_double_quant') ? 'bnb-double' : 'bnb-4bit';
  return {
    contextTokens: tokenCount(options, 'max_length', 'max_model_len', 'context_length'),
    // `auto`, `auto:4`: as many as fit.
    sequences: positive(wholeNumber(fields.scalar('batch_size'))),
    dtype: precisionOf(options.text('dtype')),
    quantization: fourBits ?? (isOn('load_in_8bit') ? 'bnb-8bit' : undefined),
    ...(isHub ? { leavesExperts: true as const } : { isSixteenBits: true as const, ranks: ranksOf(options) }),
  };
}

/** `pretrained=NAME,dtype=float16` as fields; what has no value is left out. */
function optionsOf(text: string): Fields {
  const values: [string, string][] = [];
  for (const option of text.split(',')) {
    const at = option.indexOf('=');
    if (at > 0) values.push([option.slice(0, at).trim(), option.slice(at + 1).trim()]);
  }
  return Fields.fromValues(Object.fromEntries(values));
}
