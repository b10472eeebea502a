import { describe, expect, it } from 'vitest';
import type { CheckpointReport, Reshard } from '../../../../src/core/checkpoints/checkpointReport.js';
import { resumeElsewhere } from '../../../../src/core/checkpoints/resumeElsewhere.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { patternBytes } from '../../../builders/byteWriter.js';
import { zarray } from '../../../builders/ocdbtBuilder.js';
import { codes, inspectFiles, json } from '../../../builders/torchDirectory.js';
import { namespace, torchState, type State } from '../../../builders/torchStateBuilder.js';
import type { MemoryFile } from '../../../builders/memoryTree.js';

/** A save of torch.distributed.checkpoint as Megatron Core's `torch_dist` lays it out: with `common.pt` and `metadata.json`. */
const saved = (metadata: object): Record<string, MemoryFile> => ({
  ...filesBelow('test/fixtures/frameworks/dcp/fsdp2-app-2r/data/step_3'),
  'common.pt': torchState(() => ({ iteration: 7 })),
  'metadata.json': json({ sharded_backend: 'torch_dist', ...metadata }),
});

describe('common.pt', () => {
  const withCommon = { common_backend: 'torch', common_backend_version: 1 };

  it('where metadata.json declares it, is needed, and no other sizes load the save without it', async () => {
    const { 'common.pt': _, ...files } = saved(withCommon);
    const report = await inspectFiles(files, 'iter_0000007');
    expect(report.layout).toBe('megatron-distributed');
    expect(codes(report)).toEqual(['common-state-missing']);
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: ['common-state-missing'] });
    expect(report.resume).not.toHaveProperty('reshard');
    expect(resumeElsewhere(report, { ranks: 4 }).can).toBe('no');
  });

  it.each([
    ['is there', withCommon, true],
    ['is an object of the save, since Megatron Core 0.20', {}, false],
    ['is not written with fsdp_dtensor', { ...withCommon, sharded_backend: 'fsdp_dtensor' }, false],
  ])('%s', async (_, metadata, hasCommon) => {
    const { 'common.pt': common, ...files } = saved(metadata);
    const report = await inspectFiles(hasCommon ? { ...files, 'common.pt': common as MemoryFile } : files, 'iter_0000007');
    expect(codes(report)).not.toContain('common-state-missing');
  });
});

it('is bounded by the attention heads and layers of the saved arguments', async () => {
  const args = namespace({ num_attention_heads: 4, num_layers: 2, world_size: 2, tensor_model_parallel_size: 2 });
  const files = { ...saved({ common_backend: 'torch' }), 'common.pt': torchState(() => ({ iteration: 7, args })) };
  const report = await inspectFiles(files, 'iter_0000007');
  expect(resumeElsewhere(report, { ranks: 4, tensorParallel: 4 }).can).toBe('yes');
  expect(resumeElsewhere(report, { ranks: 3, tensorParallel: 3 })).toMatchObject({
    can: 'no',
    why: '4 attention heads cannot be divided among 3 tensor-parallel ranks.',
  });
  expect(resumeElsewhere(report, { ranks: 4, tensorParallel: 1, pipelineParallel: 4 }).why).toMatch(/^2 layers/);
});

it('is bounded by groups of queries: a multiple of the tensor-parallel ranks, or a divisor', async () => {
  const sizes = { num_attention_heads: 24, num_query_groups: 4, num_layers: 2, world_size: 2, tensor_model_parallel_size: 2 };
  const reportOf = (isGrouped: boolean): Promise<CheckpointReport> => {
    const args = namespace({ ...sizes, group_query_attention: isGrouped });
    return inspectFiles(
      { ...saved({ common_backend: 'torch' }), 'common.pt': torchState(() => ({ iteration: 7, args })) },
      'iter_0000007',
    );
  };
  const grouped = await reportOf(true);
  expect([1, 2, 4, 8].map((tensorParallel) => resumeElsewhere(grouped, { ranks: 8, tensorParallel }).can)).toEqual(
    Array.from({ length: 4 }, () => 'yes'),
  );
  expect(resumeElsewhere(grouped, { ranks: 6, tensorParallel: 6 })).toMatchObject({
    can: 'no',
    why: '4 query groups are neither a multiple nor a divisor of 6 tensor-parallel ranks.',
  });
  expect(resumeElsewhere(await reportOf(false), { ranks: 6, tensorParallel: 6 }).can).toBe('yes');
});

describe('which sizes can load the optimizer', () => {
  const reshardOf = async (state: State): Promise<Reshard | undefined> => {
    const files = { ...saved({ common_backend: 'torch' }), 'common.pt': torchState(() => ({ iteration: 7, optimizer: state })) };
    return (await inspectFiles(files, 'iter_0000007')).resume.reshard;
  };

  it('is said where its kind of sharding is one that all load', async () => {
    const reshard = await reshardOf({ param_state_sharding_type: 'fully_reshardable' });
    expect(reshard?.can).toBe('any');
    expect(reshard?.detail).toContain('the optimizer’s state is fully_reshardable');
  });

  it('is said where its names are those of parameters', async () => {
    expect((await reshardOf({}))?.detail).toContain('stored by parameter, with global shapes');
  });

  it('is not said of a kind that is not known', async () => {
    expect(await reshardOf({ param_state_sharding_type: 'of_another_version' })).toBeUndefined();
  });
});

describe('a save of zarr arrays', () => {
  const array = (name: string, elements = 3): Record<string, MemoryFile> => ({
    [`${name}/.zarray`]: zarray([elements]),
    [`${name}/0`]: patternBytes(4 * elements),
  });
  const fc1 = 'decoder.layers.mlp.linear_fc1';
  const files = {
    'common.pt': torchState(() => ({ iteration: 7 })),
    'metadata.json': json({ sharded_backend: 'zarr', common_backend: 'torch' }),
    ...array(`${fc1}.weight`),
    ...array('embedding.word_embeddings.weight'),
    [`${fc1}._extra_state/shard_0_1.pt`]: torchState(() => ({})),
    // Without a weight of their own.
    'output_layer._extra_state/shard_0_1.pt': torchState(() => ({})),
    'decoder.layers.self_attention.core_attention._extra_state/shard_0_1.pt': torchState(() => ({})),
    ...array('optimizer.state.exp_avg.embedding.word_embeddings.weight'),
  };
  const lacking = async (name: string): Promise<CheckpointReport> =>
    inspectFiles(Object.fromEntries(Object.entries(files).filter(([file]) => !file.startsWith(`${name}/`))), 'iter_0000007');

  it('has an array for each parameter that other state names', async () => {
    expect(codes(await lacking('none'))).not.toContain('arrays-missing');
    for (const name of [`${fc1}.weight`, 'embedding.word_embeddings.weight']) {
      const report = await lacking(name);
      expect(codes(report)).toContain('arrays-missing');
      expect(report.resume.verdict).toBe('broken');
      expect(report.findings.find(({ code }) => code === 'arrays-missing')?.message).toContain(name);
    }
  });

  it('has master weights of as many elements as their parameters, in the shapes that it stores', async () => {
    const masters = async (more: Record<string, MemoryFile>): Promise<string[]> =>
      codes(await inspectFiles({ ...files, ...more }, 'iter_0000007')).filter((code) => code === 'master-weights-differ');
    const name = 'optimizer.state.fp32_param.embedding.word_embeddings.weight';
    expect(await masters(array(name))).toEqual([]);
    expect(await masters(array(name, 4))).toEqual(['master-weights-differ']);
    const buffer = (elements: number): Record<string, MemoryFile> => ({
      'optimizer.distributed.dp_group_idx_0.param_state/shard_0_1.pt': torchState((tensor) => ({
        '0': { param: tensor([elements]) },
      })),
    });
    expect(await masters(buffer(8))).toEqual([]);
    expect(await masters(buffer(70_000))).toEqual(['master-weights-differ']);
  });
});
