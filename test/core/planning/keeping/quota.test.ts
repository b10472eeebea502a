/** Room and quota: what of it stays free, and the moment at which it is full. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { planReport } from '../../../../src/core/pages/plan/planReport.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { quarterSeconds } from '../../../../src/core/planning/keeping/quota.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

const hour = 3600;
const day = 24 * hour;
/** A checkpoint of 1 TB every hour. */
const run: Partial<PlanInputs> = {
  parameters: 70e9,
  checkpointBytes: 1e12,
  intervalSeconds: hour,
  writeBytesPerSecond: 10e9,
  saveMode: 'synchronous',
  objectStore: 'none',
  runSeconds: 90 * day,
  keepLast: 3,
};
const planOf = (inputs: Partial<PlanInputs>) => makePlan(planDocument({ ...run, ...inputs }));

describe('a quota', () => {
  it('is no question where none is given', () => {
    expect(planOf({}).quota).toBeNull();
  });

  it('has room for what the plan keeps, and says when it is full where nothing is removed', () => {
    const { quota } = planOf({ storeCapacityBytes: 20e12 });
    expect(quota).toMatchObject({
      capacityBytes: 20e12,
      usedBytes: 0,
      roomBytes: 20e12,
      peakBytes: 4e12,
      fullAfterSeconds: null,
    });
    // 20 fit, the 21st does not.
    expect(quota?.fullIfKeptAfterSeconds).toBe(21 * hour);
  });

  it('is less by what is used already', () => {
    const { quota, blockers } = planOf({ storeCapacityBytes: 20e12, storeUsedBytes: 12e12 });
    expect(quota).toMatchObject({ roomBytes: 8e12, fullAfterSeconds: null, fullIfKeptAfterSeconds: 9 * hour });
    expect(blockers).toEqual([]);
    expect(planOf({ storeCapacityBytes: 20e12, storeUsedBytes: 17e12 }).quota?.fullAfterSeconds).toBe(4 * hour);
    // No room for one that is whole and one that is being written.
    expect(planOf({ storeCapacityBytes: 20e12, storeUsedBytes: 19e12 }).blockers.map(({ id }) => id)).toEqual(['store-room']);
    expect(planOf({ storeCapacityBytes: 20e12, storeUsedBytes: 25e12 }).quota).toMatchObject({ usedBytes: 25e12, roomBytes: 0 });
  });

  it('is shared by the jobs', () => {
    expect(planOf({ storeCapacityBytes: 20e12, storeUsedBytes: 10e12, jobs: 2 }).quota?.roomBytes).toBe(5e12);
  });

  it('decides how many are kept where nobody did', () => {
    const { keepLast: _keepLast, ...open } = run;
    const keptIn = (inputs: Partial<PlanInputs>) => {
      const { inputs: used, quota, blockers } = makePlan(planDocument({ ...open, ...inputs }));
      expect(blockers).toEqual([]);
      return [used.keepLast, quota?.fullAfterSeconds];
    };
    // The newest and the one that is being written.
    expect(keptIn({ storeCapacityBytes: 2e12 })).toEqual([1, null]);
    expect(keptIn({ storeCapacityBytes: 3.5e12 })).toEqual([2, null]);
    expect(keptIn({ storeCapacityBytes: 20e12 })).toEqual([3, null]);
    expect(keptIn({})).toEqual([3, undefined]);
    // What stays for ever fills any room.
    expect(keptIn({ storeCapacityBytes: 20e12, keepEvery: 10 })).toEqual([3, 173 * hour]);
  });

  it('that does not last is in the headline, with what fits', () => {
    const headline = (inputs: Partial<PlanInputs>) => {
      const document = planDocument({ ...run, ...inputs });
      const { headline, actions } = planPage(makePlan(document), document);
      return [headline, actions.find(({ id }) => id === 'room')?.title];
    };
    expect(headline({ storeCapacityBytes: 2.5e12 })).toEqual([
      expect.stringMatching(/; the room is full after [\d.]+ (?:hours|days): keep the newest alone\.$/),
      'Keep the newest alone, or get more room',
    ]);
    const pasted = planOf({ storeCapacityBytes: 12e12, keepLast: 20, framework: 'training-arguments', stepSeconds: 5 });
    expect(pasted.settings?.text).toContain('save_total_limit: 11');
    const document = planDocument({ ...run, storeCapacityBytes: 12e12, keepLast: 20 });
    expect(planPage(makePlan(document), document).actions[0]?.text).toContain('keep the last 11, not 20');
    expect(headline({ storeCapacityBytes: 12e12, keepLast: 20 })).toEqual([
      expect.stringMatching(/; the room is full after [\d.]+ (?:hours|days): keep the last 11\.$/),
      'Keep the last 11, or get more room',
    ]);
    expect(headline({ storeCapacityBytes: 12e12, keepEvery: 1 })).toEqual([
      expect.stringMatching(/; the room is full after [\d.]+ (?:hours|days): keep the last 3\.$/),
      'Keep the last 3, or get more room',
    ]);
    expect(headline({ storeCapacityBytes: 12e12, keepEvery: 20 })).toEqual([
      expect.stringMatching(/; the room is full after [\d.]+ (?:hours|days)\.$/),
      'Keep fewer for ever, or get more room',
    ]);
    expect(headline({ storeCapacityBytes: 12e12 })).toEqual([expect.not.stringContaining('full'), undefined]);
  });

  it('is full on a day, at a step', () => {
    const document = planDocument({ ...run, storeCapacityBytes: 20e12, storeUsedBytes: 17e12, stepSeconds: 0.9 });
    const plan = makePlan(document);
    const now = Date.UTC(2026, 10, 26, 12);
    const page = planPage(plan, document, now);
    const { answers } = planReport(plan, page, document, []);
    const { quota } = plan.advised ?? plan;
    const fullAt = new Date(now + (quota?.fullAfterSeconds ?? 0) * 1000).toISOString();
    expect((answers.advised ?? answers).quota).toMatchObject({ fullAt, fullIfKeptAt: fullAt });
    const words = JSON.stringify(page.sections.find(({ id }) => id === 'retention'));
    expect(words).toMatch(
      /20 TB \(17 TB used\) is full as planned: 2026-11-2\d \d\d:\d\d, [\d.]+ hours \([\d,]+ steps\) into the run/,
    );
    expect(planReport(plan, planPage(plan, document), document, []).answers.quota).toMatchObject({ fullAt: null });
  });
});

describe('growth where nothing is removed', () => {
  it('is told by quarters of a year', () => {
    const { growth } = planOf({});
    expect(growth.map(({ seconds }) => seconds)).toEqual([1, 2, 3, 4].map((count) => count * quarterSeconds));
    expect(growth.map(({ keptBytes }) => keptBytes)).toEqual([2191e12, 4383e12, 6574e12, 8766e12]);
  });
});
