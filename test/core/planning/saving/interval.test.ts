/** The interval that loses least: published formulas, their worked values, and that the optimum is one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureRateOf } from '../../../../src/core/planning/saving/failureRates.js';
import { expectedSlowdown, optimalInterval, timeShares, goodput } from '../../../../src/core/planning/saving/interval.js';
import { metaGoodput } from '../../../../src/core/planning/saving/intervalStudy.js';
import { runs } from '../../../builders/seed.js';

/** Stall, mean time between failures, Young, Daly, exact, slowdown at the exact optimum without restarts. */
const worked = [
  [60, 11135.083532, { young: 1155.95, daly: 1116.29, exact: 1116.3, slowdown: 1.11142 }],
  [20, 11135.083532, { young: 667.39, daly: 654.12, exact: 654.12, slowdown: 1.06241 }],
  [300, 11135.083532, { young: 2584.77, daly: 2388.64, exact: 2388.76, slowdown: 1.273116 }],
  [40, 604800, { young: 6955.86, daly: 6929.22, exact: 6929.22, slowdown: 1.01159 }],
  [13.8e12 / 273e9, 86400, { young: 2955.49, daly: 2921.89, exact: 2921.89, slowdown: 1.035002 }],
  [5, 6490.8, { young: 254.77, daly: 251.45, exact: 251.45, slowdown: 1.0403 }],
  [120, 21600, { young: 2276.84, daly: 2197.54, exact: 2197.55, slowdown: 1.113262 }],
  [600, 1800, { young: 1469.69, daly: 1096.91, exact: 1099.98, slowdown: 2.571356 }],
] as const;

describe('the optimum', () => {
  it.each(worked)(
    'of a stall of %d s and %d s between failures',
    (stallSeconds, mtbfSeconds, { young, daly, exact, slowdown }) => {
      const optimum = optimalInterval(stallSeconds, mtbfSeconds);
      expect(optimum.young).toBeCloseTo(young, 2);
      expect(optimum.daly).toBeCloseTo(daly, 2);
      expect(optimum.exact).toBeCloseTo(exact, 2);
      const costs = { stallSeconds, mtbfSeconds, restartSeconds: 0 };
      expect(expectedSlowdown(optimum.exact, costs)).toBeCloseTo(slowdown, 6);
    },
  );

  const costs = fc.record({
    stallSeconds: fc.double({ min: 0.01, max: 1e5, noNaN: true }),
    mtbfSeconds: fc.double({ min: 1e3, max: 1e9, noNaN: true }),
    restartSeconds: fc.double({ min: 0, max: 1e4, noNaN: true }),
  });

  it('is below its neighbours', () => {
    fc.assert(
      fc.property(costs, fc.double({ min: 1.01, max: 100, noNaN: true }), (cost, factor) => {
        const { exact } = optimalInterval(cost.stallSeconds, cost.mtbfSeconds);
        const least = expectedSlowdown(exact, cost);
        expect(expectedSlowdown(exact * factor, cost)).toBeGreaterThanOrEqual(least * (1 - 1e-12));
        expect(expectedSlowdown(exact / factor, cost)).toBeGreaterThanOrEqual(least * (1 - 1e-12));
      }),
      runs(100),
    );
  });

  it('is what a golden-section search finds', () => {
    fc.assert(
      fc.property(costs, (cost) => {
        const { exact } = optimalInterval(cost.stallSeconds, cost.mtbfSeconds);
        const found = goldenSection((interval) => Math.log(expectedSlowdown(interval, cost)), exact / 50, exact * 50);
        // The cost is flat around its minimum: a search cannot tell places apart that cost the same.
        expect(expectedSlowdown(exact, cost) / expectedSlowdown(found, cost)).toBeLessThan(1 + 1e-9);
        expect(Math.abs(Math.log(found / exact))).toBeLessThan(0.01);
      }),
      runs(100),
    );
  });
});

/** Of a function with one minimum, over the logarithm of its place. */
function goldenSection(cost: (place: number) => number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(from), Math.log(to)];
  for (let round = 0; round < 100; round += 1) {
    const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
    if (cost(Math.exp(left)) < cost(Math.exp(right))) high = right;
    else low = left;
  }
  return Math.exp((low + high) / 2);
}

describe('shares of the time', () => {
  const any = fc.record({
    stallSeconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
    mtbfSeconds: fc.double({ min: 1e-7, max: 3.2e9, noNaN: true }),
    restartSeconds: fc.double({ min: 0, max: 3.2e9, noNaN: true }),
  });

  it('lie between 0 and 1 and sum to 1', () => {
    fc.assert(
      fc.property(any, fc.double({ min: 1e-3, max: 3.2e9, noNaN: true }), (costs, interval) => {
        const shares = Object.values(timeShares(interval, costs)) as number[];
        for (const share of shares) {
          expect(share).toBeGreaterThanOrEqual(-1e-12);
          expect(share).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
      runs(200, 10000),
    );
  });

  it('never train less where failures are rarer', () => {
    fc.assert(
      fc.property(
        any,
        fc.double({ min: 1, max: 1000, noNaN: true }),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (costs, factor, interval) => {
          const rarer = { ...costs, mtbfSeconds: costs.mtbfSeconds * factor };
          expect(goodput(interval, rarer)).toBeGreaterThanOrEqual(goodput(interval, costs) - 1e-9);
        },
      ),
      runs(100),
    );
  });

  it('come near Meta’s formula where failures are rare', () => {
    const costs = { stallSeconds: 5, mtbfSeconds: 11135.083532, restartSeconds: 300 };
    expect(metaGoodput(330.3678, costs)).toBeCloseTo((1 - (300 + 165.1839) / 11135.083532) / (1 + 5 / 330.3678), 9);
    expect(Math.abs(metaGoodput(330.3678, costs) - goodput(330.3678, costs))).toBeLessThan(0.002);
    expect(metaGoodput(1e6, costs)).toBe(0);
  });
});

describe('published failure rates', () => {
  const hours = (id: Parameters<typeof failureRateOf>[0], gpus: number) => failureRateOf(id).gpuMtbfSeconds / gpus / 3600;

  it('give the published times between failures', () => {
    expect(hours('llama3', 16_384)).toBeCloseTo(3.093, 3);
    expect(hours('llama3-all', 16_384)).toBeCloseTo(2.781, 3);
    expect(hours('llama3', 1)).toBeCloseTo(50_677, 0);
    expect(hours('rsc-1', 16_384)).toBeCloseTo(1.803, 3);
    expect(hours('rsc-1', 131_072)).toBeCloseTo(0.2254, 4);
    expect(hours('rsc-1', 1024)).toBeCloseTo(28.8, 1);
    expect(hours('mlcommons', 100_000)).toBeCloseTo(0.5, 9);
    expect(hours('mlcommons', 1_000_000) * 60).toBeCloseTo(3, 9);
  });
});
