/** Which RNG states of a Trainer checkpoint are lost, by the ranks that wrote its other files. */
import { describe, expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';

const trainer = Object.fromEntries(
  Object.entries(fixtureBelow('hf/trainer-ddp-2r')).map(([path, bytes]) => [path.replace('checkpoint-2/', ''), bytes]),
);
const state = trainer['rng_state_0.pth'] as Uint8Array;

async function lostWith(files: Record<string, Uint8Array>): Promise<string | undefined> {
  const { report } = await inspectCheckpoint(memoryTree('checkpoint-2', { ...trainer, ...files }), { path: 'checkpoint-2' });
  return report.findings.find(({ code }) => code === 'rng-rank-missing')?.message;
}

describe('RNG states', () => {
  it('of all ranks are there', async () => {
    expect(await lostWith({})).toBeUndefined();
  });

  it('between others are missing', async () => {
    expect(await lostWith({ 'rng_state_3.pth': state })).toBe('RNG state of 1 of 4 ranks missing: rng_state_2.pth.');
  });

  it('of the last rank are missing, where its shards of the optimizer are there', async () => {
    const shard = (rank: number): string => `global_step2/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`;
    const shards = Object.fromEntries([0, 1, 2].map((rank) => [shard(rank), state]));
    expect(await lostWith(shards)).toBe('RNG state of 1 of 3 ranks missing: rng_state_2.pth.');
    const local = Object.fromEntries([0, 1, 2].map((rank) => [`pytorch_model_fsdp_rank${rank}.bin`, state]));
    expect(await lostWith(local)).toBe('RNG state of 1 of 3 ranks missing: rng_state_2.pth.');
  });

  it('of ranks by a number out of a file are counted, and not looked for one by one', async () => {
    expect(await lostWith({ 'rng_state_9999999.pth': state })).toMatch(/^RNG state of 9,999,997 of 10,000,000 ranks missing/);
  });
});
