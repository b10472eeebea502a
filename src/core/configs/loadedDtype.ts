/** In what the weights of a model are loaded where a run sets no dtype, or "auto". */
import type { CountedModel } from './countModel.js';
import { modelDtype } from './storage/modelDtype.js';
import type { Precision, TrainingPlan } from './trainingPlan.js';

export interface LoadedDtype {
  dtype: Precision;
  /** Its config sets none or was not found, so that the usual one of its kind is taken. */
  isAssumed: boolean;
}

/** Types that were published before configs had a dtype, in 32 bits. */
const wideTypes: ReadonlySet<string> = new Set([
  ...[
    'albert',
    'bert',
    'camembert',
    'deberta',
    'distilbert',
    'electra',
    'longformer',
    'mpnet',
    'roberta',
    'xlm-roberta',
    'xlnet',
  ],
  ...['bart', 'led', 'longt5', 'marian', 'mbart', 'm2m_100', 'mt5', 'pegasus', 't5', 'umt5'],
  ...['gpt2', 'gpt_bigcode', 'gpt_neo', 'gptj'],
  ...['beit', 'deit', 'hubert', 'resnet', 'swin', 'vit', 'wav2vec2', 'whisper'],
]);

/**
 * Without a dtype `from_pretrained` of transformers 5 takes that of the model's config, and where it sets none, that of its weights (modeling_utils.py,
 * from_pretrained and _get_dtype). Null where the plan decides it otherwise.
 */
export function loadedDtype(
  { loadedDtype: decided, parameterDtype }: TrainingPlan,
  model: CountedModel | null,
): LoadedDtype | null {
  if (decided === undefined || parameterDtype !== undefined) return null;
  const given = model?.fields == null ? undefined : modelDtype(model.fields);
  if (given !== undefined && given !== 'f8') return { dtype: given, isAssumed: false };
  return { dtype: wideTypes.has(model?.modelType ?? '') ? 'f32' : 'bf16', isAssumed: true };
}
