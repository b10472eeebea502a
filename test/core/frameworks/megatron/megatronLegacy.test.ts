import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../builders/byteWriter.js';
import * as p from '../../../builders/pickleBuilder.js';
import { patternBytes } from '../../../builders/byteWriter.js';
import { zarray } from '../../../builders/ocdbtBuilder.js';
import { byRank, codes, inspectFiles, json, missingOf, model, without } from '../../../builders/torchDirectory.js';
import { namespace, torchState, type State } from '../../../builders/torchStateBuilder.js';
import { buildTorchZip } from '../../../builders/torchZipBuilder.js';

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

  it('reads the ranks from the directories and the job from its arguments', async () => {
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

  describe('whose distributed optimizer was removed', () => {
    const groups = (group: State): Uint8Array =>
      torchState((tensor) => ({
        args: namespace(sizes),
        iteration: 7,
        model: { 'embedding.weight': tensor([8, 4]) },
        optimizer: { optimizer: { param_groups: [group] }, grad_scaler: { scale: tensor([1]) } },
        opt_param_scheduler: { max_lr: 0.1 },
        rng_state: [{ torch_rng_state: tensor([4]) }],
      }));

    it('has weights only: parameter groups are no optimizer state', async () => {
      const files = byRank(4, nameOf, () => groups({ lr: 0.1, betas: [0.9, 0.999], step: 5 }));
      const report = await inspectFiles(files, 'iter_0000007');
      expect(report.resume).toMatchObject({ verdict: 'weights-only', missing: [{ component: 'optimizer' }] });
      expect(codes(report)).toEqual(['distributed-optimizer-missing']);
    });

    it('is complete with it', async () => {
      const files = byRank(4, nameOf, () => groups({ lr: 0.1 }));
      const optimizer = torchState((tensor) => ({ '0': { exp_avg: tensor([8, 4]), param: tensor([8, 4]) } }));
      for (const name of Object.keys(files)) files[name.replace('model_optim_rng', 'distrib_optim')] = optimizer;
      const report = await inspectFiles(files, 'iter_0000007');
      expect(report.resume.verdict).toBe('complete');
      expect(report.findings).toEqual([]);
    });
  });

  it.each<[string, Record<string, boolean>, string, string[]]>([
    ['is said where the arguments do not turn it off', { no_save_optim: false }, 'iter_0000007', ['saved-optimizer-missing']],
    ['is none where they do', { no_save_optim: true }, 'iter_0000007', []],
    ['is none where they do not state it', {}, 'iter_0000007', []],
    ['is none in released weights', { no_save_optim: false }, 'release', []],
  ])('a lost optimizer %s', async (_, args, root, expected) => {
    const weights = torchState((tensor) => ({
      args: namespace({ ...sizes, ...args }),
      iteration: 7,
      model: { 'embedding.weight': tensor([8, 4]) },
    }));
    const files = byRank(4, nameOf, () => weights);
    expect(codes(await inspectFiles(files, root))).toEqual(expected);
    const common = torchState(() => ({ iteration: 7, args: namespace(args) }));
    const zarr = {
      'common.pt': common,
      'metadata.json': json({ sharded_backend: 'zarr', common_backend: 'torch' }),
      'embedding.word_embeddings.weight/.zarray': zarray([3]),
      'embedding.word_embeddings.weight/0': patternBytes(12),
    };
    const found = codes(await inspectFiles(zarr, root)).filter((code) => code === 'saved-optimizer-missing');
    expect(found).toEqual(expected);
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

  describe('whose master weights are those of another model', () => {
    type Shape = readonly number[];
    const rankState = (masters: readonly Shape[] | null): Uint8Array =>
      torchState((tensor) => ({
        args: namespace(sizes),
        iteration: 7,
        model: { 'a.weight': tensor([256, 256]), 'b.weight': tensor([256, 256]), 'c.bias': tensor([8]) },
        optimizer:
          masters === null
            ? { optimizer: { param_groups: [{ lr: 0.1 }] } }
            : {
                optimizer: { state: { '0': { exp_avg: tensor([4]) } } },
                fp32_from_fp16_params: [masters.map((shape) => tensor(shape))],
              },
      }));
    const differing = async (files: Record<string, Uint8Array>): Promise<(string | null)[]> => {
      const { findings } = await inspectFiles(files, 'iter_0000007');
      return findings.flatMap(({ code, path }) => (code === 'master-weights-differ' ? [path] : []));
    };

    it('is an error where a shape is none of the weights, and none where parameters are frozen', async () => {
      const files = byRank(4, nameOf, () => rankState([[256, 256], [8]]));
      expect(await differing(files)).toEqual([]);
      const thrice = [
        [256, 256],
        [256, 256],
        [256, 256],
      ];
      expect(await differing({ ...files, [nameOf(1)]: rankState(thrice) })).toEqual([nameOf(1)]);
      expect(await differing({ ...files, [nameOf(2)]: rankState([[256, 256], [9]]) })).toEqual([nameOf(2)]);
    });

    it('is an error where a buffer is larger than the weights with padding, or smaller than that of the other tensor-parallel rank', async () => {
      const bufferOf = (elements: number): Uint8Array =>
        torchState((tensor) => ({ '0': { param: tensor([elements]), exp_avg: tensor([elements]) } }));
      const buffer = (rank: number): string => nameOf(rank).replace('model_optim_rng', 'distrib_optim');
      const files = { ...byRank(4, nameOf, () => rankState(null)), ...byRank(4, buffer, () => bufferOf(131_328)) };
      expect(await differing(files)).toEqual([]);
      expect(await differing({ ...files, [buffer(1)]: bufferOf(400_000) })).toEqual([buffer(1)]);
      expect(await differing({ ...files, [buffer(2)]: bufferOf(65_536) })).toEqual([buffer(2)]);
      const frozen = { [buffer(0)]: bufferOf(65_536), [buffer(2)]: bufferOf(65_536) };
      expect(await differing({ ...files, ...frozen })).toEqual([]);
    });
  });

  describe('whose rank files were swapped', () => {
    const stage = (rank: number, args: Record<string, number | boolean>): Uint8Array =>
      torchState((tensor) => ({
        args: namespace({ ...sizes, ...args }),
        iteration: 7,
        model: {
          ...((rank & 1) === 0 ? { 'embedding.word_embeddings.weight': tensor([16, 8]) } : {}),
          'decoder.layers.0.mlp.linear_fc1.weight': tensor([8, 8]),
          ...((rank & 1) === 1 ? { 'decoder.final_layernorm.weight': tensor([8]) } : {}),
        },
      }));
    const swap = (files: Record<string, Uint8Array>, a: string, b: string): Record<string, Uint8Array> => ({
      ...files,
      [a]: files[b] as Uint8Array,
      [b]: files[a] as Uint8Array,
    });
    // World of 8, in which pipeline stages begin 4 ranks apart, or 2 with tensor and pipeline ranks first.
    const orders: Record<string, [Record<string, boolean>, number]> = {
      'in the usual order': [{}, 4],
      'with --use-tp-pp-dp-mapping': [{ use_tp_pp_dp_mapping: true }, 2],
    };

    it.each(Object.entries(orders))('tells it by the arguments of each file, %s', async (_, [args, stride]) => {
      const files = byRank(4, nameOf, (rank) => stage(rank, { ...args, rank: (rank >> 1) + (rank & 1) * stride }));
      expect(codes(await inspectFiles(files, 'iter_0000007'))).toEqual([]);
      const stages = await inspectFiles(swap(files, nameOf(0), nameOf(1)), 'iter_0000007');
      expect(stages.findings.map(({ code, path }) => [code, path])).toEqual([
        ['content-not-its-role', nameOf(0)],
        ['content-not-its-role', nameOf(1)],
      ]);
      expect(stages.findings[0]?.message).toContain('training state of tp 0 · pp 0, the file contains that of tp 0 · pp 1');
      expect(stages.resume.verdict).toBe('broken');
      const tensorRanks = await inspectFiles(swap(files, nameOf(0), nameOf(2)), 'iter_0000007');
      expect(tensorRanks.findings.map(({ path }) => path)).toEqual([nameOf(0), nameOf(2)]);
      const copied = await inspectFiles({ ...files, [nameOf(2)]: files[nameOf(0)] as Uint8Array }, 'iter_0000007');
      expect(copied.findings.map(({ path }) => path)).toEqual([nameOf(2)]);
    });

    it('tells stages by their modules where a converter wrote all files as rank 0', async () => {
      const files = byRank(4, nameOf, (rank) => stage(rank, { rank: 0 }));
      expect(codes(await inspectFiles(files, 'iter_0000007'))).toEqual([]);
      const report = await inspectFiles(swap(files, nameOf(2), nameOf(3)), 'iter_0000007');
      expect(report.findings.map(({ code, path }) => [code, path])).toEqual([
        ['content-not-its-role', nameOf(2)],
        ['content-not-its-role', nameOf(3)],
      ]);
    });
  });

  describe('counts each parameter once', () => {
    const layer = (tensor: (shape: readonly number[]) => Uint8Array): State => ({
      'input_layernorm.weight': tensor([8]),
      'self_attention.linear_qkv.layer_norm_weight': tensor([8]),
      'self_attention.linear_qkv.weight': tensor([12, 8]),
      'self_attention.linear_qkv.bias': tensor([12]),
      'self_attention.linear_proj.weight': tensor([8, 4]),
      'self_attention.linear_proj.bias': tensor([8]),
    });
    const dense = 2 * (2 * 12 * 8 + 2 * 12 + 2 * 8 * 4 + 8 + 8 + 8);
    const stages = (args: Record<string, number | boolean>): Record<string, Uint8Array> =>
      byRank(4, nameOf, (rank) =>
        torchState((tensor) => ({
          args: namespace({ ...sizes, ...args }),
          iteration: 7,
          model: {
            ...((rank & 1) === 0 ? { 'embedding.word_embeddings.weight': tensor([16, 8]) } : {}),
            'decoder.layers.0': layer(tensor),
            ...((rank & 1) === 1
              ? { 'decoder.final_layernorm.weight': tensor([8]), 'output_layer.weight': tensor([16, 8]) }
              : {}),
          },
        })),
      );

    it('norms and biases that tensor-parallel ranks replicate, and the tied embedding of the last stage', async () => {
      const { parameters } = await inspectFiles(stages({ untie_embeddings_and_output_weights: false }), 'iter_0000007');
      expect(parameters.unique).toBe(dense + 2 * 16 * 8 + 8);
      expect(parameters.stored - parameters.unique).toBe(2 * 16 * 8 + 2 * 24 + 8);
      expect(parameters.source).toContain('in copies that model-parallel ranks hold, by their names');
    });

    it('an output layer of its own', async () => {
      const { parameters } = await inspectFiles(stages({ untie_embeddings_and_output_weights: true }), 'iter_0000007');
      expect(parameters.unique).toBe(dense + 2 * 2 * 16 * 8 + 8);
    });

    it('what expert-parallel ranks replicate, and the experts of each', async () => {
      const files = byRank(
        2,
        (rank) => `mp_rank_00_00${rank}/model_optim_rng.pt`,
        () =>
          torchState((tensor) => ({
            args: namespace({
              ...sizes,
              tensor_model_parallel_size: 1,
              pipeline_model_parallel_size: 1,
              expert_model_parallel_size: 2,
            }),
            model: {
              'decoder.layers.0.self_attention.linear_qkv.weight': tensor([12, 8]),
              'decoder.layers.0.mlp.router.weight': tensor([4, 8]),
              'decoder.layers.0.mlp.experts.local_experts.0.linear_fc1.weight': tensor([16, 8]),
              'decoder.layers.0.mlp.shared_experts.linear_fc1.weight': tensor([20, 8]),
            },
          })),
      );
      const { parameters } = await inspectFiles(files, 'iter_0000003');
      expect(parameters.unique).toBe(12 * 8 + 4 * 8 + 2 * 16 * 8 + 20 * 8);
    });

    it('the copy that older versions keep for the head', async () => {
      const files = byRank(
        2,
        (rank) => `mp_rank_00_00${rank}/model_optim_rng.pt`,
        (rank) =>
          torchState((tensor) => ({
            args: namespace({ world_size: 2, pipeline_model_parallel_size: 2 }),
            model:
              rank === 0
                ? { language_model: { embedding: { word_embeddings: { weight: tensor([16, 8]) } } } }
                : { word_embeddings_for_head: { weight: tensor([16, 8]) } },
          })),
      );
      expect((await inspectFiles(files, 'iter_0000003')).parameters.unique).toBe(16 * 8);
    });

    it('latent projections that are whole by their shape, and those that are split', async () => {
      const latent = (rows: number): Record<string, Uint8Array> =>
        byRank(
          2,
          (rank) => `mp_rank_0${rank}/model_optim_rng.pt`,
          () =>
            torchState((tensor) => ({
              args: namespace({ tensor_model_parallel_size: 2, q_lora_rank: 6, kv_lora_rank: 4, qk_pos_emb_head_dim: 2 }),
              model: {
                'decoder.layers.0.self_attention.linear_q_down_proj.weight': tensor([rows, 8]),
                'decoder.layers.0.self_attention.linear_kv_down_proj.weight': tensor([rows, 8]),
              },
            })),
        );
      expect((await inspectFiles(latent(6), 'iter_0000003')).parameters.unique).toBe(2 * 6 * 8);
      expect((await inspectFiles(latent(3), 'iter_0000003')).parameters.unique).toBe(2 * 2 * 3 * 8);
    });
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

  it('counts gradients', async () => {
    const report = await inspectFiles({ 'mp_rank_00.pth': model, 'mp_rank_01.pth': model }, 'iter_0000007');
    expect(report).toMatchObject({ layout: 'megatron-legacy' });
    expect(report.components['gradients']?.tensorBytes).toBe(2 * 4 * 8 * 4);
  });
});
