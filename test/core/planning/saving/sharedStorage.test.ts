/** Several jobs on one storage: each has its share, and what a plan asks for is told of the whole. Power beside it. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { derivedInput } from '../../../../src/core/planning/inputs/derivedInputs.js';
import { readQuantity } from '../../../../src/core/planning/inputs/quantity.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

const plan = (inputs: Partial<PlanInputs>) => makePlan(planDocument(inputs));
const wordsOf = (inputs: Partial<PlanInputs>) => planPage(plan(inputs), planDocument(inputs));

describe('jobs that share the storage', () => {
  const alone = { parameters: 7e9, store: 'nfs' } as const;
  const shared = { ...alone, jobs: 4, writeBytesPerSecond: 2e9, readBytesPerSecond: 4e9, storeCapacityBytes: 2e12 } as const;

  it('plan as one alone plans with its share', () => {
    const one = plan({ ...alone, writeBytesPerSecond: 5e8, readBytesPerSecond: 1e9, storeCapacityBytes: 5e11 });
    const { save, restore, retention } = plan(shared);
    expect(save).toEqual(one.save);
    expect(restore).toEqual(one.restore);
    expect(retention).toEqual(one.retention);
  });

  it('say what they ask for together', () => {
    const { recommendation, sections } = wordsOf(shared);
    expect(recommendation.join(' ')).toContain('one of 4 jobs: together they write 2 GB/s');
    expect(sections.find(({ id }) => id === 'bandwidth')?.more.some(({ text }) => text.includes('4 such jobs'))).toBe(true);
    const open = { ...alone, jobs: 4 };
    expect(derivedInput('writeBytesPerSecond', plan(open))).toBe(4 * plan(open).save.writeBytesPerSecond);
    expect(plan(open).guidance.needs.writeBytesPerSecond).toBe(4 * plan(alone).guidance.needs.writeBytesPerSecond);
  });

  it('are blocked with changes of the whole storage that are enough', () => {
    const given = { ...shared, intervalSeconds: 60, storeCapacityBytes: 5e11 };
    const blockers = plan(given).blockers;
    const pile = blockers.find(({ id }) => id === 'saves-pile-up');
    const room = blockers.find(({ id }) => id === 'store-room');
    if (pile?.id !== 'saves-pile-up' || room?.id !== 'store-room') throw new Error('Not blocked');
    expect(pile.neededBytesPerSecond).toBeCloseTo((4 * 98e9) / 60, 0);
    expect(room.neededBytes).toBe(8 * 98e9);
    const enough = { ...given, writeBytesPerSecond: pile.neededBytesPerSecond, storeCapacityBytes: room.neededBytes };
    expect(plan(enough).blockers).toEqual([]);
  });
});

describe('power', () => {
  const given = { parameters: 70e9, gpus: 256, gpu: 'h100', writeBytesPerSecond: 20e9 } as const;

  it('of the storage is compared with GPUs', () => {
    const drawn = { ...given, storageWattsPerGBps: 40, storageWattsPerTB: 5, keepLast: 1 } as const;
    const { frontier, retention } = plan(drawn);
    const stored = retention.places.find(({ place }) => place === 'store')?.peakBytes ?? 0;
    expect(stored).toBe(2 * 14 * 70e9);
    expect(frontier.planned.storageWatts).toBeCloseTo(40 * 20 + (5 * stored) / 1e12, 9);
    expect(frontier.gpuWatts).toBe(256 * 700);
    expect(frontier.worthGpusByPower).toBeCloseTo((frontier.planned.storageWatts ?? 0) / 700, 9);
    const section = wordsOf(drawn).sections.find(({ id }) => id === 'frontier');
    expect(section?.more.at(-1)).toMatchObject({ amount: '810 W', detail: 'The GPUs draw 179 kW.' });
    expect(section?.tables[0]?.columns.map(({ label }) => label)).toContain('its power');
  });

  it('is not claimed where it is not given', () => {
    const { frontier } = plan(given);
    expect(frontier).toMatchObject({ gpuWatts: 179_200, worthGpusByPower: null });
    expect(plan({ gpu: 'tpu-v5e' }).frontier.gpuWatts).toBeNull();
    expect(plan({ storageWattsPerGBps: 40 }).frontier).toMatchObject({ gpuWatts: null, worthGpusByPower: null });
  });

  it('is read with its unit', () => {
    const field = { quantity: 'watts' } as const;
    expect(readQuantity('1.2 kW', field)).toEqual({ value: 1200 });
    expect(readQuantity('3 MW', field)).toEqual({ value: 3e6 });
    expect(readQuantity('3 mw', field)).toEqual({ readings: expect.any(Array) as string[] });
  });
});
