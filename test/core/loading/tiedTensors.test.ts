/** Files that have one of several tied tensors, as transformers 5.24 loaded each: one is enough, whichever it is. */
import { describe, expect, it } from 'vitest';
import {
  inspectModel,
  linear,
  norm,
  tinyBert,
  tinyGpt2,
  tinyLlama,
  type Shapes,
  type TinyModel,
} from '../../builders/tinyModels.js';

const without = (tensors: Shapes, ...left: readonly string[]): Shapes =>
  Object.fromEntries(Object.entries(tensors).filter(([name]) => !left.includes(name)));

async function missingOf({ config, tensors }: TinyModel, settings: object = {}): Promise<string[] | undefined> {
  const { load } = await inspectModel({ ...config, ...settings }, tensors);
  return load?.missing.map(({ name }) => name).sort();
}

/** Without layers: the norms of both stacks, and the embedding under its four names. */
const tinyT5: TinyModel = {
  config: {
    ...{ model_type: 't5', architectures: ['T5ForConditionalGeneration'], vocab_size: 20, d_model: 16, d_kv: 4, d_ff: 24 },
    ...{ num_layers: 0, num_decoder_layers: 0, num_heads: 4, transformers_version: '5.24.0' },
  },
  tensors: {
    'shared.weight': [20, 16],
    'encoder.embed_tokens.weight': [20, 16],
    'encoder.final_layer_norm.weight': [16],
    'decoder.embed_tokens.weight': [20, 16],
    'decoder.final_layer_norm.weight': [16],
    'lm_head.weight': [20, 16],
  },
};

describe('an embedding', () => {
  const names = ['shared.weight', 'encoder.embed_tokens.weight', 'decoder.embed_tokens.weight', 'lm_head.weight'];

  it.each(names)('of T5 is there as %s', async (name) => {
    const tensors = without(tinyT5.tensors, ...names.filter((other) => other !== name));
    expect(await missingOf({ ...tinyT5, tensors })).toEqual([]);
  });

  it.each([
    { transformers_version: '4.40.0' },
    { transformers_version: '4.57.1' },
    { transformers_version: undefined, torch_dtype: 'float32' },
  ])('of T5 is its output layer, as release 5.24 has it, whatever an older one saved: %j', async (settings) => {
    const older = { tie_word_embeddings: false, ...settings };
    expect(await missingOf({ ...tinyT5, tensors: without(tinyT5.tensors, 'lm_head.weight') }, older)).toEqual([]);
    const { load } = await inspectModel({ ...tinyT5.config, ...older }, tinyT5.tensors);
    expect([load?.verdict, load?.counts.unexpected]).toEqual(['loads', 0]);
  });

  it('lacks with all its names', async () => {
    expect(await missingOf({ ...tinyT5, tensors: without(tinyT5.tensors, ...names) })).toEqual([...names].sort());
  });

  it('is there as the output layer that is tied to it', async () => {
    const llama = { ...tinyLlama, tensors: without(tinyLlama.tensors, 'model.embed_tokens.weight') };
    expect(await missingOf(llama, { tie_word_embeddings: true })).toEqual([]);
    expect(await missingOf(llama, { tie_word_embeddings: false })).toEqual(['model.embed_tokens.weight']);
    const gpt2 = without(tinyGpt2.tensors, 'transformer.wte.weight');
    expect(await missingOf({ ...tinyGpt2, tensors: { ...gpt2, 'lm_head.weight': [20, 16] } })).toEqual([]);
  });
});

describe('the decoder of BART', () => {
  const side = (name: string): Shapes => ({
    [`model.${name}.embed_tokens.weight`]: [20, 16],
    [`model.${name}.embed_positions.weight`]: [10, 16],
    ...norm(`model.${name}.layernorm_embedding`, 16),
  });
  const model = (type: string, className: string, tensors: Shapes): TinyModel => ({
    config: {
      ...{ model_type: type, architectures: [className], vocab_size: 20, d_model: 16, max_position_embeddings: 8 },
      ...{ encoder_layers: 0, decoder_layers: 0, encoder_ffn_dim: 24, decoder_ffn_dim: 24 },
    },
    tensors,
  });

  it('has the embedding of the whole model', async () => {
    const tensors = without({ ...side('decoder'), ...side('encoder') }, 'model.encoder.embed_tokens.weight');
    expect(await missingOf(model('bart', 'BartForConditionalGeneration', tensors))).toEqual([]);
  });

  it.each([
    ['bart', 'BartForCausalLM'],
    ['plbart', 'PLBartForCausalLM'],
  ])('loads by itself as %s', async (type, className) => {
    const { config, tensors } = model(type, className, side('decoder'));
    expect((await inspectModel(config, tensors)).load).toMatchObject({ verdict: 'loads', counts: { expected: 4, found: 4 } });
    const { load } = await inspectModel(config, { ...tensors, ...side('encoder'), final_logits_bias: [1, 20] });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 0, unexpected: 5 } });
  });
});

describe('the bias of a masked language model', () => {
  const tensors = {
    ...without(tinyBert.tensors, 'classifier.weight', 'classifier.bias', 'bert.pooler.dense.weight', 'bert.pooler.dense.bias'),
    ...linear('cls.predictions.transform.dense', 16),
    ...norm('cls.predictions.transform.LayerNorm', 16),
  };
  const model = (own: Shapes): TinyModel => ({
    config: { ...tinyBert.config, architectures: ['BertForMaskedLM'] },
    tensors: { ...tensors, ...own },
  });
  const names = ['cls.predictions.bias', 'cls.predictions.decoder.bias'];

  it.each(names)('is there as %s', async (name) => {
    expect(await missingOf(model({ [name]: [20] }))).toEqual([]);
  });

  it('lacks with both its names', async () => {
    expect(await missingOf(model({}))).toEqual(names);
  });

  it('is two where nothing is tied', async () => {
    const untied = model({ 'cls.predictions.decoder.bias': [20], 'cls.predictions.decoder.weight': [20, 16] });
    expect(await missingOf(untied, { tie_word_embeddings: false })).toEqual(['cls.predictions.bias']);
  });
});
