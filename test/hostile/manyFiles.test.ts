/** Directories with more files than a call has room for arguments. */
import { expect, it } from 'vitest';
import { isExhaustive } from '../builders/seed.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectHostile } from './accountable.js';

const many = isExhaustive ? 150_000 : 130_000;

it.each([
  ['RNG states of ranks', (rank: number) => `rng_state_${rank}.pth`, 'trainer_state.json'],
  ['files of ranks', (rank: number) => `model_world_size_${many}_rank_${rank}.pt`, 'x.pt'],
])('%s', async (_, nameOf, other) => {
  // Files that cannot be opened: what counts here is their number.
  const files = Object.fromEntries(Array.from({ length: many }, (__, rank) => [nameOf(rank), { entry: { error: 'not here' } }]));
  const report = await inspectHostile(memoryTree('checkpoint-1', { ...files, [other]: new TextEncoder().encode('{}') }));
  expect(report.topology.worldSize).toBe(many);
});
