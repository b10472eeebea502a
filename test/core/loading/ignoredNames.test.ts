/** Tensors beside those of a model, of which transformers 5.24 tells or not: `unexpected_keys` of its loading info. */
import { describe, expect, it } from 'vitest';
import { ignoredNames, type IgnoredNames } from '../../../src/core/loading/tensors/ignoredNames.js';
import { inspectModel, tinyBert, tinyGpt2, tinyLlama, type TinyModel } from '../../builders/tinyModels.js';

const of = (modelType: string, className: string, numbers: Record<string, number> = {}): IgnoredNames =>
  ignoredNames({
    modelType,
    className,
    isOfTransformers: true,
    numberOf: (key) => numbers[key] ?? 0,
    isOff: (key) => numbers[key] === 0,
  });

const told: readonly [string, string, string][] = [
  ['bert', 'BertModel', 'encoder.version'],
  ['bart', 'BartModel', 'mtp.fc.weight'],
  ['deberta-v2', 'DebertaV2ForSequenceClassification', 'lm_predictions.mask_predictions.dense.weight'],
  ['deepseek_v3', 'DeepseekV3ForCausalLM', 'model.mtp.fc.weight'],
  ['gpt2', 'GPT2LMHeadModel', 'transformer.h.N.attn.masked_bias'],
  ['qwen3_moe', 'Qwen3MoeForCausalLM', 'mtp.fc.weight'],
  ['t5', 'T5ForConditionalGeneration', 'decoder.extra.weight'],
];
const silent: readonly [string, string, string][] = [
  ['bart', 'BartModel', 'encoder.version'],
  ['bert', 'BertModel', 'embeddings.position_ids'],
  ['deberta-v2', 'DebertaV2ForMaskedLM', 'lm_predictions.mask_predictions.dense.weight'],
  ['deberta-v2', 'DebertaV2Model', 'embeddings.position_embeddings.weight'],
  ['esm', 'EsmForMaskedLM', 'esm.embeddings.position_embeddings.weight'],
  ['gpt2', 'GPT2LMHeadModel', 'transformer.h.N.attn.bias'],
  ['gptj', 'GPTJForCausalLM', 'transformer.h.N.attn.masked_bias'],
  ['gpt_neox', 'GPTNeoXForCausalLM', 'gpt_neox.layers.N.attention.masked_bias'],
  ['llama', 'LlamaForCausalLM', 'model.layers.N.self_attn.rotary_emb.inv_freq'],
  ['qwen3_next', 'Qwen3NextForCausalLM', 'mtp.fc.weight'],
  ['t5', 'T5EncoderModel', 'decoder.block.N.layer.N.DenseReluDense.wi.weight'],
];

describe('a tensor that the model has not', () => {
  it.each(told)('is told of: %s, %s, %s', (modelType, className, key) => {
    const { isBuffer, isLeftOut } = of(modelType, className);
    expect([isBuffer(key), isLeftOut(key)]).toEqual([false, false]);
  });

  it.each(silent)('is left out: %s, %s, %s', (modelType, className, key) => {
    expect(of(modelType, className).isLeftOut(key)).toBe(true);
  });

  it('is left out in layers by their number', () => {
    const key = 'model.layers.N.eh_proj.weight';
    const glm = of('glm4_moe', 'Glm4MoeForCausalLM').isLeftOutLayer;
    expect([45, 46, 47, 92].map((layer) => glm(key, layer, 46))).toEqual([false, true, false, true]);
    const ling = of('bailing_hybrid', 'BailingHybridForCausalLM', { num_nextn_predict_layers: 1 }).isLeftOutLayer;
    expect([5, 6, 7].map((layer) => ling(key, layer, 6))).toEqual([false, true, false]);
    const gemma = of('gemma3n_text', 'Gemma3nForCausalLM', { num_kv_shared_layers: 2 }).isLeftOutLayer;
    const keys = 'model.layers.N.self_attn.k_proj.weight';
    expect([1, 2, 3].map((layer) => gemma(keys, layer, 4))).toEqual([false, true, true]);
  });

  it('may be a buffer of the class', () => {
    expect(of('bart', 'BartForConditionalGeneration').isBuffer('final_logits_bias')).toBe(true);
    expect(of('t5', 'T5ForConditionalGeneration').isBuffer('final_logits_bias')).toBe(false);
    const biased = (numbers: Record<string, number>): boolean =>
      of('lfm2_moe', 'Lfm2MoeForCausalLM', numbers).isBuffer('model.layers.N.feed_forward.expert_bias');
    expect([biased({}), biased({ use_expert_bias: 0 })]).toEqual([true, false]);
    expect(of('resnet', 'ResNetModel').isBuffer('embedder.embedder.normalization.running_mean')).toBe(true);
  });

  it('is not known where the class is in code beside the weights', () => {
    const other = ignoredNames({
      modelType: 'llama',
      className: '',
      isOfTransformers: false,
      numberOf: () => 1,
      isOff: () => false,
    });
    expect(other.isLeftOut('mtp.fc.weight')).toBe(true);
    expect(other.isBuffer('transformer.h.N.attn.masked_bias')).toBe(true);
    expect(other.isLeftOutLayer('model.layers.N.eh_proj.weight', 4, 4)).toBe(true);
  });
});

const unexpectedIn = async ({ config, tensors }: TinyModel, name: string, shape = [2]): Promise<unknown> => {
  const { load } = await inspectModel(config, { ...tensors, [name]: shape });
  return [load?.verdict, ...(load?.unexpected ?? []).map((tensor) => tensor.name)];
};

describe('a file with more than the model', () => {
  it('is told of as transformers tells', async () => {
    expect(await unexpectedIn(tinyGpt2, 'transformer.h.0.attn.bias')).toEqual(['loads']);
    const masked = 'transformer.h.0.attn.masked_bias';
    expect(await unexpectedIn(tinyGpt2, masked)).toEqual(['loads-with-warnings', masked]);
    expect(await unexpectedIn(tinyBert, 'bert.embeddings.position_ids')).toEqual(['loads']);
    expect(await unexpectedIn(tinyBert, 'mtp.fc.weight')).toEqual(['loads-with-warnings', 'mtp.fc.weight']);
    expect(await unexpectedIn(tinyLlama, 'model.layers.0.self_attn.rotary_emb.inv_freq')).toEqual(['loads']);
  });

  it('may have layers that predict further tokens', async () => {
    const layer = 'model.layers.1.eh_proj.weight';
    expect(await unexpectedIn(tinyLlama, layer)).toEqual(['loads-with-warnings', layer]);
    const own = { ...tinyLlama, config: { ...tinyLlama.config, num_nextn_predict_layers: 1 } };
    expect(await unexpectedIn(own, layer)).toEqual(['loads-with-warnings', layer]);
    const coded = { ...own, config: { ...own.config, auto_map: { AutoModelForCausalLM: 'modeling.Model' } } };
    expect(await unexpectedIn(coded, layer)).toEqual(['loads']);
  });
});
