import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrainingPlan } from '../../../src/core/configs/trainingPlan.js';
import { runSize } from '../../../src/core/estimates/runSize.js';
import { runs } from '../../builders/seed.js';

it.each<[string, Partial<TrainingPlan>, number | null, number | null]>([
  ['of steps', { steps: 1e12, saveIntervalSteps: 1e-320 }, null, null],
  ['of epochs', { epochs: 3, saveIntervalEpochs: 1e-320 }, null, null],
  ['of steps, of which some stay', { steps: 1e12, saveIntervalSteps: 1e-320, keep: 3 }, null, 3],
  ['of milestones', { steps: 1000, saveIntervalSteps: 100, keep: 3, keepEverySteps: 1e-320 }, 10, 10],
])('an interval of nearly nothing %s is no number of saves', (_, plan, saves, kept) => {
  expect(runSize({ checkpoint: 100, weights: null }, plan as TrainingPlan)).toMatchObject({ saves, kept });
});

/** Steps whose checkpoints are there at the end, saved and deleted one after the other. */
function simulate(plan: TrainingPlan): { saves: number; kept: number[] } {
  const { steps = 0, saveIntervalSteps: interval = 1, keep, keepEverySteps, lastSave } = plan;
  let there: number[] = [];
  let saves = 0;
  for (let step = 1; step <= steps; step++) {
    if (step % interval !== 0 && !(lastSave !== undefined && step === steps)) continue;
    saves += 1;
    there.push(step);
    if (keep === null || keep === undefined) continue;
    const newest = there.slice(Math.max(0, there.length - keep));
    there = there.filter(
      (one) => newest.includes(one) || (keepEverySteps !== undefined && one % keepEverySteps === 0 && one % interval === 0),
    );
  }
  return { saves, kept: there };
}

it('agrees with saving and deleting one checkpoint after the other', () => {
  const rotation = fc.record(
    {
      steps: fc.integer({ min: 1, max: 300 }),
      saveIntervalSteps: fc.integer({ min: 1, max: 60 }),
      keep: fc.option(fc.integer({ min: 1, max: 6 })),
      keepEverySteps: fc.integer({ min: 1, max: 150 }),
      lastSave: fc.constantFrom<'all' | 'weights'>('all', 'weights'),
    },
    { requiredKeys: ['steps', 'saveIntervalSteps', 'keep'] },
  );
  fc.assert(
    fc.property(rotation, (plan: TrainingPlan) => {
      const { saves, kept } = simulate(plan);
      const isLastSmall = plan.lastSave === 'weights' && saves > 0;
      const run = runSize({ checkpoint: 10, weights: 3 }, plan);
      expect(run).toMatchObject({ saves, kept: kept.length, lastBytes: isLastSmall ? 3 : null });
      expect(run.bytes).toBe(10 * kept.length - (isLastSmall ? 7 : 0));
      expect(run.writtenBytes).toBe(10 * saves - (isLastSmall ? 7 : 0));
    }),
    runs(100),
  );
});

it('adds what is written into a folder of its own, and checkpoints of a second kind', () => {
  const plan: TrainingPlan = { steps: 1000, saveIntervalSteps: 300, keep: 2 };
  const bytes = { checkpoint: 10, weights: 3 };
  expect(runSize(bytes, { ...plan, endFolder: 'weights' })).toMatchObject({
    saves: 3,
    kept: 2,
    bytes: 23,
    writtenBytes: 33,
    endBytes: 3,
  });
  expect(runSize(bytes, { ...plan, endFolder: 'all' })).toMatchObject({ kept: 2, bytes: 30, endBytes: 10 });
  expect(runSize(bytes, { ...plan, keep: 0, secondSave: { saveIntervalSteps: 400, keep: null, lastSave: 'all' } })).toMatchObject(
    {
      saves: 6,
      kept: 3,
      bytes: 30,
    },
  );
});

it('has nothing where saving is turned off, and no bytes where those of the weights are not known', () => {
  const plan: TrainingPlan = { steps: 1000, saveIntervalSteps: 100, keep: null };
  expect(runSize({ checkpoint: 10, weights: 3 }, { ...plan, notes: ['saves-never'] })).toMatchObject({
    saves: 0,
    kept: 0,
    bytes: 0,
  });
  expect(runSize({ checkpoint: 10, weights: null }, { ...plan, lastSave: 'weights' })).toMatchObject({ kept: 10, bytes: null });
});

it('has one more on disk while the next is written, unless room is made first', () => {
  const bytes = { checkpoint: 10, weights: 2 };
  const plan = { steps: 100, saveIntervalSteps: 10, keep: 2 };
  expect(runSize(bytes, plan)).toMatchObject({ bytes: 20, peakBytes: 30 });
  expect(runSize(bytes, { ...plan, deletes: 'first' })).toMatchObject({ bytes: 20, peakBytes: 20 });
  const cleared = { ...plan, deletes: 'at-end', endFolder: 'weights' } as const;
  expect(runSize(bytes, cleared)).toMatchObject({ saves: 10, kept: 0, bytes: 2, peakBytes: 30, endBytes: 2 });
  expect(runSize(bytes, { ...cleared, keep: 20 })).toMatchObject({ kept: 0, bytes: 2, peakBytes: 102 });
  expect(runSize(bytes, { ...plan, keep: null })).toMatchObject({ bytes: 100, peakBytes: 100 });
});

it('has one checkpoint more for a while where some are saved by the clock', () => {
  const plan: TrainingPlan = { steps: 1000, saveIntervalSteps: 100, keep: null, lastSave: 'all' };
  expect(runSize({ checkpoint: 10, weights: 2 }, { ...plan, savesByClock: true })).toMatchObject({ bytes: 100, peakBytes: 110 });
});

/** Bytes on disk at most and in the end, and all that are written, of `save_top_k` and `save_last`. */
function simulateTwice(steps: number, interval: number, best: number, isAtEnd: boolean) {
  let [there, hasLast, written, most] = [0, false, 0, 0];
  const write = (): void => {
    written += 10;
    most = Math.max(most, 10 * (there + (hasLast ? 1 : 0) + 1));
  };
  const writeLast = (): void => {
    write();
    hasLast = true;
  };
  for (let step = interval; step <= steps; step += interval) {
    write();
    there = Math.min(there + 1, best);
    writeLast();
  }
  if (!hasLast || (isAtEnd && steps % interval !== 0)) writeLast();
  return { bytes: 10 * (there + 1), writtenBytes: written, peakBytes: most };
}

it('writes the newest one again, which stays beside the best', () => {
  const run = fc.record({
    steps: fc.integer({ min: 1, max: 300 }),
    interval: fc.integer({ min: 1, max: 60 }),
    best: fc.constantFrom(1, 2, 5, Number.POSITIVE_INFINITY),
    isAtEnd: fc.boolean(),
  });
  fc.assert(
    fc.property(run, ({ steps, interval, best, isAtEnd }) => {
      const plan: TrainingPlan = {
        steps,
        saveIntervalSteps: interval,
        keep: Number.isFinite(best) ? best + 1 : null,
        newestAgain: true,
      };
      const size = runSize({ checkpoint: 10, weights: 3 }, isAtEnd ? { ...plan, lastSave: 'all' } : plan);
      expect(size).toMatchObject(simulateTwice(steps, interval, best, isAtEnd));
    }),
    runs(100),
  );
});

it('has a part of its size where the newest one is written again and the steps are not known', () => {
  const bytes = { checkpoint: 10, weights: 3 };
  const plan: TrainingPlan = { saveIntervalSteps: 10, keep: 4, newestAgain: true, lastSave: 'all' };
  expect(runSize(bytes, plan)).toMatchObject({ saves: null, kept: 4, bytes: 40, peakBytes: 50 });
  expect(runSize({ checkpoint: null, weights: null }, { ...plan, steps: 100 })).toMatchObject({
    saves: 10,
    kept: 4,
    bytes: null,
    peakBytes: null,
  });
});
