/** The bandwidth that a plan chooses, in money: never beaten by one of the others that it lists. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { slowestSold } from '../../../../src/core/planning/money/storageMoney.js';
import { dollarsPerSecond } from '../../../../src/core/planning/saving/bandwidthChoice.js';
import { makePlan, type StoragePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const open = {
  stallSeconds: null,
  intervalSeconds: null,
  intervalSteps: null,
  writeBytesPerSecond: null,
  readBytesPerSecond: null,
};
const costOf = ({ frontier }: StoragePlan): number => frontier.planned.lostPerMonth + frontier.planned.storagePerMonth;

const modes = ['synchronous', 'asynchronous', 'multi-level'] as const;

describe.each(modes)('the bandwidth of %s saves', (saveMode) => {
  it.each(planPresets.map(({ id }) => id))('of %s is where a dollar of storage saves a dollar of GPUs', (id) => {
    const at = (change: Partial<PlanInputs>) => {
      const { inputs, ...document } = documentOfPreset(presetOf(id) ?? expect.fail(id));
      return makePlan({ ...document, inputs: { ...inputs, ...open, saveMode, ...change } });
    };
    const best = at({});
    const rate = best.save.writeBytesPerSecond;
    expect(best.save.bandwidthBasis).toBe('pays');
    expect(rate).toBeGreaterThanOrEqual(slowestSold);
    for (const point of best.frontier.points)
      expect(point.lostPerMonth + point.storagePerMonth).toBeGreaterThanOrEqual(costOf(best));
    // Dearer GPUs are worth at least as much storage, dearer storage no more.
    expect(at({ gpuPricePerHour: 5 }).save.writeBytesPerSecond).toBeGreaterThanOrEqual(rate);
    expect(at({ storePricePerGBps: 2000 }).save.writeBytesPerSecond).toBeLessThanOrEqual(rate);
    expect(best.save.shares.training).toBeGreaterThan(0.9);
  });
});

it('is found among plans of which the slower ones never train', () => {
  const plan = makePlan(planDocument({ checkpointBytes: 100e12, gpus: 100_000, saveMode: 'synchronous', zeroStage: '3' }));
  expect(plan.save.writeBytesPerSecond).toBeGreaterThan(1e12);
  expect(plan.frontier.planned.trainingShare).toBeGreaterThan(0.5);
});

it('is never beaten by another bandwidth of any plan', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const inputs = { ...document.inputs, writeBytesPerSecond: null };
      const plan = makePlan({ ...document, inputs });
      if (plan.save.bandwidthBasis !== 'pays') return;
      for (const { lostPerMonth, storagePerMonth, bytesPerSecond } of plan.frontier.points)
        expect((lostPerMonth + storagePerMonth) * (1 + 2e-3), `${bytesPerSecond}`).toBeGreaterThanOrEqual(costOf(plan));
    }),
    runs(100, 100_000),
  );
});

it('costs what the plan says', () => {
  const plan = makePlan(planDocument({ parameters: 70e9, gpus: 512 }));
  const month = (365.25 * 86_400) / 12;
  const lost = plan.sensitivity.lostShare;
  expect(dollarsPerSecond(plan.inputs, plan.save.writeBytesPerSecond, lost) * month).toBeCloseTo(costOf(plan), 3);
  expect(plan.frontier.gpusPerMonth).toBeCloseTo(512 * 2.5 * 24 * (365.25 / 12), 3);
});

it('is what is given, as far as the nodes carry it', () => {
  const at = (change: Partial<PlanInputs>) => makePlan(planDocument({ gpus: 8, ...change })).save;
  expect(at({ writeBytesPerSecond: 3e9 })).toMatchObject({ writeBytesPerSecond: 3e9, bandwidthBasis: 'given' });
  expect(at({ writeBytesPerSecond: 3e12 })).toMatchObject({ writeBytesPerSecond: 40e9, bandwidthBasis: 'nodes' });
});

it('never trains less with a larger budget', () => {
  const shares = [100, 1000, 10_000].map((storePricePerGBps) => {
    const { frontier } = makePlan(planDocument({ parameters: 70e9, gpus: 512, storePricePerGBps }));
    return frontier.planned.trainingShare;
  });
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
});

describe('bandwidth that comes with the room that there is', () => {
  const TiB = 2 ** 40;
  const at = (change: Partial<PlanInputs>) =>
    makePlan(planDocument({ parameters: 70e9, gpus: 256, store: 'fsx-lustre', ...change }));

  it('costs nothing more, up to what the least level has', () => {
    // 160 TiB at 125 MB/s for each are 20 GB/s.
    const given = at({ storeCapacityBytes: 160 * TiB, writeBytesPerSecond: 20e9 });
    expect(given.frontier.planned.storagePerMonth).toBe(0);
    expect(given.frontier.cheaper).toBeNull();
    expect(at({ storeCapacityBytes: 80 * TiB, writeBytesPerSecond: 20e9 }).frontier.planned.storagePerMonth).toBeGreaterThan(0);
    expect(at({ storeCapacityBytes: 160 * TiB, writeBytesPerSecond: 20e9, jobs: 4 }).frontier.planned.storagePerMonth).toBe(0);
    expect(at({ storeCapacityBytes: 160 * TiB }).save.writeBytesPerSecond).toBe(20e9);
    const own = at({ storeCapacityBytes: 160 * TiB, writeBytesPerSecond: 20e9, storePricePerGBps: 100 });
    expect(own.frontier.planned.storagePerMonth).toBe(2000);
  });

  it('does so too where the bytes that stay take the room', () => {
    const { frontier, cost } = at({ writeBytesPerSecond: 20e9, keepEvery: 10, runSeconds: 90 * 86400 });
    expect(cost.places.find(({ place }) => place === 'store')?.bought?.decidedBy).toBe('bytes');
    expect(frontier.planned.storagePerMonth).toBe(0);
    expect(frontier.cheaper).toBeNull();
  });
});

it('is not beaten by a rate that a step between the compared ones hides', () => {
  const { frontier } = makePlan(
    planDocument({
      parameters: 1e9,
      gpus: 8,
      tensorParallel: 2,
      pipelineParallel: 4,
      saveMode: 'multi-level',
      mtbfSeconds: 3600,
      reclaimSeconds: 3600,
      walltimeSeconds: 3600,
      storePricePerGBps: 50,
      storeUsedBytes: 1e11,
      storageWattsPerGBps: 5,
      energyPricePerKilowattHour: 0.03,
      gpuCapitalDollars: 5000,
    }),
  );
  const cost = ({ lostPerMonth, storagePerMonth }: (typeof frontier)['planned']) => lostPerMonth + storagePerMonth;
  expect(cost(frontier.planned)).toBeLessThanOrEqual(Math.min(...frontier.points.map(cost)) * 1.002);
});
