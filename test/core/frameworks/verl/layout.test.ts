import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../builders/byteWriter.js';
import { byRank, codes, inspectFiles, json, missingOf, model, without } from '../../../builders/torchDirectory.js';
import { torchState } from '../../../builders/torchStateBuilder.js';

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

  it('has two workers, all ranks, scheduler, RNG state and loader', async () => {
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
