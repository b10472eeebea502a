/** Modules that hold a model without its head in transformers. */

/**
 * What classes call their base model (`base_model_prefix` of transformers 5.24): the one level that it adds or takes off on load. A model that is a
 * part of another one, `language_model.`, is not looked for there.
 */
export const baseNames: ReadonlySet<string> = new Set([
  ...['model', 'transformer', 'backbone', 'vision_model', 'text_model', 'bert', 'roberta', 'longformer', 'ernie', 'mpnet'],
  ...['electra', 'albert', 'deberta', 'roberta_prelayernorm', 'distilbert', 'led', 'esm', 'nomic_bert', 'layoutlm', 'gte'],
  ...['data2vec_text', 'vit', 'deit', 'beit', 'data2vec_vision', 'dinov2', 'dinov2_with_registers', 'swin', 'swinv2', 'donut'],
  ...['convnext', 'convnextv2', 'resnet', 'clip', 'siglip', 'siglip2', 'wav2vec2', 'hubert', 'wavlm', 'wav2vec2_bert', 'blip'],
  ...['audio_spectrogram_transformer', 'convbert', 'switch_transformers', 'biogpt', 'cpmant', 'gpt_neox', 'gpt_neox_japanese'],
  ...['rwkv'],
]);
