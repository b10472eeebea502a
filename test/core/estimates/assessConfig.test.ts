import { expect, it } from 'vitest';
import { stepOfKey } from '../../../src/core/estimates/keySteps.js';
import { intervalKeys, keepKeys } from '../../../src/core/estimates/saveKeys.js';
import { estimateText } from '../../builders/estimateText.js';

const torchtune = `
model:
  _component_: torchtune.models.llama3_1.llama3_1_8b
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
optimizer:
  _component_: torch.optim.AdamW
epochs: 10
max_steps_per_epoch: 1000
batch_size: 2
save_every_n_steps: 100
output_dir: /tmp/run
`;

it('marks the interval of a torchtune config that keeps every checkpoint', async () => {
  const { estimate } = await estimateText('full.yaml', torchtune);
  const fact = estimate.facts.find(({ code }) => code === 'every-checkpoint-kept');
  expect(fact?.key.path).toEqual(['save_every_n_steps']);
});

it('shows what one more kept checkpoint and half as many saves are worth, for every key that says so', () => {
  for (const key of keepKeys) expect(stepOfKey([key])?.next(3), key).toBe(4);
  for (const key of intervalKeys) expect(stepOfKey([key])?.next(100), key).toBe(200);
});
