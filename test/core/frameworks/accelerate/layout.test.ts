import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../../src/core/checkpoints/checkpointReport.js';
import { codes, inspectFiles, model, without } from '../../../builders/torchDirectory.js';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import type { MemoryFile } from '../../../builders/memoryTree.js';
import { torchState } from '../../../builders/torchStateBuilder.js';

/** The message on RNG states that are missing. */
const missingOf = ({ findings }: CheckpointReport): string =>
  findings.find(({ code }) => code === 'rng-rank-missing')?.message ?? '';

describe('Accelerate', () => {
  const random = (step: number): Uint8Array => torchState((tensor) => ({ step, torch_manual_seed: tensor([8]) }));
  const save = {
    'pytorch_model.bin': model,
    'pytorch_model_1.bin': model,
    'optimizer.bin': torchState((tensor) => ({ state: { '0': { exp_avg: tensor([4, 8]) } }, param_groups: [] })),
    'scheduler.bin': torchState(() => ({ last_epoch: 1 })),
    'random_states_0.pkl': random(4),
    'random_states_1.pkl': random(4),
    'custom_checkpoint_0.pkl': torchState((tensor) => ({ shadow: { w: tensor([2]) }, scale: tensor([3]) })),
  };

  it('two models of equal names are two models', async () => {
    const report = await inspectFiles(save);
    expect(report).toMatchObject({
      layout: 'accelerate',
      step: 4,
      parameters: { unique: 64 },
      storedTwice: { bytes: 0 },
      findings: [],
    });
    expect(report.components['ema']?.tensorBytes).toBe(8);
    expect(report.components['trainerState']?.tensorBytes).toBe(12);
  });

  it('ranks of another step, and ranks that are missing', async () => {
    expect(codes(await inspectFiles({ ...save, 'random_states_2.pkl': random(2) }))).toEqual(['rank-step-differs']);
    expect(missingOf(await inspectFiles(without(save, 'random_states_0.pkl')))).toContain('random_states_0.pkl');
  });

  it('the last rank’s RNG state lost, where FSDP’s shards count the ranks', async () => {
    const local = {
      'pytorch_model_fsdp_rank0.bin': model,
      'pytorch_model_fsdp_rank1.bin': model,
      'pytorch_model_fsdp_rank2.bin': model,
    };
    const files = { ...local, 'random_states_0.pkl': random(4), 'random_states_1.pkl': random(4) };
    const report = await inspectFiles(files);
    expect(report.topology).toMatchObject({ worldSize: 3, dataParallel: 3 });
    expect(missingOf(report)).toBe('RNG state of 1 of 3 ranks missing: random_states_2.pkl.');
    expect(missingOf(await inspectFiles({ ...files, 'random_states_2.pkl': random(4) }))).toBe('');
    const distributed = Object.entries(fixtureBelow('dcp/titan-last-bf16', '')).map(([name, bytes]): [string, MemoryFile] => [
      `pytorch_model_fsdp_0/${name}`,
      bytes,
    ]);
    const sharded = await inspectFiles({ ...Object.fromEntries(distributed), 'random_states_0.pkl': random(4) });
    const ranks = sharded.ranks.length;
    expect(ranks).toBeGreaterThan(1);
    expect(sharded.topology.worldSize).toBe(ranks);
    expect(missingOf(sharded)).toContain('random_states_1.pkl');
  });

  it('a rank’s RNG state lost is a warning: training resumes with another random state', async () => {
    const report = await inspectFiles(without(save, 'random_states_0.pkl'));
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.findings).toMatchObject([{ code: 'rng-rank-missing', severity: 'warning' }]);
    const { resume } = await inspectFiles(save);
    expect([resume.verdict, report.resume.verdict]).not.toContain('broken');
  });

  it('a rank’s RNG state lost, where shards of DeepSpeed count the ranks', async () => {
    const shard = (rank: number): string => `pytorch_model/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`;
    const files = { [shard(0)]: model, [shard(1)]: model, 'random_states_0.pkl': random(4) };
    expect(missingOf(await inspectFiles(files))).toContain('random_states_1.pkl');
  });

  it('a second model or optimizer without the first', async () => {
    const report = await inspectFiles({ ...without(save, 'pytorch_model.bin'), 'optimizer_2.bin': model });
    const missing = report.findings.filter(({ code }) => code === 'file-missing').map(({ message }) => message.split(' ')[0]);
    expect(missing.sort()).toEqual(['optimizer_1.bin', 'pytorch_model.bin']);
  });

  describe('with two models, one of which lost a file', () => {
    const optimizer = (shape: readonly number[]): Uint8Array =>
      torchState((tensor) => ({
        state: { '0': { exp_avg: tensor(shape), exp_avg_sq: tensor(shape) }, '1': { exp_avg: tensor([6, 6]) } },
        param_groups: [],
      }));
    const modelOf = (shape: readonly number[]): Uint8Array =>
      torchState((tensor) => ({ 'a.weight': tensor(shape), 'b.weight': tensor([6, 6]) }));
    const whole = {
      'pytorch_model.bin': modelOf([4, 8]),
      'pytorch_model_1.bin': modelOf([4, 9]),
      'optimizer.bin': optimizer([4, 8]),
      'optimizer_1.bin': optimizer([4, 9]),
      'scheduler.bin': torchState(() => ({ last_epoch: 1 })),
      'scheduler_1.bin': torchState(() => ({ last_epoch: 1 })),
      'random_states_0.pkl': random(4),
    };

    const codesOf = async (files: Record<string, MemoryFile>): Promise<string[]> =>
      codes(await inspectFiles(files)).filter((code) => code !== 'optimizer-unmatched');

    it('says that numbers differ, and whose optimizer state is of no model here', async () => {
      expect(await codesOf(whole)).toEqual([]);
      expect(await codesOf(without(whole, 'optimizer_1.bin'))).toEqual(['prepared-counts-differ', 'weights-without-moments']);
      expect(await codesOf(without(whole, 'scheduler_1.bin'))).toEqual(['prepared-counts-differ']);
      const lost = await inspectFiles(without(whole, 'pytorch_model_1.bin'));
      expect(lost.findings.map(({ code, path }) => [code, path])).toContainEqual(['optimizer-of-other-model', 'optimizer_1.bin']);
      expect(codes(lost)).toContain('prepared-counts-differ');
      expect(lost.resume.verdict).toBe('broken');
    });

    it('names what was lost below the largest number', async () => {
      const missing = async (name: string): Promise<string[]> =>
        (await inspectFiles({ ...whole, [name]: whole['scheduler.bin'] })).findings
          .filter(({ code }) => code === 'file-missing')
          .map(({ message }) => message.split(' ')[0] ?? '');
      expect(await missing('sampler_1.bin')).toEqual(['sampler.bin']);
      expect(await missing('custom_checkpoint_1.pkl')).toEqual(['custom_checkpoint_0.pkl']);
      expect(await missing('custom_checkpoint_0.pkl')).toEqual([]);
    });
  });
});
