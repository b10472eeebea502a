/** Levels of saving: what each survives, how often it gets a save, and what a failure costs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const preset = presetOf('405b') ?? expect.fail();
const planOf = (change: Partial<PlanInputs> = {}) => {
  const document = documentOfPreset(preset);
  return makePlan({ ...document, inputs: { ...document.inputs, ...change } });
};
const idsOf = (change: Partial<PlanInputs>) => planOf(change).levels.levels.map(({ id }) => id);

describe('levels', () => {
  it('are those of the way of saving', () => {
    expect(idsOf({ saveMode: 'synchronous' })).toEqual(['shared-store', 'object-store']);
    expect(idsOf({ saveMode: 'asynchronous' })).toEqual(['host-memory', 'shared-store', 'object-store']);
    expect(idsOf({ saveMode: 'multi-level' })).toEqual([
      'host-memory',
      'neighbour-memory',
      'local-nvme',
      'shared-store',
      'object-store',
    ]);
    expect(
      idsOf({
        saveMode: 'multi-level',
        nvmeWriteBytesPerSecond: 0,
        objectStore: 'none',
        gpus: 8,
        tensorParallel: 8,
        pipelineParallel: 1,
      }),
    ).toEqual(['host-memory', 'shared-store']);
  });

  it('recover each failure from the first that survives it', () => {
    const from = (change: Partial<PlanInputs>) => planOf(change).levels.recoveries.map(({ level }) => level);
    expect(from({ saveMode: 'multi-level' })).toEqual(['host-memory', 'neighbour-memory', 'shared-store', 'object-store']);
    expect(from({ saveMode: 'asynchronous' })).toEqual(['shared-store', 'shared-store', 'shared-store', 'object-store']);
    expect(from({ objectStore: 'none' })).toEqual(['shared-store', 'shared-store', 'shared-store', null]);
  });

  it('get saves by the failures that only they survive', () => {
    const { levels, save } = planOf({ saveMode: 'multi-level' });
    const every = Object.fromEntries(levels.levels.map(({ id, everySaves }) => [id, everySaves]));
    const young = (share: number) =>
      Math.round(Math.sqrt((2 * save.stallSeconds * save.mtbfSeconds) / share) / save.intervalSeconds);
    expect(every).toEqual({
      'host-memory': 1,
      'neighbour-memory': 1,
      'local-nvme': null,
      'shared-store': young(0.08),
      'object-store': young(0.002),
    });
    expect([young(0.08), young(0.002)]).toEqual([4, 23]);
  });

  it('never get saves for more of the time than is wanted', () => {
    const { levels, inputs } = planOf({ saveMode: 'multi-level', objectBytesPerSecond: 1e9 });
    const object = levels.levels.find(({ id }) => id === 'object-store');
    expect((object?.drainSeconds ?? 0) / (object?.intervalSeconds ?? 1)).toBeLessThanOrEqual(inputs.overlapTarget);
  });

  it('need host memory for two copies and 15 %', () => {
    const room = planOf({ zeroStage: '0' }).levels.levels[0]?.room;
    expect(room?.neededBytes).toBeCloseTo(355_121_715_200 * 2 * 1.15, 0);
    expect(room?.nodeBytes).toBe(2e12);
  });

  it('need it twice where every node writes and holds a neighbour’s part', () => {
    const single = planOf({ zeroStage: '3' }).levels.levels[0]?.room?.neededBytes ?? 0;
    expect(planOf({ zeroStage: '3', saveMode: 'multi-level' }).levels.levels[0]?.room?.neededBytes).toBeCloseTo(single * 2, 0);
  });

  it('let the shared storage be slower', () => {
    const { levels, save } = planOf({ saveMode: 'multi-level' });
    expect(levels.storeBytesPerSecond).toBe(save.demand.requiredBytesPerSecond / 4);
    expect(save.writeBytesPerSecond).toBeLessThan(planOf().save.writeBytesPerSecond);
    const asynchronous = planOf();
    expect(asynchronous.levels.storeBytesPerSecond).toBe(asynchronous.save.demand.requiredBytesPerSecond);
  });
});

describe('what a failure costs', () => {
  it('is the interval and the drain at most', () => {
    const { levels, save } = planOf();
    const node = levels.recoveries.find(({ failure }) => failure === 'node');
    expect(node?.recoveryPointSeconds).toBeCloseTo(save.intervalSeconds + save.saveSeconds, 9);
    expect(node?.expectedLostSeconds).toBeCloseTo(save.intervalSeconds / 2 + save.saveSeconds, 9);
    expect(node?.secondsBetween).toBeCloseTo(save.mtbfSeconds / 0.78, 6);
  });

  it('sums over drains and older saves', () => {
    const { levels, save } = planOf({ objectStore: 'none' });
    expect(levels.drainLossShare).toBeCloseTo((0.998 * save.saveSeconds) / save.mtbfSeconds, 12);
    expect(levels.furtherLossShare).toBeCloseTo(levels.drainLossShare, 12);
    expect(planOf({ saveMode: 'synchronous', objectStore: 'none' }).levels.furtherLossShare).toBe(0);
  });

  it('knows the share of every class, together 1', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { levels } = makePlan(document);
        const shares = levels.recoveries.map(({ share }) => share);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(levels.furtherLossShare).toBeGreaterThanOrEqual(levels.drainLossShare - 1e-12);
        expect(levels.furtherLossShare).toBeLessThanOrEqual(1);
      }),
      runs(20, 1000),
    );
  });
});
