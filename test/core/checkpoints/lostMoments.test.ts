/** Parameters of an optimizer that have no moments. */
import { describe, expect, it } from 'vitest';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const weights = buildSafetensors({
  tensors: Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`layers.${at}.weight`, { dtype: 'F32', shape: [4, 8] }])),
});

async function messagesOf(entries: readonly number[], params: readonly number[] | undefined): Promise<string[]> {
  const optimizer = torchState((tensor) => ({
    state: Object.fromEntries(entries.map((at) => [String(at), { exp_avg: tensor([4, 8]), exp_avg_sq: tensor([4, 8]) }])),
    param_groups: [{ lr: 0.1, ...(params === undefined ? {} : { params: params.map(String) }) }],
  }));
  const report = await inspectFiles({
    'model.safetensors': weights,
    'optimizer.pt': optimizer,
    'trainer_state.json': json({ global_step: 1 }),
  });
  return report.findings.flatMap(({ code, severity, message }) =>
    code.includes('moments') || code === 'optimizer-unmatched' ? [`${severity}: ${message}`] : [],
  );
}

const all = [0, 1, 2, 3, 4, 5];

describe('moments', () => {
  it('of parameters that the groups list are missed', async () => {
    expect(await messagesOf([0, 1, 2], all)).toEqual(['warning: 3 of 6 parameters of the optimizer have no moments.']);
  });

  it('of all of them are not, nor those of frozen weights', async () => {
    expect(await messagesOf(all, all)).toEqual([]);
    expect((await messagesOf([0, 1, 2], [0, 1, 2])).filter((message) => message.includes('moments'))).toEqual([]);
  });
});
