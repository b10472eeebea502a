import { describe, expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { sourcesOf, zeroThreeSave } from '../../builders/deepspeedBuilder.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { inspectFiles, missingOf, without } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

/** Replaces a text by one of the same length. */
function patched(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  return new Uint8Array(Buffer.from(text.replaceAll(from, to), 'latin1'));
}

describe('ranks whose files are missing are counted, not their files', () => {
  const distributed = fixtureBelow('dcp/fsdp2-app-2r', '');
  const save = Object.fromEntries(
    Object.entries(distributed).flatMap(([name, file]) => (name.startsWith('step_3/') ? [[name.slice(7), file]] : [])),
  );

  it('in a distributed save', async () => {
    const report = await inspectFiles(without(save, '__0_0.distcp'), 'step_3');
    expect(missingOf(report)).toBe('Files of 1 of 2 ranks missing: __0_0.distcp.');
    expect(report.topology.worldSize).toBe(2);
  });

  it('of a distributed save, also where the last one has no other file', async () => {
    const report = await inspectFiles(without(save, '__1_0.distcp'), 'step_3');
    expect(missingOf(report)).toBe('Files of 1 of 2 ranks missing: __1_0.distcp.');
    expect(report.topology.worldSize).toBe(2);
  });

  it('of a distributed save whose ranks write several files', async () => {
    const files: Record<string, MemoryFile> = {
      '.metadata': patched(save['.metadata'] as Uint8Array, '__0_0.distcp', '__1_7.distcp'),
      '__1_0.distcp': save['__1_0.distcp'] as Uint8Array,
    };
    const report = await inspectFiles(files, 'step_3');
    expect(missingOf(report)).toBe('Files of 1 of 2 ranks missing: __1_7.distcp.');
  });

  it('of ZeRO-3, whose ranks write a model state and a shard', async () => {
    const shapes = { 'a.weight': [64, 32], 'b.weight': [32] };
    const files = sourcesOf(zeroThreeSave({ shapes, ranks: 4, step: 7, exportShards: 0 }));
    const [state, shard] = ['zero_pp_rank_3_mp_rank_00_model_states.pt', 'bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt'];
    const report = await inspectFiles(without(without(files, `global_step7/${state}`), `global_step7/${shard}`));
    expect(missingOf(report)).toMatch(/^Files of 1 of 4 ranks missing: /);
  });

  it('of ZeRO-1, whose ranks share a model state that the first one writes', async () => {
    const files = fixtureBelow('deepspeed/zero1-bf16-w2');
    const report = await inspectFiles(without(files, 'global_step6/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt'));
    expect(missingOf(report)).toMatch(/^Files of 1 of 2 ranks missing: /);
  });

  it('of experts, of which each rank has several', async () => {
    const experts = [0, 1].flatMap((expert) =>
      ['weight', 'bias'].map((name) => [`moe.experts.deepspeed_experts.${expert}.${name}`, [4]] as const),
    );
    const state = torchState(() => ({
      param_shapes: [Object.fromEntries(experts)],
      num_experts: [4],
      dp_world_size: 2,
      mp_world_size: 1,
      global_steps: 7,
    }));
    const weights = torchState((tensor) => ({ weight: tensor([4]), bias: tensor([4]) }));
    const files: Record<string, MemoryFile> = { 'global_step7/mp_rank_00_model_states.pt': state };
    for (const expert of [0, 1]) files[`global_step7/layer_0_expert_${expert}_mp_rank_00_model_states.pt`] = weights;
    const report = await inspectFiles(files);
    expect(missingOf(report)).toMatch(/^Files of 1 of 2 ranks missing: .*expert_2.*expert_3/);
  });
});
