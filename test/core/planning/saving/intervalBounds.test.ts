/** Intervals end where a failure would cost too much, where the job ends, and where the run does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { lostShareOf } from '../../../../src/core/planning/saving/lostShare.js';
import { planDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const base: Partial<PlanInputs> = { parameters: 70_553_706_496, gpus: 256, tensorParallel: 8 };
const plan = (inputs: Partial<PlanInputs>) => makePlan(planDocument({ ...base, ...inputs }));
const wordsOf = (inputs: Partial<PlanInputs>) => planPage(plan(inputs), planDocument({ ...base, ...inputs }));
const blockersOf = (inputs: Partial<PlanInputs>) => plan(inputs).blockers.map(({ id }) => id);
/** Of failures that leave the storage standing. */
const worstLoss = ({ levels }: ReturnType<typeof plan>) =>
  Math.max(...levels.recoveries.filter(({ level }) => level !== 'object-store').map((one) => one.recoveryPointSeconds ?? 0));

describe('the largest acceptable loss', () => {
  it('leaves the interval what the save under way does not take', () => {
    // 70.55e9 × 14 bytes at 10 GB/s are 98.8 s.
    const { save } = plan({ acceptableLossSeconds: 600, writeBytesPerSecond: 10e9 });
    expect(save.saveSeconds).toBeCloseTo(98.775, 3);
    expect(save.intervalSeconds).toBeCloseTo(600 - 98.775, 3);
    expect(save.intervalBasis).toBe('acceptable-loss');
    expect(wordsOf({ acceptableLossSeconds: 600, writeBytesPerSecond: 10e9 }).recommendation.join(' ')).toContain(
      'A failure may cost 10 minutes of work',
    );
  });

  it('changes nothing where the best interval is shorter', () => {
    const free = plan({ writeBytesPerSecond: 100e9 }).save;
    const bounded = plan({ writeBytesPerSecond: 100e9, acceptableLossSeconds: 86_400 }).save;
    expect(bounded.intervalSeconds).toBe(free.intervalSeconds);
  });

  it('buys the bandwidth that it takes, in every way of saving', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('synchronous', 'asynchronous', 'multi-level'),
        fc.integer({ min: 120, max: 7200 }),
        (saveMode, acceptableLossSeconds) => {
          const wanted = { saveMode, acceptableLossSeconds, clientBytesPerSecond: 1e12 } as const;
          const made = plan(wanted);
          expect(worstLoss(made)).toBeLessThanOrEqual(acceptableLossSeconds * (1 + 1e-9));
          expect(made.blockers).toEqual([]);
          for (const { bytesPerSecond } of made.frontier.points)
            expect(blockersOf({ ...wanted, writeBytesPerSecond: bytesPerSecond })).toEqual([]);
        },
      ),
      runs(60),
    );
  });

  it('that the given storage cannot hold blocks, and what it needs is enough', () => {
    const given = { acceptableLossSeconds: 120, writeBytesPerSecond: 1e9 };
    const [blocker] = plan(given).blockers;
    if (blocker?.id !== 'acceptable-loss') throw new Error('No blocker of the loss');
    expect(blocker.lostSeconds).toBeCloseTo(2 * 987.75, 1);
    expect(blockersOf({ ...given, writeBytesPerSecond: blocker.neededBytesPerSecond })).toEqual([]);
    expect(blockersOf({ ...given, writeBytesPerSecond: blocker.neededBytesPerSecond, intervalSeconds: 300 })).toEqual([
      'acceptable-loss',
    ]);
  });
});

describe('the walltime of a job', () => {
  it('bounds the interval and costs a restart and a save each time', () => {
    const given = { walltimeSeconds: 3600, mtbfSeconds: 1e7, writeBytesPerSecond: 10e9 };
    const made = plan(given);
    expect(made.save.intervalSeconds).toBe(3600);
    expect(made.save.intervalBasis).toBe('walltime');
    const share = lostShareOf(made.inputs, made.save, made.levels);
    const without = plan({ ...given, walltimeSeconds: null, intervalSeconds: 3600 });
    const lost = lostShareOf(without.inputs, without.save, without.levels);
    expect(share - lost).toBeCloseTo((made.save.shares.training * (300 + 98.775)) / 3600, 6);
  });

  it('that is over before a save is done blocks', () => {
    expect(blockersOf({ walltimeSeconds: 350, restartSeconds: 300, writeBytesPerSecond: 10e9 })).toContain('walltime');
    expect(blockersOf({ walltimeSeconds: 450, restartSeconds: 300, writeBytesPerSecond: 10e9 })).not.toContain('walltime');
  });
});

it('is never longer than the run', () => {
  expect(plan({ runSeconds: 600, writeBytesPerSecond: 100e9 }).save).toMatchObject({
    intervalSeconds: 600,
    intervalBasis: 'run',
  });
});
