import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kneeOf, kneeShare, type StreamRate } from '../../../../src/core/bandwidth/sweep/knee.js';
import { runs } from '../../../builders/seed.js';
import { randomOf } from '../sustained/series.js';

const counts = [1, 2, 4, 8, 16, 32];

/** @param noise largest share by which repeats differ from their rate */
function pointsOf(rates: readonly number[], { noise = 0, seed = 1 } = {}): StreamRate[] {
  const random = randomOf(seed);
  return rates.map((rate, index) => {
    const repeats = [0, 1, 2].map(() => rate * (1 + noise * (2 * random() - 1))).sort((a, b) => a - b);
    return {
      streams: counts[index] ?? 0,
      minimumBytesPerSecond: repeats[0] ?? 0,
      medianBytesPerSecond: repeats[1] ?? 0,
      maximumBytesPerSecond: repeats[2] ?? 0,
    };
  });
}

describe('the knee', () => {
  it('is the fewest streams that reach nine tenths of the best', () => {
    expect(kneeOf(pointsOf([5, 9, 17, 19, 20, 18]))).toEqual({
      streams: 8,
      range: [8, 8],
      bestStreams: 16,
      bestBytesPerSecond: 20,
      isStillRising: false,
    });
  });

  it('is one stream where more are slower, as on a hard disk', () => {
    expect(kneeOf(pointsOf([200, 150, 110, 90, 80, 70]))).toMatchObject({ streams: 1, bestStreams: 1, isStillRising: false });
  });

  it('is the most streams, and says so, where the rate still rises', () => {
    expect(kneeOf(pointsOf([1, 2, 4, 8, 16, 32]))).toMatchObject({ streams: 32, isStillRising: true });
    expect(kneeOf(pointsOf([1]))).toMatchObject({ streams: 1, isStillRising: false });
  });

  it('is left open as far as the repeats leave it', () => {
    const points = pointsOf([10, 17, 20, 20]);
    const [, second, third] = points;
    if (second !== undefined) second.maximumBytesPerSecond = 18.5;
    if (third !== undefined) third.minimumBytesPerSecond = 15;
    expect(kneeOf(points)).toMatchObject({ streams: 4, range: [2, 8] });
  });

  it('is none of nothing, and one of rates that are 0', () => {
    expect(kneeOf([])).toBeNull();
    expect(kneeOf(pointsOf([0, 0]))).toMatchObject({ streams: 1, bestBytesPerSecond: 0 });
  });

  it('is where the rates stop to rise, through noise', () => {
    const place = fc.record({
      at: fc.integer({ min: 0, max: 4 }),
      noise: fc.double({ min: 0, max: 0.04, noNaN: true }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(place, ({ at, noise, seed }) => {
        const rates = counts.map((_count, index) => 1e9 * 2 ** Math.min(index, at));
        const knee = kneeOf(pointsOf(rates, { noise, seed }));
        expect(knee?.streams).toBe(counts[at]);
        expect(knee?.isStillRising).toBe(false);
      }),
      runs(200),
    );
  });

  it('reaches its share of the best, is within its own range, and none with fewer streams does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        (rates, seed) => {
          const points = pointsOf(rates, { noise: 0.5, seed });
          const knee = kneeOf(points) ?? expect.fail('there are points');
          const enough = kneeShare * knee.bestBytesPerSecond;
          for (const { streams, medianBytesPerSecond } of points)
            if (streams <= knee.streams) expect(medianBytesPerSecond >= enough).toBe(streams === knee.streams);
          expect(knee.range[0]).toBeLessThanOrEqual(knee.streams);
          expect(knee.range[1]).toBeGreaterThanOrEqual(knee.streams);
        },
      ),
      runs(200),
    );
  });
});
