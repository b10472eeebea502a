import { expect, it } from 'vitest';
import { countModel } from '../../../../src/core/configs/countModel.js';
import { readText } from '../../configs/readConfigFixture.js';

const sizes = ['hidden_size: 64', 'num_layers: 4', 'num_attention_heads: 4', 'vocab_size: 1000', 'seq_length: 128'];
const megatron = (experts: string): string => [...sizes, 'num_experts: 8', experts, 'train_iters: 10'].join('\n');
const nemo = (experts: string): string =>
  ['exp_manager: {}', 'model:', ...[...sizes, 'num_moe_experts: 8', experts].map((line) => `  ${line}`)].join('\n');

it.each([
  ['Megatron', 'config.yaml', megatron, ['moe_layer_freq']],
  ['NeMo', 'gpt.yaml', nemo, ['model', 'moe_layer_freq']],
])('%s: layers with experts', async (_, name, text, key) => {
  const parametersOf = async (experts: string): Promise<number | undefined> => {
    const read = await readText(name, text(experts));
    return read === null ? undefined : (await countModel(read.reading.model, read.access)).model?.counts.unique;
  };
  const every = await parametersOf('moe_layer_freq: 2');
  expect(every).toBeGreaterThan(0);
  expect(await parametersOf('moe_layer_freq: [1, 0, 1, 0]')).toBe(every);
  expect(await parametersOf('moe_layer_freq: ([1,0]*2)')).toBe(every);
  expect(await parametersOf('moe_layer_freq: 1')).toBeGreaterThan(every ?? 0);

  const unreadable = await readText(name, text('moe_layer_freq: [1, 0, 1]'));
  expect(unreadable?.reading.model).toBeNull();
  expect(unreadable?.file.fields.problems).toMatchObject([{ code: 'invalid-value', path: key }]);
});
