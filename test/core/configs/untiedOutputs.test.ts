/** Whether the output layer of an encoder-decoder is its embedding, against transformers 5.24 on the meta device and the published files. */
import { expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const v11Base = {
  d_ff: 2048,
  d_kv: 64,
  d_model: 768,
  num_heads: 12,
  num_layers: 12,
  vocab_size: 32_128,
  feed_forward_proj: 'gated-gelu',
  is_encoder_decoder: true,
};
const embedding = 32_128 * 768;

async function reportOf(config: object) {
  return (await estimateText('config.json', JSON.stringify({ ...v11Base, ...config }))).report;
}

const kin = [
  { model_type: 't5', architectures: ['T5ForConditionalGeneration'] },
  { model_type: 'mt5', architectures: ['MT5ForConditionalGeneration'] },
  { model_type: 'umt5', architectures: ['UMT5ForConditionalGeneration'] },
  { model_type: 'longt5', architectures: ['LongT5ForConditionalGeneration'] },
];

it.each(kin)('of $model_type as releases before 5 saved it is its own layer where the file sets that', async (config) => {
  const tied = (await reportOf(config)).parameters?.unique ?? 0;
  const of = async (more: object) => (await reportOf({ ...config, tie_word_embeddings: false, ...more })).parameters?.unique;
  expect(await of({ transformers_version: '4.23.1' })).toBe(tied + embedding);
  expect(await of({ output_past: true })).toBe(tied + embedding);
  expect(await of({ torch_dtype: 'float32' })).toBe(tied + embedding);
  expect(await of({ tie_word_embeddings: true, transformers_version: '4.23.1' })).toBe(tied);
  expect(await of({ transformers_version: '5.24.0' })).toBe(tied);
});

it.each(kin)(
  'of $model_type without a version is that of transformers 5, and what a checkpoint may have is said',
  async (config) => {
    const report = await reportOf({ ...config, tie_word_embeddings: false });
    expect(report.parameters?.extras).toEqual([{ name: 'output-layer', parameters: embedding }]);
    expect(report.assumptions.map(({ text }) => text)).toContainEqual(expect.stringContaining('24,674,304 parameters more'));
    const own = await reportOf({ ...config, tie_word_embeddings: false, transformers_version: '4.23.1' });
    expect(own.parameters?.extras).toEqual([]);
    expect(own.assumptions.filter(({ text }) => text.includes('output layer'))).toEqual([]);
  },
);

it('t5-v1_1-base has 222,903,552 parameters as transformers 5 makes it, and 247,577,856 as published', async () => {
  const config = { model_type: 't5', architectures: ['T5ForConditionalGeneration'], tie_word_embeddings: false };
  expect((await reportOf(config)).parameters?.unique).toBe(222_903_552);
  expect((await reportOf({ ...config, n_positions: 512, output_past: true })).parameters?.unique).toBe(247_577_856);
});

it.each([
  [{ architectures: ['SwitchTransformersForConditionalGeneration'] }, undefined, 443_072],
  [{ architectures: ['SwitchTransformersForConditionalGeneration'] }, true, 443_072],
  [{ architectures: ['SwitchTransformersForConditionalGeneration'] }, false, 635_072],
  [{ architectures: ['SwitchTransformersModel'] }, false, 571_072],
])('of Switch Transformers and its stacks’ embeddings follow the key: %j, %s', async (config, isTied, parameters) => {
  const sizes = { d_model: 64, d_kv: 8, d_ff: 128, num_layers: 2, num_decoder_layers: 3, num_heads: 4, vocab_size: 1000 };
  const experts = { num_sparse_encoder_layers: 1, num_sparse_decoder_layers: 1, feed_forward_proj: 'relu' };
  const tied = isTied === undefined ? {} : { tie_word_embeddings: isTied };
  const report = await reportOf({ model_type: 'switch_transformers', ...config, ...sizes, ...experts, ...tied });
  expect(report.parameters?.unique).toBe(parameters);
});
