/** Systems judged for a plan: points by the rules, and no system called safe that is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../../src/core/planning/inputs/presets.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { guidanceRules } from '../../../../src/core/planning/systems/guidance.js';
import { systemIds } from '../../../../src/core/planning/systems/systemNames.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const preset = (id: string, inputs: Partial<PlanInputs> = {}) => planOf({ ...presetOf(id)?.inputs, ...inputs });
const verdictOf = (plan: ReturnType<typeof planOf>, id: string) => {
  const verdict = plan.guidance.verdicts.find(({ system }) => system.id === id);
  if (verdict === undefined) throw new Error(`no verdict on ${id}`);
  return verdict;
};

describe('guidance', () => {
  it('judges every system once, those that keep checkpoints safe first', () => {
    const { verdicts } = preset('405b').guidance;
    expect(verdicts.map(({ system }) => system.id).sort()).toEqual([...systemIds].sort());
    const fits = verdicts.map(({ isFit }) => isFit);
    expect(fits).toEqual([...fits].sort((a, b) => Number(b) - Number(a)));
  });

  it('calls nothing safe that goes with a node, a rack, or hours away', () => {
    const plan = preset('405b');
    for (const id of [
      'host-memory',
      'neighbour-memory',
      'local-nvme',
      'neighbour-nvme',
      'gpu-direct-storage',
      'ebs-gp3',
      'archive',
    ])
      expect(verdictOf(plan, id).isFit).toBe(false);
    for (const id of ['lustre', 'weka', 'vast', 's3-standard', 'fsx-lustre']) expect(verdictOf(plan, id).isFit).toBe(true);
  });

  it('finds one Azure account too slow for 405B, and enough for 7B', () => {
    expect(verdictOf(preset('405b'), 'azure-blob').write).toEqual({ verdict: 'too-little', bytesPerSecond: 7.5e9 });
    expect(verdictOf(preset('7b'), 'azure-blob').write.verdict).toBe('enough');
  });

  it('uses the plan’s own drives and storage', () => {
    expect(verdictOf(preset('405b', { nvmeWriteBytesPerSecond: 0 }), 'local-nvme').write).toEqual({
      verdict: 'too-little',
      bytesPerSecond: 0,
    });
    // 16 nodes write where one replica does.
    expect(verdictOf(preset('405b', { zeroStage: '0', nvmeWriteBytesPerSecond: 20e9 }), 'local-nvme').write).toEqual({
      verdict: 'enough',
      bytesPerSecond: 16 * 20e9,
    });
    expect(verdictOf(preset('405b', { store: 'weka', writeBytesPerSecond: 50e9 }), 'weka').write.verdict).toBe('too-little');
  });

  it('lets bandwidth, not bytes, decide what FSx costs a large job', () => {
    const { bought, perMonth } = verdictOf(preset('405b'), 'fsx-lustre');
    expect(bought?.decidedBy).toBe('bandwidth');
    // 172 GB/s at 1,000 MB/s for each TiB, $0.60 a GiB.
    expect(perMonth).toBeCloseTo(((bought?.bytes ?? 0) / 2 ** 30) * 0.6, 6);
  });

  it('finds shards too large for a RADOS object', () => {
    const { requests, isFit } = verdictOf(preset('405b'), 'ceph-rados');
    expect(requests?.problem).toBe('object-too-large');
    expect(isFit).toBe(false);
  });

  it('gives points by the rules, for every plan', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        for (const { points, score } of planOf(inputs).guidance.verdicts) {
          for (const { id, most } of guidanceRules) {
            expect(points[id]).toBeGreaterThanOrEqual(0);
            expect(points[id]).toBeLessThanOrEqual(most);
          }
          expect(score).toBe(Math.round(Object.values(points).reduce((sum, value) => sum + value, 0)));
        }
      }),
      runs(30, 1500),
    );
    expect(guidanceRules.reduce((sum, { most }) => sum + most, 0)).toBe(100);
  });
});

describe('tiers of a plan', () => {
  it('go from memory to another region, each surviving what its system does', () => {
    const { tiers } = preset('405b', { saveMode: 'multi-level', secondRegion: true, keepEvery: 20 });
    expect(tiers.map(({ id }) => id)).toEqual([
      'host-memory',
      'neighbour-memory',
      'local-nvme',
      'shared-store',
      'object-store',
      'region',
    ]);
    expect(tiers.at(-1)?.survives).toContain('site');
    for (const tier of tiers.filter(({ cost }) => cost === null)) expect(tier.forever).toBe(0);
  });

  it('are the storage alone where training waits for it and nothing else is planned', () => {
    expect(preset('megatron-1t', { objectStore: 'none' }).tiers.map(({ id }) => id)).toEqual(['shared-store']);
  });
});
