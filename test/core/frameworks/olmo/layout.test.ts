import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../builders/byteWriter.js';
import { byRank, inspectFiles, json, missingOf, model, training, without } from '../../../builders/torchDirectory.js';
import { torchState } from '../../../builders/torchStateBuilder.js';

describe('OLMo', () => {
  const trainer = (step: number, worldSize: number): Uint8Array =>
    torchState((tensor) => ({
      global_step: step,
      world_size: worldSize,
      rng: { torch: tensor([8]) },
      data_loader: { epoch: 1 },
    }));

  it('OLMo-core', async () => {
    const files = {
      '.metadata.json': json({ ephemeral: false, version: '2.1.0' }),
      'config.json': json({}),
      'data_paths.txt': utf8('a.npy\n'),
      ...byRank(
        2,
        (rank) => `train/rank${rank}.pt`,
        () => trainer(500, 2),
      ),
    };
    const report = await inspectFiles(files, 'step500');
    expect(report).toMatchObject({ layout: 'olmo', step: 500, framework: { name: 'olmo-core', version: '2.1.0' } });
    expect(report.topology.worldSize).toBe(2);
    expect(report.resume.present).toEqual(expect.arrayContaining(['rng', 'dataLoader']));
    expect(missingOf(await inspectFiles(without(files, 'train/rank1.pt'), 'step500'))).toContain('train/rank1.pt');
  });

  it('one process’ files', async () => {
    const files = { 'model.pt': model, 'optim.pt': training(), 'train.pt': trainer(20, 4), 'config.yaml': utf8('a: 1') };
    const report = await inspectFiles(files, 'step20-unsharded');
    expect(report).toMatchObject({ layout: 'olmo', step: 20, framework: { name: 'olmo' } });
    expect(report.topology.worldSize).toBe(4);
    expect(report.components['rng']?.tensorBytes).toBe(32);
  });

  it('by rank', async () => {
    const files = {
      ...byRank(
        2,
        (rank) => `model/rank${rank}.pt`,
        () => model,
      ),
      ...byRank(
        2,
        (rank) => `optim/rank${rank}.pt`,
        () => torchState((tensor) => ({ state: { '0': { exp_avg: tensor([4, 8]) } } })),
      ),
      ...byRank(
        2,
        (rank) => `train/rank${rank}.pt`,
        () => trainer(5, 2),
      ),
    };
    const report = await inspectFiles(without(files, 'optim/rank0.pt'), 'step5');
    expect(report).toMatchObject({ layout: 'olmo', step: 5, resume: { verdict: 'broken' } });
    expect(report.resume.reshard).toBeUndefined();
    const whole = await inspectFiles(files, 'step5');
    expect(whole.resume.reshard?.can).toBe('convert');
    expect(missingOf(report)).toContain('optim/rank0.pt');
  });
});
