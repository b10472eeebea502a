/** Directories of frameworks that save with torch.save: who wrote them, at which step, on how many ranks, and what is missing. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';
import { namespace, torchState, type State } from '../../builders/torchStateBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const inspectFiles = (files: Record<string, MemoryFile>, rootName = 'save'): Promise<CheckpointReport> =>
  inspectHostile(memoryTree(rootName, files));

const byRank = (
  count: number,
  nameOf: (rank: number) => string,
  file: (rank: number) => Uint8Array,
): Record<string, Uint8Array> => Object.fromEntries(Array.from({ length: count }, (_, rank) => [nameOf(rank), file(rank)]));

const without = (files: Record<string, MemoryFile>, path: string): Record<string, MemoryFile> => {
  expect(Object.keys(files)).toContain(path);
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
};

const codes = (report: CheckpointReport): string[] => report.findings.map((finding) => finding.code);
const missingOf = (report: CheckpointReport): string =>
  report.findings.find((finding) => finding.code === 'rank-file-missing')?.message ?? '';
const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

const model = torchState((tensor) => ({ 'a.weight': tensor([4, 8]) }));
const training = (extra: State = {}): Uint8Array =>
  torchState((tensor) => ({
    model: { 'a.weight': tensor([4, 8]) },
    optimizer: { state: { '0': { exp_avg: tensor([4, 8]), exp_avg_sq: tensor([4, 8]) } }, param_groups: [{ lr: 0.1 }] },
    ...(extra as Record<string, State>),
  }));

describe('Megatron-LM, legacy', () => {
  const state = (iteration: number, sizes: Record<string, number>): Uint8Array =>
    torchState((tensor) => ({
      args: namespace(sizes),
      checkpoint_version: 3,
      iteration,
      model: { 'embedding.weight': tensor([8, 4]) },
      optimizer: { optimizer: { state: { '0': { exp_avg: tensor([8, 4]) } } }, fp32_from_fp16_params: [[tensor([8, 4])]] },
      opt_param_scheduler: { max_lr: 0.1 },
      rng_state: [{ torch_rng_state: tensor([4]) }],
    }));
  const sizes = { world_size: 8, tensor_model_parallel_size: 2, pipeline_model_parallel_size: 2, expert_model_parallel_size: 1 };
  const nameOf = (rank: number): string => `mp_rank_0${rank >> 1}_00${rank & 1}/model_optim_rng.pt`;
  const save = byRank(4, nameOf, () => state(7, sizes));

  it('tells the ranks from the directories and the job from its arguments', async () => {
    const report = await inspectFiles(save, 'iter_0000007');
    expect(report).toMatchObject({ layout: 'megatron-legacy', step: 7, framework: { name: 'megatron-lm' }, findings: [] });
    expect(report.topology).toMatchObject({
      worldSize: 8,
      dataParallel: 2,
      tensorParallel: 2,
      pipelineParallel: 2,
      expertParallel: 1,
    });
    expect(report.ranks?.map(({ rank }) => rank)).toEqual(['tp 0 · pp 0', 'tp 0 · pp 1', 'tp 1 · pp 0', 'tp 1 · pp 1']);
    expect(report.resume.verdict).toBe('complete');
    expect(report.components['masterWeights']?.tensorBytes).toBe(4 * 8 * 4 * 4);
  });

  it('names the ranks that are missing and those of another iteration', async () => {
    expect(missingOf(await inspectFiles(without(save, nameOf(3)), 'iter_0000007'))).toContain(
      'mp_rank_01_001/model_optim_rng.pt',
    );
    const mixed = await inspectFiles({ ...save, [nameOf(2)]: state(6, sizes) }, 'iter_0000007');
    expect(mixed.findings.map(({ code, path }) => [code, path])).toEqual([['rank-step-differs', nameOf(2)]]);
  });

  it('reads the suffix as the expert rank where there are no pipeline stages', async () => {
    const expertSizes = {
      world_size: 2,
      tensor_model_parallel_size: 1,
      pipeline_model_parallel_size: 1,
      expert_model_parallel_size: 2,
    };
    const files = byRank(
      2,
      (rank) => `mp_rank_00_00${rank}/model_optim_rng.pt`,
      () => state(3, expertSizes),
    );
    const report = await inspectFiles(files, 'iter_0000003');
    expect(report.ranks?.map(({ rank }) => rank)).toEqual(['tp 0 · ep 0', 'tp 0 · ep 1']);
    expect(report.findings).toEqual([]);
  });

  it.each(['iter_0000003', 'run'])('keeps its topology where there is one rank (%s)', async (root) => {
    const alone = { world_size: 4, tensor_model_parallel_size: 1, pipeline_model_parallel_size: 1 };
    const name = `${root === 'run' ? 'iter_0000003/' : ''}mp_rank_00/model_optim_rng.pt`;
    const report = await inspectFiles({ [name]: state(3, alone) }, root);
    expect(report).toMatchObject({ layout: 'megatron-legacy', step: 3 });
    expect(report.topology).toMatchObject({ worldSize: 4, dataParallel: 4, tensorParallel: 1, pipelineParallel: 1 });
    expect(report.files.map((file) => file.path)).toEqual([name]);
  });

  it('follows the tracker', async () => {
    const below = Object.fromEntries(Object.entries(save).map(([name, file]) => [`iter_0000007/${name}`, file]));
    const tracker = 'latest_checkpointed_iteration.txt';
    expect(await inspectFiles({ ...below, [tracker]: utf8('7\n') })).toMatchObject({ step: 7, findings: [] });
    expect(codes(await inspectFiles({ ...below, [tracker]: utf8('9') }))).toEqual(['pointer-target-missing']);
    const release = Object.fromEntries(Object.entries(save).map(([name, file]) => [`release/${name}`, file]));
    expect((await inspectFiles({ ...release, [tracker]: utf8('release') })).findings).toEqual([]);
  });

  it('counts the padding of a buffer as framing', async () => {
    const view = (offset: number): Uint8Array =>
      p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [10], offset, storageNumel: 64 });
    const state = buildTorchZip({
      pickle: p.pickle(p.dict([p.str('model'), p.dict([p.str('a'), view(0)], [p.str('b'), view(32)])])),
      storages: { '0': new Uint8Array(256) },
    });
    const report = await inspectFiles({ 'mp_rank_00/model_optim_rng.pt': state }, 'iter_0000007');
    expect(report.components['weights']).toMatchObject({ tensorBytes: 80, otherBytes: report.totalBytes - 80 });
  });

  it('knows gradients', async () => {
    const report = await inspectFiles({ 'mp_rank_00.pth': model, 'mp_rank_01.pth': model }, 'iter_0000007');
    expect(report).toMatchObject({ layout: 'megatron-legacy' });
    expect(report.components['gradients']?.tensorBytes).toBe(2 * 4 * 8 * 4);
  });
});

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
    expect(report).toMatchObject({ layout: 'olmo', step: 5, resume: { reshard: { can: 'convert' } } });
    expect(missingOf(report)).toContain('optim/rank0.pt');
  });
});

describe('verl', () => {
  const rankName = (worker: string, kind: string, rank: number): string => `${worker}/${kind}_world_size_2_rank_${rank}.pt`;
  const extra = torchState((tensor) => ({ lr_scheduler: { last_epoch: 3 }, rng: { cpu: tensor([8]) } }));
  const worker = (name: string): Record<string, Uint8Array> => ({
    ...byRank(
      2,
      (rank) => rankName(name, 'model', rank),
      () => model,
    ),
    ...byRank(
      2,
      (rank) => rankName(name, 'optim', rank),
      () => torchState((tensor) => ({ state: { '0': { exp_avg: tensor([4, 8]) } } })),
    ),
    ...byRank(
      2,
      (rank) => rankName(name, 'extra_state', rank),
      () => extra,
    ),
    [`${name}/fsdp_config.json`]: json({ FSDP_version: 2, world_size: 2 }),
    [`${name}/huggingface/config.json`]: json({}),
  });
  const save = { ...worker('actor'), ...worker('critic'), 'data.pt': torchState(() => ({ _num_yielded: 3 })) };

  it('has two workers, all ranks, scheduler, random state and loader', async () => {
    const report = await inspectFiles(save, 'global_step_30');
    expect(report).toMatchObject({ layout: 'verl', step: 30, framework: { name: 'verl' }, findings: [] });
    expect(report.topology.worldSize).toBe(2);
    expect(report.resume).toMatchObject({ verdict: 'complete', reshard: { can: 'convert' } });
    expect(report.ranks?.map(({ rank, files }) => [rank, files])).toEqual([
      ['0', 6],
      ['1', 6],
    ]);
  });

  it('misses each file by its name', async () => {
    for (const kind of ['model', 'optim', 'extra_state']) {
      const name = rankName('critic', kind, 1);
      expect(missingOf(await inspectFiles(without(save, name), 'global_step_30'))).toContain(name);
    }
  });

  it('finds the step below, and a tracker that points nowhere', async () => {
    const below = Object.fromEntries(Object.entries(save).map(([name, file]) => [`global_step_30/${name}`, file]));
    const report = await inspectFiles({ ...below, 'latest_checkpointed_iteration.txt': utf8('40') });
    expect(report).toMatchObject({ layout: 'verl', step: 30 });
    expect(codes(report)).toEqual(['pointer-target-missing']);
  });
});

describe('LitGPT', () => {
  it('a training state', async () => {
    const state = training({ train_dataloader: { position: 3 }, iter_num: 80, step_count: 20 });
    const report = await inspectFiles({ 'lit_model.pth': state, 'model_config.yaml': utf8('name: x') }, 'step-00000020');
    expect(report).toMatchObject({ layout: 'litgpt', step: 20, framework: { name: 'litgpt' }, resume: { verdict: 'complete' } });
  });

  it('weights', async () => {
    const report = await inspectFiles({ 'lit_model.pth': model, 'model_config.yaml': utf8('name: x') }, 'final');
    expect(report).toMatchObject({ layout: 'litgpt', step: null, resume: { verdict: 'weights-only' } });
  });
});

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

  it('a second model or optimizer without the first', async () => {
    const report = await inspectFiles({ ...without(save, 'pytorch_model.bin'), 'optimizer_2.bin': model });
    const missing = report.findings.filter(({ code }) => code === 'file-missing').map(({ message }) => message.split(' ')[0]);
    expect(missing.sort()).toEqual(['optimizer_1.bin', 'pytorch_model.bin']);
  });
});

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
        () => model,
      ),
      'params.json': json({ dim: 4 }),
    };
    const report = await inspectFiles(files);
    expect(report).toMatchObject({
      layout: 'torch-file',
      framework: { name: 'meta-llama' },
      parameters: { unique: 4 * 32 },
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
