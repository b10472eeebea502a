/** bitsandbytes under GPT-NeoX: learned positions are a StableEmbedding, which has a norm and state in 32 bits. */
import { expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const config = (more: object) =>
  JSON.stringify({
    num_layers: 2,
    hidden_size: 64,
    num_attention_heads: 4,
    padded_vocab_size: 1024,
    max_position_embeddings: 128,
    train_micro_batch_size_per_gpu: 1,
    gpt_j_residual: false,
    checkpoint_factor: 10,
    train_iters: 100,
    save: 'out',
    ...more,
  });

const sizeOf = async (more: object) => {
  const { estimate } = await estimateText('neox.json', config(more));
  const state = estimate.size.terms.filter(({ name }) => /Moment/.test(name));
  return { unique: estimate.model?.counts.unique ?? NaN, stateBytes: state.reduce((sum, { bytes }) => sum + (bytes ?? NaN), 0) };
};

it('adds a norm to learned positions', async () => {
  const plain = await sizeOf({});
  expect((await sizeOf({ use_bnb_optimizer: true })).unique).toBe(plain.unique + 2 * 64);
  const rotary = await sizeOf({ pos_emb: 'rotary' });
  expect((await sizeOf({ pos_emb: 'rotary', use_bnb_optimizer: true })).unique).toBe(rotary.unique);
});

it('keeps state of the words in 8 bits', async () => {
  const { unique, stateBytes } = await sizeOf({ pos_emb: 'rotary', use_bnb_optimizer: true });
  expect(stateBytes).toBeLessThan(3 * unique);
});
