import { describe, expect, it } from 'vitest';
import { byRank, inspectFiles, json, missingOf, model, training, without } from '../../../builders/torchDirectory.js';
import { torchState, type State } from '../../../builders/torchStateBuilder.js';

describe('single files and releases', () => {
  it.each([
    ['nanoGPT', { model_args: { n_layer: 2 }, iter_num: 90, config: { lr: 0.1 } }, 'torch-file', 90],
    ['fairseq', { optimizer_history: [{ num_updates: 5 }, { num_updates: 6 }], cfg: {} }, 'torch-file', 6],
    ['lightning', { 'pytorch-lightning_version': '2.6.0', global_step: 12, lr_schedulers: [], callbacks: {} }, 'lightning', 12],
    ['litgpt', { iter_num: 8, step_count: 2 }, 'litgpt', 2],
  ])('%s', async (framework, extra, layout, step) => {
    expect(await inspectFiles({ 'ckpt.pt': training(extra) }, 'ckpt.pt')).toMatchObject({
      layout,
      step,
      framework: { name: framework },
    });
  });

  it.each<[string, State, string]>([
    ['parameter groups alone', { param_groups: [{ lr: 0.1 }] }, 'weights-only'],
    ['groups of a chain of optimizers', [{ '0': { param_groups: [{ lr: 0.1 }] } }], 'weights-only'],
    ['an Adam without its moments', { state: {}, param_groups: [{ lr: 0.1, betas: [0.9, 0.95] }] }, 'weights-only'],
    ['plain SGD, which has no state', { state: {}, param_groups: [{ lr: 0.1, momentum: 0 }] }, 'partial'],
  ])('an optimizer of %s', async (_, optimizer, verdict) => {
    const report = await inspectFiles({ 'ckpt.pt': training({ optimizer, step: 3 }) }, 'ckpt.pt');
    expect(report.resume.verdict).toBe(verdict);
  });

  it('a torch file without an extension', async () => {
    expect(await inspectFiles({ ckpt: training({ step: 3 }) }, 'ckpt')).toMatchObject({
      layout: 'torch-file',
      step: 3,
      findings: [],
    });
  });

  it('Meta’s tensor-parallel files', async () => {
    const files = {
      ...byRank(
        4,
        (rank) => `consolidated.0${rank}.pth`,
        () => torchState((tensor) => ({ 'layers.0.attention.wq.weight': tensor([4, 8]), 'norm.weight': tensor([8]) })),
      ),
      'params.json': json({ dim: 4 }),
    };
    const report = await inspectFiles(files);
    expect(report).toMatchObject({
      layout: 'torch-file',
      framework: { name: 'meta-llama' },
      parameters: { unique: 4 * 32 + 8, stored: 4 * (32 + 8) },
      findings: [],
    });
    expect(report.topology).toMatchObject({ worldSize: 4, tensorParallel: 4 });
    expect(missingOf(await inspectFiles(without(files, 'consolidated.02.pth')))).toContain('consolidated.02.pth');
  });

  it('nanochat', async () => {
    const files = {
      'model_000500.pt': model,
      'optim_000500_rank0.pt': torchState((tensor) => [{ state: { '0': { exp_avg: tensor([4, 8]) } } }]),
      'meta_000500.json': json({ step: 500, val_bpb: 0.9 }),
    };
    const report = await inspectFiles(files, 'd20');
    expect(report).toMatchObject({ layout: 'torch-file', step: 500, framework: { name: 'nanochat' } });
    expect(report.components['optimizer']?.tensorBytes).toBe(128);
  });

  it('torchtune', async () => {
    const files = {
      'recipe_state.pt': torchState((tensor) => ({
        seed: 1,
        epochs_run: 1,
        optimizer: { state: { a: { exp_avg: tensor([4, 8]) } } },
      })),
    };
    const report = await inspectFiles(files, 'recipe_state');
    expect(report).toMatchObject({ layout: 'torch-file', framework: { name: 'torchtune' } });
    expect(report.components['optimizer']?.tensorBytes).toBe(128);
  });
});
