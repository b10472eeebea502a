import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fallOf } from '../../../../src/core/bandwidth/sustained/fall.js';
import { sumOfBins } from '../../../../src/core/bandwidth/sustained/rateCurve.js';
import { runs } from '../../../builders/seed.js';
import { binsOf, type Level } from './series.js';

const GB = 1e9;
const at = (seconds: number, gigabytes: number): Level => ({ seconds, bytesPerSecond: gigabytes * GB });
const noisy = { noise: 0.25, seed: 7 };

describe('a rate that falls', () => {
  it('has its burst before the fall, and what stays after it', () => {
    const { outcome, burst, tail } = fallOf(binsOf([at(40, 2), at(40, 0.5)], noisy));
    expect(outcome).toBe('fell');
    expect(burst?.seconds).toBeCloseTo(40, 0);
    expect((burst?.bytes ?? 0) / GB).toBeCloseTo(80, -1);
    expect((burst?.bytesPerSecond ?? 0) / GB).toBeCloseTo(2, 1);
    expect(tail.bytesPerSecond / GB).toBeCloseTo(0.5, 1);
    expect(tail.minimumBytesPerSecond).toBeLessThanOrEqual(tail.bytesPerSecond);
    expect(tail.maximumBytesPerSecond).toBeGreaterThanOrEqual(tail.bytesPerSecond);
  });

  it('is found wherever it is, however deep, through noise', () => {
    const levels = fc.record({
      burstSeconds: fc.integer({ min: 10, max: 120 }),
      gigabytes: fc.double({ min: 0.1, max: 6, noNaN: true }),
      left: fc.double({ min: 0.03, max: 0.7, noNaN: true }),
      noise: fc.double({ min: 0, max: 0.3, noNaN: true }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(levels, ({ burstSeconds, gigabytes, left, noise, seed }) => {
        const tailSeconds = Math.max(15, burstSeconds / 2) + 6;
        const bins = binsOf([at(burstSeconds, gigabytes), at(tailSeconds, gigabytes * left)], { noise, seed });
        const { outcome, burst, tail } = fallOf(bins);
        expect(outcome).toBe('fell');
        // To the window in which it lies.
        expect(Math.abs((burst?.seconds ?? 0) - burstSeconds)).toBeLessThanOrEqual(2.2);
        const found = [tail.bytesPerSecond / (gigabytes * left * GB), (burst?.bytesPerSecond ?? 0) / (gigabytes * GB)];
        for (const share of found) expect(Math.abs(share - 1)).toBeLessThan(0.1);
      }),
      runs(200),
    );
  });

  it('in two steps, as where cells are folded, has the last level', () => {
    const { outcome, burst, tail } = fallOf(binsOf([at(60, 4.5), at(60, 2), at(120, 0.5)], noisy));
    expect(outcome).toBe('fell');
    expect(burst?.seconds).toBeCloseTo(60, -1);
    expect(tail.bytesPerSecond / GB).toBeCloseTo(0.5, 1);
  });

  it('is not settled before it has stayed down for half as long as it was up, and for a quarter of a minute', () => {
    expect(fallOf(binsOf([at(60, 2), at(20, 0.5)], noisy)).outcome).toBe('unsettled');
    expect(fallOf(binsOf([at(60, 2), at(31, 0.5)], noisy)).outcome).toBe('fell');
    expect(fallOf(binsOf([at(10, 2), at(10, 0.5)], noisy)).outcome).toBe('unsettled');
    expect(fallOf(binsOf([at(10, 2), at(16, 0.5)], noisy)).outcome).toBe('fell');
  });

  it('is not settled while it falls on', () => {
    const declining = Array.from({ length: 200 }, (_, second) => at(1, 2 - (second * 1.5) / 200));
    const { outcome, tail } = fallOf(binsOf(declining, { noise: 0.1, seed: 3 }));
    expect(outcome).toBe('unsettled');
    expect(tail.bytesPerSecond).toBeLessThan(1.2 * GB);
  });

  it('again and again is not settled', () => {
    const waves = Array.from({ length: 6 }, () => [at(20, 2), at(20, 0.4)]).flat();
    expect(fallOf(binsOf(waves, noisy)).outcome).not.toBe('fell');
  });
});

describe('a rate that does not fall', () => {
  it('is steady through noise', () => {
    const course = fc.record({
      seconds: fc.integer({ min: 1, max: 300 }),
      gigabytes: fc.double({ min: 0.01, max: 10, noNaN: true }),
      noise: fc.double({ min: 0, max: 0.4, noNaN: true }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(course, ({ seconds, gigabytes, noise, seed }) => {
        const bins = binsOf([at(seconds, gigabytes)], { noise, seed });
        const { outcome, burst, tail } = fallOf(bins);
        expect(outcome).toBe('steady');
        expect(burst).toBeNull();
        const { bytes, seconds: whole } = sumOfBins(bins);
        expect(tail.bytes).toBe(bytes);
        expect(tail.bytesPerSecond).toBeCloseTo(bytes / whole, 0);
      }),
      runs(200),
    );
  });

  it.each([
    ['stands still for some seconds', [at(40, 2), at(3, 0), at(40, 2)]],
    ['is slow in the middle and comes back', [at(40, 2), at(20, 0.5), at(40, 2)]],
    ['becomes faster', [at(30, 1), at(60, 2)]],
    ['falls by less than a fifth', [at(60, 2), at(60, 1.7)]],
    ['starts slowly', [at(3, 0.2), at(60, 2)]],
  ])('%s', (_what, levels) => {
    expect(fallOf(binsOf(levels, { noise: 0.1, seed: 5 })).outcome).toBe('steady');
  });

  it('may be of nothing, of one look, and of no bytes', () => {
    const tail = { seconds: 0, bytes: 0, bytesPerSecond: 0, minimumBytesPerSecond: 0, maximumBytesPerSecond: 0 };
    expect(fallOf([])).toEqual({ outcome: 'steady', burst: null, tail });
    expect(fallOf([{ seconds: 0.1, bytes: 4096 }]).tail.bytesPerSecond).toBeCloseTo(40_960, 6);
    expect(fallOf(binsOf([at(60, 0)])).outcome).toBe('steady');
  });
});
