import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../../src/core/checkpoints/checkpointReport.js';
import { resumeElsewhere } from '../../../../src/core/checkpoints/resumeElsewhere.js';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { createNodeFileTree } from '../../../../src/platform/nodeFileTree.js';
import {
  llamaShapes,
  sourcesOf,
  writeSparseFiles,
  zeroThreeSave,
  type ZeroThreeSave,
} from '../../../builders/deepspeedBuilder.js';
import { layOutTorchZip, stateDict } from '../../../builders/torchZipBuilder.js';
import { utf8 } from '../../../builders/byteWriter.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { torchState, type State } from '../../../builders/torchStateBuilder.js';
import { inspectHostile } from '../../../hostile/accountable.js';

const small: ZeroThreeSave = { shapes: { 'a.weight': [64, 32], 'b.weight': [32] }, ranks: 4, step: 7, exportShards: 0 };

async function inspectFiles(files: Record<string, MemoryFile>, rootName = 'run'): Promise<CheckpointReport> {
  return inspectHostile(memoryTree(rootName, files));
}

const findingsOf = ({ findings }: CheckpointReport): [code: string, path: string | null][] =>
  findings.map((finding) => [finding.code, finding.path]);

describe('ZeRO-1', () => {
  it('counts frozen weights, which only the module has, and neither buffers nor tied weights twice', async () => {
    const state = torchState((tensor) => {
      const shared = tensor([5, 4]);
      return {
        module: {
          'base.weight': tensor([64, 32]),
          'lora_A.weight': tensor([2, 32]),
          rotary: tensor([7]),
          'emb.weight': shared,
          'head.weight': shared,
        },
        param_shapes: [{ 'lora_A.weight': [2, 32] }],
        buffer_names: ['rotary'],
        dp_world_size: 1,
        mp_world_size: 1,
        ds_version: '0.17.0',
        global_steps: 7,
      };
    });
    const report = await inspectFiles({ 'global_step7/mp_rank_00_model_states.pt': state, latest: utf8('global_step7') });
    expect(report.parameters.unique).toBe(64 * 32 + 2 * 32 + 5 * 4);
  });
});

describe('tensor parallelism', () => {
  const layer = (tensor: (shape: readonly number[]) => Uint8Array): Record<string, State> => ({
    'input_layernorm.weight': tensor([8]),
    'attention.query_key_value.weight': tensor([12, 8]),
    'attention.dense.weight': tensor([8, 4]),
    'attention.dense.bias': tensor([8]),
  });
  const unique = 8 + 2 * 12 * 8 + 2 * 8 * 4 + 8;

  it('counts what the ranks of a pipeline replicate once, in the files by layer', async () => {
    const state = torchState(() => ({ dp_world_size: 1, mp_world_size: 2, global_steps: 7, ds_version: '0.3.15' }));
    const files = {
      'global_step7/mp_rank_00_model_states.pt': state,
      'global_step7/mp_rank_01_model_states.pt': state,
      'global_step7/layer_02-model_00-model_states.pt': torchState(layer),
      'global_step7/layer_02-model_01-model_states.pt': torchState(layer),
      'global_step7/layer_03-model_00-model_states.pt': torchState(layer),
      'global_step7/layer_03-model_01-model_states.pt': torchState(layer),
    };
    expect((await inspectFiles(files)).parameters.unique).toBe(2 * unique);
  });

  it.each([true, false])('counts it once among model states (with noted shapes: %s)', async (areNoted) => {
    const shapes = {
      'input_layernorm.weight': [8],
      'attention.query_key_value.weight': [12, 8],
      'attention.dense.weight': [8, 4],
      'attention.dense.bias': [8],
    };
    const state = torchState((tensor) => ({
      module: layer(tensor),
      ...(areNoted ? { param_shapes: [shapes] } : {}),
      dp_world_size: 1,
      mp_world_size: 2,
      global_steps: 7,
    }));
    const files = { 'global_step7/mp_rank_00_model_states.pt': state, 'global_step7/mp_rank_01_model_states.pt': state };
    expect((await inspectFiles(files)).parameters.unique).toBe(unique);
  });
});

describe('files of pipeline layers', () => {
  const weights = { 'a.weight': [8, 4], 'a.bias': [8] };
  const shapesOf = (layers: readonly number[]): Record<string, State> =>
    Object.fromEntries(layers.flatMap((layer) => Object.entries(weights).map(([name, shape]) => [`${layer}.${name}`, shape])));
  /** Two stages of two layers each; layer 2 has no parameters, and so no file. */
  const pipeline = (isZero: boolean, end = ''): Record<string, MemoryFile> => {
    const stateOf = (layers: readonly number[]): Uint8Array =>
      torchState((tensor) => ({
        module: null,
        optimizer: isZero
          ? null
          : {
              state: Object.fromEntries(
                layers.flatMap(() => Object.values(weights)).map((shape, index) => [index, { exp_avg: tensor(shape) }]),
              ),
            },
        param_shapes: isZero ? [shapesOf(layers)] : null,
        dp_world_size: 1,
        mp_world_size: 2,
        global_steps: 7,
      }));
    const layer = torchState((tensor) => ({ 'a.weight': tensor([8, 4]), 'a.bias': tensor([8]) }));
    return {
      'global_step7/mp_rank_00_model_states.pt': stateOf([0, 1]),
      'global_step7/mp_rank_01_model_states.pt': stateOf([3, 4]),
      ...Object.fromEntries([0, 1, 3, 4].map((number) => [`global_step7/layer_0${number}-${end}model_states.pt`, layer])),
    };
  };
  const ofLayers = (report: CheckpointReport): string[] =>
    report.findings.filter(({ code }) => code === 'pipeline-layers-missing').map(({ message }) => message);

  it.each([true, false])('are complete without one of a layer that has no parameters (ZeRO: %s)', async (isZero) => {
    expect(ofLayers(await inspectFiles(pipeline(isZero)))).toEqual([]);
    expect(ofLayers(await inspectFiles(pipeline(isZero, 'model_00-')))).toEqual([]);
  });

  it.each([1, 4])('are missed by the names in param_shapes: layer %i', async (layer) => {
    const files = pipeline(true);
    delete files[`global_step7/layer_0${layer}-model_states.pt`];
    const report = await inspectFiles(files);
    expect(ofLayers(report)).toEqual([
      `1 file of pipeline layers missing: layer_0${layer}-model_states.pt. The layer files have 120 of 160 trained parameters.`,
    ]);
    expect(report.resume).toMatchObject({
      verdict: 'broken',
      blockedBy: expect.arrayContaining(['pipeline-layers-missing']) as string[],
    });
  });

  it.each([1, 4])('are missed by the optimizer’s moments, without ZeRO: layer %i', async (layer) => {
    const files = pipeline(false);
    delete files[`global_step7/layer_0${layer}-model_states.pt`];
    const report = await inspectFiles(files);
    expect(ofLayers(report)).toEqual(['Pipeline layers missing. The layer files have 120 of 160 trained parameters.']);
    expect(report.resume.verdict).toBe('broken');
  });

  it('that are there and cannot be read have a finding of their own', async () => {
    const files = pipeline(false);
    const path = 'global_step7/layer_01-model_states.pt';
    files[path] = (files[path] as Uint8Array).slice(0, 200);
    const report = await inspectFiles(files);
    expect(ofLayers(report)).toEqual([]);
    expect(report.resume.verdict).toBe('broken');
  });
});

describe('why a checkpoint of 8B parameters takes 105 GiB', () => {
  it('names each term, and the setting that saves 15 GiB of them', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
    try {
      writeSparseFiles(folder, zeroThreeSave({ shapes: llamaShapes(), ranks: 8, step: 2000, exportShards: 4 }));
      const report = await inspectHostile(await createNodeFileTree(folder));
      const headline = headlineOf(report);
      expect(headline.binarySize).toBe('105 GiB');
      expect(headline.why).toBe(
        '57.1 % first and second moments, 28.6 % master weights, 14.3 % weights; 14.00 bytes per parameter.',
      );
      expect(report.parameters.unique).toBe(8_030_261_248);
      expect(
        report.bytesPerParameter?.terms
          .slice(0, 4)
          .map((term) => [term.component, term.part, Math.round(term.bytesPerParameter)]),
      ).toEqual([
        ['weights', 'whole', 2],
        ['masterWeights', 'whole', 4],
        ['optimizer', 'firstMoment', 4],
        ['optimizer', 'secondMoment', 4],
      ]);
      expect(report.storedTwice).toMatchObject({
        bytes: 2 * 8_030_261_248,
        items: [{ setting: 'stage3_gather_16bit_weights_on_model_save' }],
      });
      expect([...new Set(report.findings.map(({ code }) => code))]).toEqual(['file-has-holes', 'weights-stored-twice']);
      expect(
        report.findings.filter(({ path: file }) => /optim_states|pytorch_model-/.test(file ?? '')).length,
      ).toBeGreaterThanOrEqual(12);
      expect(report.topology).toMatchObject({ worldSize: 8, dataParallel: 8, zeroStage: 3 });
      expect(report.io.bytesRead).toBeLessThan(2_000_000);
      // Only the headers are on the disk.
      expect(statSync(path.join(folder, 'pytorch_model-00001-of-00004.bin')).blocks * 512).toBeLessThan(1_000_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('ranks', () => {
  it('are distinguished, and the report says what a job of another size can do with them', async () => {
    const report = await inspectFiles(sourcesOf(zeroThreeSave(small)));
    expect(report).toMatchObject({ layout: 'deepspeed', step: 7, framework: { name: 'deepspeed', version: '0.19.8' } });
    expect(report.ranks?.map(({ rank, files }) => [rank, files])).toEqual([0, 1, 2, 3].map((rank) => [`dp ${rank} · mp 0`, 2]));
    expect(report.resume.reshard).toMatchObject({
      can: 'convert',
      detail: 'ZeRO’s shards load with the same data-parallel size (4); for another one convert them with ds_to_universal.py.',
      changes: { dataParallel: 'convert' },
    });
    expect(report.findings.map(({ code }) => code)).toEqual(['weights-only-in-optimizer']);
  });

  it('have shards of their own; the model states that they share are no rank’s', async () => {
    const report = await inspectFiles(filesBelow('test/fixtures/frameworks/deepspeed/zero1-bf16-w2/data'));
    expect(report.ranks.map(({ rank, files }) => [rank, files])).toEqual([
      ['dp 0 · mp 0', 1],
      ['dp 1 · mp 0', 1],
    ]);
    expect(report.files.find(({ path }) => path.endsWith('/mp_rank_00_model_states.pt'))).not.toHaveProperty('rank');
  });

  it('are missed by their names', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    delete files['global_step7/bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt'];
    delete files['global_step7/zero_pp_rank_3_mp_rank_00_model_states.pt'];
    const report = await inspectFiles(files);
    const finding = report.findings.find(({ code }) => code === 'rank-file-missing');
    expect(finding?.message).toContain('global_step7/bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt');
    expect(finding?.message).toContain('global_step7/zero_pp_rank_3_mp_rank_00_model_states.pt');
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: ['rank-file-missing'] });
  });

  it('of another step, and with less than the others have', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    const old = sourcesOf(zeroThreeSave({ ...small, step: 6, shapes: { 'a.weight': [4] } }));
    const state = 'zero_pp_rank_1_mp_rank_00_model_states.pt';
    const shard = 'bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt';
    for (const name of [state, shard]) files[`global_step7/${name}`] = old[`global_step6/${name}`] as MemoryFile;
    const report = await inspectFiles(files);
    expect(findingsOf(report)).toContainEqual(['rank-step-differs', `global_step7/${state}`]);
    expect(findingsOf(report)).toContainEqual(['rank-file-small', `global_step7/${shard}`]);
    expect(report.step).toBe(7);
  });

  it('of a job of another size', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    const others = sourcesOf(zeroThreeSave({ ...small, ranks: 2 }));
    const [state, shard] = ['zero_pp_rank_0_mp_rank_00_model_states.pt', 'bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt'];
    for (const name of [state, shard]) files[`global_step7/${name}`] = others[`global_step7/${name}`] as MemoryFile;
    const report = await inspectFiles(files);
    const found = report.findings.filter(({ code }) => code === 'rank-count-differs');
    expect(found.map(({ path: file }) => file)).toEqual([`global_step7/${state}`, `global_step7/${shard}`]);
    expect(found[1]?.message).toBe('This rank file is from a job of 2 data-parallel ranks, the others are from one of 4.');
    expect(report.topology.dataParallel).toBe(4);
    expect(report.resume.verdict).toBe('broken');
  });

  it('of a job of another size, by the partitions of each group of ZeRO-1', async () => {
    const files: Record<string, MemoryFile> = filesBelow('test/fixtures/frameworks/deepspeed/zero1-bf16-w2/data');
    const shard = 'global_step6/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt';
    files[shard] = torchState((tensor) => ({
      optimizer_state_dict: { zero_stage: 1, partition_count: [4], single_partition_of_fp32_groups: [tensor([6240])] },
    }));
    const report = await inspectFiles(files);
    expect(findingsOf(report)).toContainEqual(['rank-count-differs', shard]);
    expect(report.resume.verdict).toBe('broken');
  });

  it('that the save does not have are left over from one of more ranks', async () => {
    const files = { ...sourcesOf(zeroThreeSave(small)), ...sourcesOf(zeroThreeSave({ ...small, ranks: 2 })) };
    const report = await inspectFiles(files);
    expect(findingsOf(report).filter(([code]) => code !== 'weights-only-in-optimizer')).toEqual([
      ['stale-files', 'global_step7/zero_pp_rank_2_mp_rank_00_model_states.pt'],
    ]);
    expect(report.findings.find(({ code }) => code === 'stale-files')?.message).toContain('4 files');
    expect(report.ranks).toHaveLength(2);
    expect(report.topology).toMatchObject({ worldSize: 2, dataParallel: 2 });
  });

  it('that the save does not have, among the shards of ZeRO-1', async () => {
    const files: Record<string, MemoryFile> = filesBelow('test/fixtures/frameworks/deepspeed/zero1-bf16-w2/data');
    const shard = torchState((tensor) => ({
      optimizer_state_dict: { zero_stage: 1, partition_count: [4], single_partition_of_fp32_groups: [tensor([3120])] },
    }));
    for (const rank of [2, 3]) files[`global_step6/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`] = shard;
    const report = await inspectFiles(files);
    expect(findingsOf(report)).toEqual([['stale-files', 'global_step6/bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt']]);
    expect(report.ranks).toHaveLength(2);
  });

  it('are as many as the states are partitioned over, where the model states count fewer', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    const shard = (ranks: number): MemoryFile =>
      sourcesOf(zeroThreeSave({ ...small, ranks }))['global_step7/zero_pp_rank_0_mp_rank_00_model_states.pt'] as MemoryFile;
    for (const rank of [0, 1, 2, 3]) files[`global_step7/zero_pp_rank_${rank}_mp_rank_00_model_states.pt`] = shard(2);
    expect((await inspectFiles(files)).findings.map(({ code }) => code)).not.toContain('stale-files');
  });

  it('of a job of 1,024', async () => {
    const report = await inspectFiles(sourcesOf(zeroThreeSave({ ...small, ranks: 1024 })));
    expect(report.topology).toMatchObject({ worldSize: 1024, dataParallel: 1024 });
    expect(report.ranks).toHaveLength(1024);
    expect(report.parameters.unique).toBe(64 * 32 + 32);
    expect(report.findings.map(({ code }) => code)).toEqual(['weights-only-in-optimizer']);
  });
});

describe('master weights', () => {
  const shard = (stage: number, elements: readonly number[], partitions: readonly number[]): Uint8Array =>
    torchState((tensor) => ({
      optimizer_state_dict: {
        zero_stage: stage,
        partition_count: partitions,
        single_partition_of_fp32_groups: elements.map((count) => tensor([count])),
      },
    }));
  const save = (groups: Record<string, State>[], shards: readonly Uint8Array[]): Record<string, MemoryFile> => ({
    'global_step7/mp_rank_00_model_states.pt': torchState(() => ({
      param_shapes: groups,
      dp_world_size: 2,
      mp_world_size: 1,
      global_steps: 7,
    })),
    ...Object.fromEntries(
      shards.map((file, rank) => [`global_step7/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`, file]),
    ),
  });
  const dense = { 'a.weight': [64, 32], 'a.bias': [33] };
  const differing = async (files: Record<string, MemoryFile>): Promise<string[]> =>
    (await inspectFiles(files)).findings.flatMap(({ code, message }) => (code === 'master-weights-differ' ? [message] : []));

  it.each([
    ['all of them', [1041, 1040], 0],
    ['all of them, padded', [1042, 1042], 0],
    ['of a smaller model', [520, 520], 1],
    ['of a larger model', [2048, 2048], 1],
  ])('of ZeRO-1, %s', async (_, elements, found) => {
    const files = save(
      [dense],
      elements.map((count) => shard(1, [count], [2])),
    );
    expect(await differing(files)).toHaveLength(found);
    if (found > 0) expect((await inspectFiles(files)).resume.verdict).toBe('broken');
  });

  it('of experts, which each rank has of its own', async () => {
    const groups = [dense, { 'experts.deepspeed_experts.0.weight': [16, 8] }];
    const files = save(
      groups,
      [1041, 1040].map((count) => shard(2, [count, 128], [2, 1])),
    );
    expect(await differing(files)).toEqual([]);
  });

  it('of ZeRO-3, of another model', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    expect(await differing(files)).toEqual([]);
    const other = sourcesOf(zeroThreeSave({ ...small, shapes: { 'a.weight': [64, 40] } }));
    const path = 'global_step7/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt';
    files[path] = other[path] as MemoryFile;
    expect(await differing(files)).toEqual([
      'The shards have master weights of 640 elements, the shapes of the trained parameters need 520.',
    ]);
  });
});

describe('ZeRO-3 without any of its shards', () => {
  const stripped = (save: ZeroThreeSave): Record<string, MemoryFile> =>
    Object.fromEntries(Object.entries(sourcesOf(zeroThreeSave(save))).filter(([name]) => !name.endsWith('_optim_states.pt')));

  it('has no weights, and one finding names that', async () => {
    const report = await inspectFiles(stripped(small));
    expect(findingsOf(report)).toEqual([['zero-weights-missing', null]]);
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: ['zero-weights-missing'] });
  });

  it('has the gathered weights as the only copy, which is no duplicate', async () => {
    const report = await inspectFiles(stripped({ ...small, exportShards: 1 }));
    expect(findingsOf(report)).toEqual([['zero-shards-missing', null]]);
    expect(report.resume).toMatchObject({ verdict: 'weights-only', reshard: { can: 'any' } });
    expect(report.storedTwice.items).toEqual([]);
  });

  it('is no whole model where the gathered weights are of another one', async () => {
    const files = stripped(small);
    files['pytorch_model.bin'] = torchState((tensor) => ({ 'a.weight': tensor([8, 32]) }));
    expect(findingsOf(await inspectFiles(files))).toContainEqual(['zero-weights-missing', null]);
  });

  it.each([
    [[64, 32], 'zero-shards-missing', 'weights-only'],
    [[0], 'zero-weights-missing', 'broken'],
  ])('inside a Trainer checkpoint with weights of %j: %s', async (shape, code, verdict) => {
    const files: Record<string, MemoryFile> = stripped({ ...small, ranks: 1 });
    files['pytorch_model.bin'] = torchState((tensor) => ({ 'a.weight': tensor(shape), 'b.weight': tensor([shape[1] ?? 0]) }));
    files['trainer_state.json'] = utf8('{"global_step":7}');
    const report = await inspectFiles(files, 'checkpoint-7');
    const found = report.findings.map((finding) => finding.code);
    expect(report.layout).toBe('huggingface-trainer');
    expect(found).toContain(code);
    expect(found.filter((each) => /optimizer|placeholders|^weights/.test(each))).toEqual([]);
    expect(report.resume.verdict).toBe(verdict);
  });
});

describe('weights beside the shards of ZeRO-3', () => {
  const weights = (dtype: 'bf16' | 'f32', shapes: Record<string, readonly number[]>): MemoryFile =>
    sourcesOf({
      file: layOutTorchZip(
        stateDict(Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, [dtype, shape] as const]))),
      ),
    })['file'] as MemoryFile;
  const itemsWith = async (file: MemoryFile): Promise<[what: string, setting: string | null][]> => {
    const report = await inspectFiles({ ...sourcesOf(zeroThreeSave(small)), 'pytorch_model.bin': file });
    return report.storedTwice.items.map(({ what, setting }) => [what, setting]);
  };
  const same = { 'a.weight': [64, 32], 'b.weight': [32] };

  it('are a gathered copy where names, shapes and dtype agree', async () => {
    expect(await itemsWith(weights('bf16', same))).toEqual([
      [expect.stringContaining('16-bit weights gathered'), 'stage3_gather_16bit_weights_on_model_save'],
    ]);
  });

  it('in 32 bits are none that the setting makes', async () => {
    expect(await itemsWith(weights('f32', same))).toEqual([[expect.stringContaining('32-bit weights beside the shards'), null]]);
  });

  it.each([
    ['other names', { 'c.weight': [64, 32] }],
    ['other shapes', { ...same, 'b.weight': [64] }],
    ['more parameters', { ...same, 'c.weight': [8] }],
  ])('of %s are no copy', async (_, shapes) => {
    expect(await itemsWith(weights('bf16', shapes))).toEqual([]);
  });
});

it('a gathered export is no duplicate while a shard is missing', async () => {
  const files = sourcesOf(zeroThreeSave({ ...small, exportShards: 1 }));
  delete files['global_step7/bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt'];
  expect((await inspectFiles(files)).storedTwice.items).toEqual([]);
});

describe('a job of other sizes', () => {
  const stateOf = (stage: number, extra: Record<string, State> = {}): Record<string, MemoryFile> => ({
    'global_step7/mp_rank_00_model_states.pt': torchState((tensor) => ({
      module: { 'a.weight': tensor([4]) },
      dp_world_size: 2,
      mp_world_size: 1,
      global_steps: 7,
      ds_config: { zero_optimization: { stage } },
      ...extra,
    })),
  });
  const withShards = (extra: Record<string, State> = {}): Record<string, MemoryFile> => {
    const files = stateOf(1, extra);
    const shard = torchState((tensor) => ({
      optimizer_state_dict: { zero_stage: 1, base_optimizer_state: { state: { '0': { exp_avg: tensor([4]) } } } },
    }));
    for (const rank of [0, 1]) files[`global_step7/zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`] = shard;
    return files;
  };

  it('loads plain files with another data-parallel size, not with another tensor- or pipeline-parallel one', async () => {
    const report = await inspectFiles(stateOf(0));
    expect(resumeElsewhere(report, { ranks: 4 }).can).toBe('yes');
    expect(resumeElsewhere(report, { ranks: 4, tensorParallel: 2 }).can).toBe('no');
    expect(resumeElsewhere(report, { ranks: 4, pipelineParallel: 2 }).can).toBe('no');
  });

  it('is converted by a command that injects universal_checkpoint_info where the states have none', async () => {
    const without = resumeElsewhere(await inspectFiles(withShards()), { ranks: 4 });
    expect(without).toMatchObject({ can: 'convert', command: expect.stringContaining('--inject_missing_state') as string });
    const info = { universal_checkpoint_info: { universal_checkpoint_version: 0.2 } };
    expect(resumeElsewhere(await inspectFiles(withShards(info)), { ranks: 4 }).command).not.toContain('--inject_missing_state');
    const stage3 = resumeElsewhere(await inspectFiles(sourcesOf(zeroThreeSave(small))), { ranks: 8 });
    expect(stage3.command).not.toContain('--inject_missing_state');
  });
});

describe('a universal checkpoint', () => {
  const universal = filesBelow('test/fixtures/frameworks/deepspeed/universal-zero3-w2/data');
  const lacking = async (pattern: RegExp): Promise<CheckpointReport> =>
    inspectFiles(Object.fromEntries(Object.entries(universal).filter(([name]) => !pattern.test(name))));

  it.each([
    ['intact', /^$/, [], 'partial'],
    ['without moments', /exp_avg(_sq)?\.pt$/, ['universal-moments-missing'], 'weights-only'],
    ['without second moments', /exp_avg_sq\.pt$/, ['universal-moments-missing'], 'partial'],
    ['without a parameter', /zero\/lm_head\.weight\//, ['universal-files-missing'], 'broken'],
    ['without the weights of a parameter', /zero\/lm_head\.weight\/fp32/, ['universal-files-missing'], 'broken'],
    ['without the optimizer’s shared state', /optimizer_state\.pt$/, ['universal-files-missing'], 'broken'],
  ])('%s', async (_, pattern, found, verdict) => {
    const report = await lacking(pattern);
    expect(report.findings.map(({ code }) => code).filter((code) => code.startsWith('universal'))).toEqual(found);
    expect(report.resume.verdict).toBe(verdict);
  });
});

describe('a parameter of a universal checkpoint', () => {
  const universal = fixtureBelow('deepspeed/universal-zero3-w2');
  const directory = 'global_step4_universal/zero/wte.weight/';

  it.each(['exp_avg.pt', 'exp_avg_sq.pt'])('is trained without %s', async (lost) => {
    const files = Object.fromEntries(Object.entries(universal).filter(([name]) => name !== directory + lost));
    const report = await inspectFiles(files);
    const codes = report.findings.map(({ code }) => code);
    expect(codes).toContain('universal-moments-missing');
    expect(codes).not.toContain('weights-differ');
    const own = report.files.filter(({ path }) => path.startsWith(directory));
    expect(own.map(({ components }) => Object.keys(components))).toEqual([['optimizer'], ['masterWeights']]);
  });
});

describe('a universal checkpoint without its model states', () => {
  const universal = filesBelow('test/fixtures/frameworks/deepspeed/universal-zero3-w2/data');
  const stateless = Object.fromEntries(Object.entries(universal).filter(([name]) => !name.endsWith('_model_states.pt')));

  it('of ZeRO-3 cannot be loaded, and its parameters are those of its folders', async () => {
    const whole = await inspectFiles(universal);
    const report = await inspectFiles(stateless);
    expect(report.parameters.unique).toBe(whole.parameters.unique);
    expect(report.topology).toMatchObject({ dataParallel: 2, zeroStage: 3 });
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: ['rank-file-missing'] });
    expect(report.resume.present).toContain('optimizer');
    expect(report.findings.find(({ code }) => code === 'rank-file-missing')?.message).toMatch(/^Files of 2 of 2 ranks missing/);
  });

  it('below stage 3 misses the one that all ranks share, and counts no buffers', async () => {
    const files: Record<string, MemoryFile> = { ...stateless };
    const directory = 'global_step4_universal/zero';
    files[`${directory}/optimizer_state.pt`] = torchState(() => ({ zero_stage: 2, partition_count: [2] }));
    files[`${directory}/pos_ids/fp32.pt`] = torchState((tensor) => ({ param: tensor([16]) }));
    const report = await inspectFiles(files);
    expect(report.parameters.unique).toBe((await inspectFiles(universal)).parameters.unique);
    expect(report.findings.find(({ code }) => code === 'rank-file-missing')?.message).toMatch(/mp_rank_00_model_states\.pt\.$/);
    expect(report.resume.verdict).toBe('broken');
  });
});

describe('latest', () => {
  it('may name a save that is not there', async () => {
    const files = { ...sourcesOf(zeroThreeSave(small)), latest: new TextEncoder().encode('global_step9') };
    expect(findingsOf(await inspectFiles(files))).toEqual([
      ['pointer-target-missing', 'latest'],
      ['weights-only-in-optimizer', 'global_step7/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt'],
    ]);
  });

  it('is no directory of the save itself', async () => {
    const files = sourcesOf(zeroThreeSave(small));
    const tag = Object.fromEntries(
      Object.entries(files).flatMap(([name, file]) => (name.startsWith('global_step7/') ? [[name.slice(13), file]] : [])),
    );
    expect(await inspectFiles(tag, 'global_step7')).toMatchObject({
      layout: 'deepspeed',
      step: 7,
      findings: [{ code: 'weights-only-in-optimizer' }],
    });
  });
});

describe('directories of other frameworks', () => {
  const trainer = { 'trainer_state.json': utf8('{"global_step":7}') };
  const placeholdersIn = (report: CheckpointReport): unknown[] =>
    findingsOf(report).filter(([code]) => code === 'weights-are-placeholders');

  it('Trainer resumes from ZeRO-3’s shards where it gathers no weights', async () => {
    const files = { ...sourcesOf(zeroThreeSave(small)), ...trainer };
    const report = await inspectFiles(files, 'checkpoint-7');
    expect(report.layout).toBe('huggingface-trainer');
    expect(placeholdersIn(report)).toEqual([]);
    expect(report.resume).toMatchObject({ verdict: 'partial', blockedBy: [] });
  });

  it('Trainer resumes an adapter from ZeRO-3’s shards, where the frozen weights are', async () => {
    const files = {
      ...fixtureBelow('deepspeed/frozen-zero3-w2'),
      ...trainer,
      'adapter_config.json': utf8('{"peft_type":"LORA"}'),
      'adapter_model.bin': torchState((tensor) => ({ 'lora_A.weight': tensor([2, 32]) })),
    };
    const report = await inspectFiles(files, 'checkpoint-7');
    expect(placeholdersIn(report)).toEqual([]);
    expect(report.resume.blockedBy).toEqual([]);
  });

  it('an export of placeholders is no model, and is named', async () => {
    const empty = torchState((tensor) => ({ 'a.weight': tensor([0]), 'b.weight': tensor([0]) }));
    const report = await inspectFiles(
      { ...sourcesOf(zeroThreeSave(small)), ...trainer, 'pytorch_model.bin': empty },
      'checkpoint-7',
    );
    expect(placeholdersIn(report)).toEqual([['weights-are-placeholders', 'pytorch_model.bin']]);
  });

  it('Trainer keeps its layout, with DeepSpeed’s ranks and stage', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
    try {
      const checkpoint = path.join(folder, 'checkpoint-2');
      cpSync('test/fixtures/frameworks/hf/trainer-ddp-2r/data/checkpoint-2', checkpoint, { recursive: true });
      rmSync(path.join(checkpoint, 'optimizer.pt'));
      const save = zeroThreeSave({ ...small, step: 2, ranks: 2 });
      delete save['global_step2/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt'];
      writeSparseFiles(checkpoint, save);
      const report = await inspectHostile(await createNodeFileTree(checkpoint));
      expect(report).toMatchObject({ layout: 'huggingface-trainer', step: 2, framework: { name: 'transformers' } });
      expect(report.topology).toMatchObject({ worldSize: 2, zeroStage: 3 });
      expect(findingsOf(report).map(([code]) => code)).toContain('rank-file-missing');
      expect(findingsOf(report).map(([code]) => code)).not.toContain('weights-are-placeholders');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
