/** Other values of the keys that decide an estimate: which there are, and what they come to. */
import { expect, it } from 'vitest';
import { changedEstimate, estimateConfig } from '../../../../src/app/estimates/estimateConfig.js';
import { InputError } from '../../../../src/app/useCaseError.js';
import { whatIfFields, whatIfResults } from '../../../../src/core/pages/estimate/whatIf.js';
import { sourcesOf } from '../../../builders/estimateText.js';

const trainer = (more: string) =>
  `model_name_or_path: meta-llama/Meta-Llama-3-8B\noutput_dir: out\nper_device_train_batch_size: 1\nbf16: true\nmax_steps: 10000\nsave_steps: 500\n${more}`;
const estimated = async (text: string, path = 'train.yaml') =>
  (await estimateConfig({ path, text }, { sources: sourcesOf({}), freeBytes: () => Promise.resolve(null) })) ?? expect.fail();
const lora = `base_model: meta-llama/Meta-Llama-3-8B\ndatasets:\n  - path: b\n    type: alpaca\nadapter: lora\nlora_r: 16\nlora_target_linear: true\nmicro_batch_size: 1\nmax_steps: 1000\nsave_steps: 100\nsave_total_limit: 3\noutput_dir: out\n`;

it('are the keys that the config has, with its own value among the steps', async () => {
  const { report } = await estimated(trainer('save_total_limit: 4'));
  const fields = whatIfFields(report);
  expect(fields.map(({ id }) => id)).toEqual(['optimizer', 'precision', 'keep', 'saveInterval']);
  for (const { steps } of fields) expect(steps.filter(({ value }) => value === null)).toHaveLength(1);
  expect(fields.find(({ id }) => id === 'keep')?.steps.map(({ label }) => label)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '10',
    '20',
    '50',
  ]);
  const all = whatIfFields((await estimated(trainer(''))).report).find(({ id }) => id === 'keep');
  expect(all?.steps.at(-1)).toEqual({ value: null, label: 'all' });
});

it('come to what the command line says of them', async () => {
  const base = await estimated(trainer('save_total_limit: 4'));
  const changed = await changedEstimate(base, { keep: 1, optimizer: 'lion' });
  const results = whatIfResults(base.report, changed);
  expect(results.map(({ label }) => label)).toEqual(['A checkpoint', 'Kept at the end', 'At once, at most', 'Written in all']);
  expect(changed.run.kept).toBe(1);
  expect(changed.checkpoint.bytes).toBeLessThan(base.report.checkpoint.bytes ?? 0);
  expect(whatIfResults(base.report, base.report).map(({ factor }) => factor)).toEqual(['', '', '', '']);
});

it('change the rank of an adapter, in proportion', async () => {
  const base = await estimated(lora, 'axolotl.yaml');
  expect(
    whatIfFields(base.report)
      .find(({ id }) => id === 'rank')
      ?.steps.find(({ value }) => value === null)?.label,
  ).toBe('16');
  const changed = await changedEstimate(base, { rank: 64 });
  expect(changed.checkpoint.bytes).toBe(4 * (base.report.checkpoint.bytes ?? 0));
  expect(changed.training.adapterRank).toBe(64);
  await expect(changedEstimate(base, { rank: 0 })).rejects.toThrow(InputError);
  await expect(changedEstimate(await estimated(trainer('')), { rank: 8 })).rejects.toThrow('the config has none');
});

it('are none where the size is not known', async () => {
  const { report } = await estimated(trainer('').replace('meta-llama/Meta-Llama-3-8B', 'somebody/unknown'));
  expect(whatIfFields(report)).toEqual([]);
});
