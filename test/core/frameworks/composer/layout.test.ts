import { describe, expect, it } from 'vitest';
import { byRank, inspectFiles, missingOf, without } from '../../../builders/torchDirectory.js';
import { torchState } from '../../../builders/torchStateBuilder.js';

describe('Composer', () => {
  const state = (batch: number): Uint8Array =>
    torchState((tensor) => ({
      state: {
        model: { 'a.weight': tensor([4, 8]) },
        optimizers: { AdamW: { state: { 'a.weight': { exp_avg: tensor([4, 8]) } } } },
        schedulers: { Cosine: { last_epoch: 1 } },
        timestamp: { Timestamp: { epoch: 1, batch } },
        metadata: { composer_env_info: { composer_version: '0.30.0' } },
        dataset_state: { train: { epoch: 1 } },
      },
      rng: [{ torch: tensor([8]) }, { torch: tensor([8]) }],
    }));

  it('one file of the first rank', async () => {
    const report = await inspectFiles({ 'ep1-ba10-rank0.pt': state(10) });
    expect(report).toMatchObject({
      layout: 'composer',
      step: 10,
      framework: { name: 'composer', version: '0.30.0' },
      findings: [],
    });
    expect(report.topology.worldSize).toBe(2);
    expect(report.resume).toMatchObject({ verdict: 'complete', reshard: { can: 'any' } });
  });

  it('a file opened alone', async () => {
    expect(await inspectFiles({ 'last.pt': state(4) }, 'last.pt')).toMatchObject({ layout: 'composer', step: 4 });
  });

  it('ranks that are missing', async () => {
    const files = byRank(
      3,
      (rank) => `ep1-ba10-rank${rank}.pt`,
      () => state(10),
    );
    expect(missingOf(await inspectFiles(without(files, 'ep1-ba10-rank1.pt')))).toContain('ep1-ba10-rank1.pt');
  });
});
