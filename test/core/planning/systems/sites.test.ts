/** Sites: what can be had there is ranked and taken, and what is at hand goes before what would be bought. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { inputOrigin } from '../../../../src/core/planning/inputs/inputOrigin.js';
import { presetOf } from '../../../../src/core/planning/inputs/presets.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { completeInputs, makePlan } from '../../../../src/core/planning/storagePlan.js';
import { siteOf } from '../../../../src/core/planning/systems/siteDefaults.js';
import { sites } from '../../../../src/core/planning/systems/siteNames.js';
import { storageSystems } from '../../../../src/core/planning/systems/storageSystems.js';
import { planDocument } from '../../../builders/randomPlan.js';

const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const seventyB = presetOf('70b')?.inputs ?? {};

describe('sites', () => {
  it('each has a storage and systems of its own, and every system is somewhere', () => {
    for (const site of sites) {
      const { store, objectStore } = completeInputs({ site });
      const there = storageSystems.filter((system) => system.sites.includes(site)).map(({ id }) => id);
      expect(there).toContain(store);
      if (objectStore !== 'none') expect(there).toContain(objectStore);
    }
    for (const system of storageSystems) expect(system.sites.length).toBeGreaterThan(0);
  });

  it('decide the storage that is not given, and say so', () => {
    expect(completeInputs({ site: 'azure' })).toMatchObject({ store: 'azure-managed-lustre', objectStore: 'azure-blob' });
    expect(completeInputs({ site: 'google', store: 'filestore' })).toMatchObject({
      store: 'filestore',
      objectStore: 'gcs-standard',
    });
    expect(completeInputs({})).toMatchObject({ store: 'lustre', objectStore: 's3-standard' });
    const document = { inputs: { site: 'aws' } as const, origins: {} };
    expect(inputOrigin(document, 'store')).toEqual({ kind: 'read', text: 'AWS' });
    expect(inputOrigin({ inputs: {}, origins: {} }, 'store')).toBeUndefined();
  });

  it('follow from a storage that is at one of them alone', () => {
    expect(siteOf({ store: 'fsx-lustre' })).toBe('aws');
    expect(siteOf({ store: 'nfs' })).toBe('on-premises');
    expect(siteOf({ store: 'lustre' })).toBeNull();
    expect(siteOf({ site: 'google', store: 'nfs' })).toBe('google');
  });

  it.each(sites)('%s: what cannot be had there stands below all else', (site) => {
    const { verdicts } = planOf({ ...seventyB, site }).guidance;
    const there = verdicts.map(({ isAvailable }) => isAvailable);
    expect(there).toEqual([...there].sort((a, b) => Number(b) - Number(a)));
    for (const { system, isAvailable } of verdicts) expect(isAvailable).toBe(system.sites.includes(site));
    expect(there).toContain(false);
  });
});

describe('what is at hand', () => {
  it('comes first where it is enough, and the advice says so', () => {
    const document = planDocument({ ...seventyB, store: 'nfs', writeBytesPerSecond: 10e9 });
    const plan = makePlan(document);
    expect(plan.guidance.verdicts[0]).toMatchObject({ isAtHand: true, isEnough: true, isFit: true });
    expect(plan.guidance.verdicts[0]?.system.id).toBe('nfs');
    expect(planPage(plan, document).recommendation).toContain(
      'No other storage has to be bought for this plan: NFS is at hand and enough.',
    );
  });

  it('comes first where it is slow and works, and the advice claims no more', () => {
    const document = planDocument({ ...seventyB, store: 'nfs', writeBytesPerSecond: 1e9 });
    const plan = makePlan(document);
    expect(plan.blockers).toEqual([]);
    expect(plan.guidance.verdicts[0]).toMatchObject({ isEnough: true, isFit: false });
    expect(
      plan.guidance.verdicts.slice(1).filter(({ system, isAvailable }) => isAvailable && !system.sites.includes('on-premises')),
    ).toEqual([]);
    expect(planPage(plan, document).recommendation.join(' ')).not.toContain('at hand');
  });

  it('is nothing that the plan takes by default, and does not come first where it cannot work', () => {
    expect(planOf(seventyB).guidance.verdicts.filter(({ isAtHand, isInNode }) => isAtHand && !isInNode)).toEqual([]);
    const slow = planOf({ ...seventyB, store: 'nfs', writeBytesPerSecond: 1e6, intervalSeconds: 600 });
    expect(slow.guidance.verdicts.find(({ system }) => system.id === 'nfs')?.isEnough).toBe(false);
    expect(slow.guidance.verdicts[0]?.system.id).not.toBe('nfs');
  });

  it('counts what a month of saves is charged', () => {
    const { guidance } = planOf({ ...seventyB, site: 'aws' });
    const monthOf = (id: string) => guidance.verdicts.find(({ system }) => system.id === id)?.perMonth ?? 0;
    // A save of 988 GB every half hour, at $0.06 a GB or $6 a MB/s.
    expect(monthOf('efs')).toBeGreaterThan(20_000);
    expect(monthOf('s3-standard')).toBeLessThan(1000);
  });
});
