/**
 * What a class calls the base model in it (`base_model_prefix`, transformers 5.24): the one level of names that transformers adds or takes off on load
 * (core_model_loading.py: rename_source_key). A model that is a part of another one, `language_model.`, is not looked for there.
 */

/** Values of `model_type` by the name that their classes have; all others have `model`. */
const typesByBase: Readonly<Record<string, string>> = {
  albert: 'albert',
  audio_spectrogram_transformer: 'audio-spectrogram-transformer',
  backbone: 'mamba falcon_mamba mamba2 xlstm',
  beit: 'beit',
  bert: 'bert big_bird',
  biogpt: 'biogpt',
  blip: 'blip-2',
  clip: 'clip',
  convbert: 'convbert',
  convnext: 'convnext',
  convnextv2: 'convnextv2',
  cpmant: 'cpmant',
  data2vec_text: 'data2vec-text',
  data2vec_vision: 'data2vec-vision',
  deberta: 'deberta deberta-v2',
  deit: 'deit',
  dinov2: 'dinov2',
  dinov2_with_registers: 'dinov2_with_registers',
  distilbert: 'distilbert',
  donut: 'donut-swin',
  electra: 'electra',
  ernie: 'ernie',
  esm: 'esm',
  gpt_neox: 'gpt_neox',
  gpt_neox_japanese: 'gpt_neox_japanese',
  gte: 'gte',
  hubert: 'hubert',
  layoutlm: 'layoutlm',
  led: 'led',
  longformer: 'longformer',
  mpnet: 'mpnet',
  nomic_bert: 'nomic_bert',
  resnet: 'resnet',
  roberta: 'roberta xlm-roberta camembert xlm-roberta-xl',
  roberta_prelayernorm: 'roberta-prelayernorm',
  rwkv: 'rwkv',
  siglip: 'siglip',
  siglip2: 'siglip2',
  swin: 'swin',
  swinv2: 'swinv2',
  switch_transformers: 'switch_transformers',
  // The last ones are of code beside the weights.
  transformer:
    'gpt2 gpt-sw3 gpt_bigcode openai-gpt gpt_neo gptj codegen bloom falcon mpt ctrl xlnet t5 mt5 umt5 longt5 dbrx ' +
    'chatglm qwen exaone RefinedWeb RefinedWebModel',
  vit: 'vit vit_msn vit_mae',
  wav2vec2: 'wav2vec2',
  wav2vec2_bert: 'wav2vec2-bert',
  wavlm: 'wavlm',
  // A level that conversion_mapping.py adds or takes off.
  vision_model: 'clip_vision_model siglip_vision_model siglip2_vision_model',
  text_model: 'clip_text_model siglip_text_model siglip2_text_model',
};

const baseByType: ReadonlyMap<string, string> = new Map(
  Object.entries(typesByBase).flatMap(([base, types]) => types.split(' ').map((type) => [type, base] as const)),
);

/** Types whose `ForQuestionAnswering` has the model as `transformer`. */
const otherForAnswers: ReadonlySet<string> = new Set(
  'arcee diffllama exaone4 llama ministral nemotron qwen2 qwen3 qwen3_moe qwen3_next seed_oss smollm3'.split(' '),
);

/** Classes of one tower alone, which load it from a file of both (modeling_clip.py, modeling_siglip.py). */
const bareTower = /^(?:CLIP|Siglip2?)(Text|Vision)Model$/;

/** The base model's level in the names of a class, without the dot. @param className empty where the config names none */
export function baseNameOf(modelType: string, className: string): string {
  if (className.endsWith('ForQuestionAnswering') && otherForAnswers.has(modelType)) return 'transformer';
  const [, tower] = bareTower.exec(className) ?? [];
  return tower === undefined ? (baseByType.get(modelType) ?? 'model') : `${tower.toLowerCase()}_model`;
}

/** Every name that some class has for its base model. */
export const baseNames: ReadonlySet<string> = new Set(['model', 'transformer', ...Object.keys(typesByBase)]);
