/** What stays over a run: published runs, frameworks' own rules, and what holds for every policy. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const hour = 3600;
const day = 24 * hour;
const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const keptOf = (inputs: Partial<PlanInputs>) => planOf({ objectStore: 'none', saveMode: 'synchronous', ...inputs }).retention;

/** 720 saves of 1 TB with weights of 0.2 TB: each TB is one checkpoint. */
const run: Partial<PlanInputs> = {
  parameters: 100e9,
  checkpointBytes: 1e12,
  intervalSeconds: 3 * hour,
  runSeconds: 90 * day,
  keepLast: 3,
};

describe('worked values', () => {
  it('BLOOM: 12 full and 40 of the weights of 720 saves are 27 + 13 TB, 1.66 PB written', () => {
    const kept = keptOf({
      ...run,
      parameters: 176_247_271_424,
      checkpointBytes: 2.3e12,
      keepLast: 0,
      keepEvery: 60,
      exportEvery: 18,
    });
    expect(kept.saves).toBe(720);
    expect(kept.kept).toEqual({ latest: 0, forever: 12, exports: 40 });
    expect(kept.kept.forever * 2.3e12).toBeCloseTo(27.6e12, -9);
    expect(kept.kept.exports * kept.exportBytes).toBeGreaterThan(13e12);
    expect(kept.kept.exports * kept.exportBytes).toBeLessThan(14.2e12);
    expect(kept.writtenBytes).toBeCloseTo(1.656e15, -12);
    expect(kept.residentBytes).toBe(12 * 2.3e12 + 40 * kept.exportBytes);
  });

  it('560 GB every 15 minutes for 90 days: 4.838 PB', () => {
    const kept = keptOf({ checkpointBytes: 560e9, intervalSeconds: 900, runSeconds: 90 * day });
    expect(kept.saves).toBe(8640);
    expect(kept.writtenBytes).toBe(4_838_400_000_000_000);
  });
});

describe('policies', () => {
  it('the last N: N, and one more while a save is in flight', () => {
    const kept = keptOf(run);
    expect(kept.residentBytes).toBe(3e12);
    expect(kept.peakBytes).toBe(4e12);
  });

  it('keeps the newest whatever is given, as no run resumes without it', () => {
    expect(keptOf({ ...run, keepLast: 0 }).residentBytes).toBe(1e12);
  });

  it('keeping all is every 1st for ever: nothing is in flight besides', () => {
    const kept = keptOf({ ...run, keepEvery: 1 });
    expect(kept.residentBytes).toBe(720e12);
    expect(kept.peakBytes).toBe(kept.writtenBytes);
  });

  it('every Nth counts once where it is among the newest', () => {
    // Saves 718, 719 and 720 stay; 720 as a 60th does too.
    expect(keptOf({ ...run, keepEvery: 60 }).residentBytes).toBe((12 + 2) * 1e12);
  });

  it('milestones and held ones stay besides', () => {
    expect(keptOf({ ...run, milestones: 4, legalHolds: 2 }).residentBytes).toBe((3 + 6) * 1e12);
  });

  it('two copies of what stays lie in two places, the newest in one', () => {
    const kept = planOf({ ...run, saveMode: 'synchronous', keepEvery: 60, copies: 2, siteFailureShare: 0 }).retention;
    expect(kept.places.map(({ place, bytes }) => [place, bytes])).toEqual([
      ['store', 14e12],
      ['object', 12e12],
    ]);
    expect(kept.copiedBytes).toBe(12e12);
  });

  it('a second region always has a copy', () => {
    const kept = planOf({ ...run, keepEvery: 60, copies: 1, secondRegion: true, siteFailureShare: 0 }).retention;
    expect(kept.places.find(({ place }) => place === 'region')?.bytes).toBe(12e12);
  });

  it('the object store has the newest against the loss of the site', () => {
    const { retention, levels } = planOf({ ...run, saveMode: 'synchronous' });
    expect(levels.levels.find(({ id }) => id === 'object-store')?.everySaves).toBe(retention.objectEvery);
    const place = retention.places.find(({ place: id }) => id === 'object');
    expect(place?.count.latest).toBe(1);
    expect(retention.copiedBytes).toBe(Math.floor(720 / (retention.objectEvery ?? Infinity)) * 1e12);
  });

  it('says when the shared storage is full', () => {
    // The newest 3 and one in flight take 4 TB; the third 60th is one too many once it is no longer among the newest.
    const kept = keptOf({ ...run, keepEvery: 60, storeCapacityBytes: 6e12 });
    expect(kept.fullAfterSeconds).toBe((3 * 60 + 3) * 3 * hour);
    expect(keptOf({ ...run, storeCapacityBytes: 4e12 }).fullAfterSeconds).toBeNull();
    expect(keptOf({ ...run, storeCapacityBytes: 3e12 }).fullAfterSeconds).toBe(4 * 3 * hour);
  });

  it('a run that is shorter than its interval saves nothing', () => {
    const kept = keptOf({ ...run, runSeconds: hour });
    expect(kept.saves).toBe(0);
    expect(kept.peakBytes).toBe(0);
    expect(kept.points).toHaveLength(1);
  });
});

describe('for every plan', () => {
  it('no more lies there than was written, and the parts sum to the whole', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        const { retention } = planOf(inputs);
        const slack = 1 + 1e-9;
        expect(retention.residentBytes).toBeLessThanOrEqual(retention.peakBytes * slack);
        expect(retention.peakBytes).toBeLessThanOrEqual(retention.allWrittenBytes * slack);
        expect(retention.points.length).toBeLessThanOrEqual(200);
        const end = retention.points.at(-1);
        const drawn =
          (end?.latestBytes ?? 0) + (end?.objectLatestBytes ?? 0) + (end?.foreverBytes ?? 0) + (end?.exportBytes ?? 0);
        expect(Math.abs(drawn - retention.residentBytes)).toBeLessThanOrEqual(retention.residentBytes * 1e-9);
        for (const { count, place } of retention.places) {
          expect(Math.min(count.latest, count.forever, count.exports)).toBeGreaterThanOrEqual(0);
          if (place === 'store') expect(count.latest + count.forever).toBeLessThanOrEqual(retention.saves);
        }
      }),
      runs(60, 3000),
    );
  });

  it('the curve only grows', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        const { points } = planOf(inputs).retention;
        const sums = points.map((point) => point.latestBytes + point.objectLatestBytes + point.foreverBytes + point.exportBytes);
        for (const [index, sum] of sums.entries()) expect(sum).toBeGreaterThanOrEqual((sums[index - 1] ?? 0) * (1 - 1e-9));
      }),
      runs(40, 2000),
    );
  });

  it.each(['keepLast', 'milestones', 'legalHolds', 'copies', 'runSeconds'] as const)('more %s never shrinks it', (key) => {
    fc.assert(
      fc.property(randomDocument, fc.integer({ min: 1, max: 50 }), ({ inputs }, more) => {
        const plan = planOf(inputs);
        const value = plan.inputs[key];
        const limit = { keepLast: 1e9, milestones: 1e9, legalHolds: 1e9, copies: 100, runSeconds: 3.15e9 }[key];
        const larger = planOf({ ...inputs, [key]: Math.min(limit, value + more * (key === 'runSeconds' ? day : 1)) });
        if (larger.inputs[key] < value) return;
        expect(larger.retention.residentBytes).toBeGreaterThanOrEqual(plan.retention.residentBytes * (1 - 1e-9));
      }),
      runs(30, 1500),
    );
  });
});
