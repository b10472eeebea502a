/** Saves between a warning and the end. */
import { expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { gracePeriods } from '../../../../src/core/planning/saving/gracePeriod.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';

const preset = presetOf('405b') ?? expect.fail();
const emergencyOf = (change: Partial<PlanInputs>) => {
  const document = documentOfPreset(preset);
  return makePlan({ ...document, inputs: { ...document.inputs, ...change } });
};

it('takes the copy to host memory and the write', () => {
  const { emergency, save } = emergencyOf({ writeBytesPerSecond: 200e9 });
  const store = emergency.saves.find(({ level }) => level === 'shared-store');
  expect(store?.neededSeconds).toBeCloseTo(5 + 5_681_947_443_200 / 200e9, 6);
  expect(save.stallSeconds).toBe(5);
});

it('fits up to four fifths of the grace period: the rest goes to noticing the warning and finishing a step', () => {
  const fits = (graceSeconds: number) => emergencyOf({ writeBytesPerSecond: 200e9, graceSeconds }).emergency.best.fits;
  // 33.4 s.
  expect([34, 41, 42, 120].map(fits)).toEqual([false, false, true, true]);
});

it('knows the largest that does', () => {
  const { emergency } = emergencyOf({ writeBytesPerSecond: 200e9, graceSeconds: 30 });
  const largest = emergency.best.largestBytes ?? 0;
  // Copy and write of that much take 0.8 × 30 s.
  const seconds = (5 * largest) / 5_681_947_443_200 + largest / 200e9;
  expect(seconds).toBeCloseTo(24, 6);
});

it('prefers what outlives the machine to what is quicker', () => {
  const { emergency } = emergencyOf({ saveMode: 'multi-level' });
  expect(emergency.saves.filter(({ outlivesTheMachine }) => outlivesTheMachine).map(({ level }) => level)).toEqual([
    'neighbour-memory',
    'shared-store',
    'object-store',
  ]);
  expect(emergency.best.level).toBe('neighbour-memory');
});

it('waits for no copy where training waits for storage', () => {
  const { emergency, save } = emergencyOf({ saveMode: 'synchronous', stallSeconds: null, writeBytesPerSecond: 200e9 });
  expect(emergency.best.neededSeconds).toBe(save.saveSeconds);
});

it('knows the usual warnings', () => {
  expect(gracePeriods.map(({ id, seconds }) => [id, seconds])).toEqual([
    ['aws-spot', 120],
    ['gcp-spot', 30],
    ['azure-spot', 30],
    ['slurm', 30],
    ['kubernetes', 30],
  ]);
});

it('names the bandwidth that fits', () => {
  const { emergency } = emergencyOf({ graceSeconds: 30 });
  expect(emergency.neededBytesPerSecond).toBeCloseTo(5_681_947_443_200 / (0.8 * 30 - 5), 0);
  expect(
    emergencyOf({ graceSeconds: 30, writeBytesPerSecond: (emergency.neededBytesPerSecond ?? 0) * 1.0001 }).emergency.best.fits,
  ).toBe(true);
  expect(emergencyOf({ graceSeconds: 6 }).emergency.neededBytesPerSecond).toBeNull();
});

it('is no safe save where it just fits, whatever the bandwidth rests on', () => {
  const isWarned = (change: Partial<PlanInputs>) =>
    emergencyOf({ reclaimSeconds: 21_600, graceSeconds: 34, ...change }).save.isWarned;
  expect(isWarned({ writeBytesPerSecond: 200e9 })).toBe(false);
  expect(isWarned({ writeBytesPerSecond: 300e9 })).toBe(true);
});

it('is said to rest on a bandwidth that nobody gave', () => {
  const warning = (change: Partial<PlanInputs>) =>
    emergencyOf({ reclaimSeconds: 21_600, graceSeconds: 1200, store: 's3-standard', ...change }).actions.find(
      ({ id }) => id === 'warning',
    );
  expect(warning({})).toMatchObject({ fits: true, isAssumed: true });
  expect(warning({ writeBytesPerSecond: 20e9 })).toMatchObject({ fits: true, isAssumed: false });
});

it('of a multi-level plan is safe as soon as a neighbour has it', () => {
  const spot = {
    reclaimSeconds: 21_600,
    graceSeconds: 30,
    gpus: 64,
    gpu: 'h100',
    site: 'google',
    writeBytesPerSecond: 5e9,
  } as const;
  const of8b = (saveMode: PlanInputs['saveMode']) => {
    const document = documentOfPreset(presetOf('8b') ?? expect.fail());
    return makePlan({ ...document, inputs: { ...document.inputs, ...spot, saveMode } });
  };
  expect([of8b('asynchronous').save.isWarned, of8b('multi-level').save.isWarned]).toEqual([false, true]);
  // A step up that fits the warning costs less than it gives back, though it is no factor of two.
  const { cheaper } = of8b('asynchronous').frontier;
  expect(cheaper?.bytesPerSecond).toBeGreaterThan(5.5e9);
  expect(cheaper?.bytesPerSecond).toBeLessThan(7e9);
});

it('never costs more than the failure that it would be without a save, however long reading takes', () => {
  const shareAt = (writeBytesPerSecond: number) => {
    const plan = makePlan({
      inputs: {
        parameters: 1e9,
        gpus: 16,
        mtbfSeconds: 3600,
        restartSeconds: 60,
        reclaimSeconds: 3600,
        readBytesPerSecond: 12.5e6,
        fixedStallSeconds: 0.1,
        writeBytesPerSecond,
      },
      measured: [],
      saved: [],
    });
    return { isWarned: plan.save.isWarned, share: 1 - plan.sensitivity.lostShare };
  };
  const [before, after] = [shareAt(140e6), shareAt(160e6)];
  expect([before.isWarned, after.isWarned]).toEqual([false, true]);
  expect(after.share).toBeGreaterThan(before.share);
});
