/** Intervals end where a failure would cost too much, where the job ends, and where the run does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { costOfPoint } from '../../../../src/core/planning/saving/frontier.js';
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

  it('asks for no more bandwidth than an interval exists for', () => {
    const given = { acceptableLossSeconds: 900, writeBytesPerSecond: 2e9 } as const;
    const neededOf = (saveMode: PlanInputs['saveMode']) =>
      plan({ ...given, saveMode }).blockers.map((one) =>
        one.id === 'acceptable-loss' ? one.neededBytesPerSecond / 1e9 : one.id,
      );
    // Two saves in 15 minutes; where training waits for one, nine tenths of them.
    expect(neededOf('asynchronous')).toEqual([expect.closeTo(2.195, 3)]);
    expect(neededOf('multi-level')).toEqual([expect.closeTo(2.195, 3)]);
    expect(neededOf('synchronous')).toEqual([]);
    expect(worstLoss(plan({ ...given, saveMode: 'synchronous' }))).toBeLessThanOrEqual(900 * (1 + 1e-9));
    expect(blockersOf({ ...given, saveMode: 'synchronous', intervalSeconds: 396 })).toEqual([]);
  });

  it('buys what the given interval takes, where the storage gets every nth save too', () => {
    for (const saveMode of ['synchronous', 'asynchronous', 'multi-level'] as const)
      for (const intervalSeconds of [30, 60, 100, 280]) {
        const made = plan({
          saveMode,
          intervalSeconds,
          acceptableLossSeconds: 300,
          clientBytesPerSecond: 1e12,
          stallSeconds: 0.1,
        });
        expect(made.blockers, `${saveMode} every ${intervalSeconds} s`).toEqual([]);
        expect(worstLoss(made)).toBeLessThanOrEqual(300 * (1 + 1e-9));
      }
  });

  it('does not block saves that training waits for as long as any interval is left', () => {
    const made = plan({
      parameters: 1e9,
      gpus: 1,
      tensorParallel: 1,
      saveMode: 'synchronous',
      acceptableLossSeconds: 300,
      writeBytesPerSecond: 50e6,
    });
    // 14 GB take 280 s.
    expect(made.blockers).toEqual([]);
    expect(worstLoss(made)).toBeLessThanOrEqual(300);
    const none = {
      parameters: 1e9,
      gpus: 1,
      tensorParallel: 1,
      saveMode: 'synchronous',
      acceptableLossSeconds: 300,
      writeBytesPerSecond: 45e6,
    } as const;
    expect(blockersOf(none)).toEqual(['acceptable-loss']);
  });

  it('lets as many GPUs write as it takes', () => {
    // Two nodes of 20 GB/s: those of one replica, or all that have a share of the optimizer's state.
    const two = { parameters: 8e9, gpus: 16, tensorParallel: 8, networkBytesPerSecond: 20e9 } as const;
    const made = plan({ ...two, acceptableLossSeconds: 10 });
    expect(made.blockers).toEqual([]);
    expect(made.inputs.zeroStage).toBe('1');
    expect(worstLoss(made)).toBeLessThanOrEqual(10 * (1 + 1e-9));
    expect(plan({ ...two, acceptableLossSeconds: 1e5 }).inputs.zeroStage).toBe('0');
  });

  it('is kept by twice a bandwidth that keeps it', () => {
    for (const saveMode of ['synchronous', 'asynchronous', 'multi-level'] as const) {
      const { frontier, save } = plan({ gpus: 128, acceptableLossSeconds: 600, writeBytesPerSecond: 4e9, saveMode });
      expect(frontier.twice.bytesPerSecond).toBe(2 * save.writeBytesPerSecond);
    }
  });

  it('buys no more than another bandwidth costs that keeps it', () => {
    const made = plan({ gpus: 128, acceptableLossSeconds: 600 });
    const less = plan({ gpus: 128, acceptableLossSeconds: 600, writeBytesPerSecond: 4e9, storePricePerGBps: 614 });
    expect(costOfPoint(made.frontier.planned)).toBeLessThanOrEqual(costOfPoint(less.frontier.planned) * (1 + 2e-3));
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
    // A restart of 300 s, in which it is read, and the last save.
    expect(made.save.intervalSeconds).toBeCloseTo(3600 - 300 - 98.775, 3);
    expect(made.save.intervalBasis).toBe('walltime');
    const share = lostShareOf(made.inputs, made.save, made.levels);
    const without = plan({ ...given, walltimeSeconds: null, intervalSeconds: made.save.intervalSeconds });
    const lost = lostShareOf(without.inputs, without.save, without.levels);
    expect(share - lost).toBeCloseTo((made.save.shares.training * (300 + 98.775)) / 3600, 6);
  });

  it('that is over before a save is done blocks', () => {
    expect(blockersOf({ walltimeSeconds: 350, restartSeconds: 300, writeBytesPerSecond: 10e9 })).toContain('walltime');
    expect(blockersOf({ walltimeSeconds: 450, restartSeconds: 300, writeBytesPerSecond: 10e9 })).not.toContain('walltime');
  });

  it('counts reading where that takes longer than a restart', () => {
    // 987.75 GB at 200 MB/s are 82.3 minutes to write and as long to read.
    const slow = { walltimeSeconds: 4 * 3600, mtbfSeconds: 1e9, writeBytesPerSecond: 200e6, gpus: 64, zeroStage: '3' } as const;
    const { save, recommendation, actions } = plan(slow);
    // Less time is left for training, and no save comes before the last one is written.
    expect(save.intervalSeconds).toBeCloseTo(4938.76, 0);
    expect(recommendation.wanted.trainingShare).toBeCloseTo(1 - (2 * 4938.76) / 14_400, 1);
    expect(actions.find(({ id }) => id === 'job-end')).toMatchObject({ neededSeconds: expect.closeTo(4938.76, 0) as number });
    const [over] = plan({ ...slow, walltimeSeconds: 2 * 3600 }).blockers;
    if (over?.id !== 'walltime') throw new Error('No blocker of the walltime');
    // Twice 987.75 GB in two hours, and that is enough.
    expect(over.neededBytesPerSecond).toBeCloseTo((2 * 987_751_890_944) / 7200, 0);
    const enough = { ...slow, walltimeSeconds: 2 * 3600, writeBytesPerSecond: (over.neededBytesPerSecond ?? 0) * 1.01 };
    expect(blockersOf(enough)).toEqual([]);
    const lines = wordsOf(slow).actions.find(({ id }) => id === 'job-end')?.code?.text;
    expect(lines).toBe('#SBATCH --signal=USR1@6180');
  });
});

it('leaves a run five saves to go back to', () => {
  expect(plan({ runSeconds: 600, writeBytesPerSecond: 100e9 }).save).toMatchObject({
    intervalSeconds: 120,
    intervalBasis: 'run',
  });
});
