import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../../src/core/checkpoints/checkpointReport.js';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { createNodeFileTree } from '../../../../src/platform/nodeFileTree.js';
import {
  llamaShapes,
  sourcesOf,
  writeSparseFiles,
  zeroThreeSave,
  type ZeroThreeSave,
} from '../../../builders/deepspeedBuilder.js';
import { utf8 } from '../../../builders/byteWriter.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { torchState } from '../../../builders/torchStateBuilder.js';
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
      expect(report.findings.map((finding) => finding.code)).toEqual(['weights-stored-twice']);
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

  it('of a job of 1,024', async () => {
    const report = await inspectFiles(sourcesOf(zeroThreeSave({ ...small, ranks: 1024 })));
    expect(report.topology).toMatchObject({ worldSize: 1024, dataParallel: 1024 });
    expect(report.ranks).toHaveLength(1024);
    expect(report.parameters.unique).toBe(64 * 32 + 32);
    expect(report.findings.map(({ code }) => code)).toEqual(['weights-only-in-optimizer']);
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
