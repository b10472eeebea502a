import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const run = (data: string): string =>
  `${data}model:
  type: gpt2
  hidden_dim: 768
  num_layers: 12
  num_heads: 12
  seq_len: 1024
trainer:
  mp: p=f32,c=bfloat16
  train_batch_size: 8
  num_train_steps: 100
`;

const parametersBeside = 85_056_000 + 1024 * 768;

describe('levanter', () => {
  it.each([
    ['data:\n  tokenizer: gpt2\n', 50_257],
    ['data:\n  tokenizer: meta-llama/Llama-2-7b-hf\n  train_urls: [a.jsonl]\n', 32_000],
    ['data:\n  train_urls: [a.jsonl]\n', 50_257],
    ['data:\n  tokenizer: passthrough\n  vocab_size: 1000\n', 1000],
    ['', 50_257],
  ])('takes the vocabulary of %j, and finds nothing wrong with it', async (data, vocabulary) => {
    const { report } = await estimateText('train.yaml', run(data));
    expect(report.config).toBe('levanter');
    expect(report.findings).toEqual([]);
    expect(report.parameters?.unique).toBe(vocabulary * 768 + parametersBeside);
  });

  it('counts nothing where the size of a vocabulary is not there', async () => {
    for (const data of ['data:\n  tokenizer: passthrough\n', 'data: !include data/pile.yaml\n'])
      expect((await estimateText('train.yaml', run(data))).report.parameters).toBeNull();
  });

  it('takes the last batch of a schedule that is reached, and the tokens of all', async () => {
    const schedule = [0, 64, 64, 128, 90, 256, 500, 512];
    const stages = [0, 2, 4, 6].map((at) => `    - start: ${schedule[at]}\n      value: ${schedule[at + 1]}\n`).join('');
    const { report } = await estimateText('train.yaml', run('').replace(' 8\n', `\n${stages}`));
    expect(report.findings).toEqual([]);
    expect(report.training).toMatchObject({ steps: 100, globalBatch: 256 });
    expect(report.data?.tokens).toBe((64 * 64 + 26 * 128 + 10 * 256) * 1024);
  });
});
