import { describe, expect, it } from 'vitest';
import { mergedBins, RateCurve, sumOfBins, windowsOf } from '../../../../src/core/bandwidth/sustained/rateCurve.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { binsOf } from './series.js';

describe('RateCurve', () => {
  it('has the bytes between looks', () => {
    const curve = new RateCurve();
    curve.look(0.1, 100);
    curve.look(0.3, 500);
    // The same moment once more, and a counter that was read while it changed.
    curve.look(0.3, 500);
    curve.look(0.4, 400);
    expect(curve.bins.map(({ bytes }) => bytes)).toEqual([100, 400, 0]);
    expect(curve.seconds).toBe(0.4);
  });

  it('stays within its bound, and loses neither time nor bytes', () => {
    const curve = new RateCurve();
    const looks = 20 * limits.sustainedBins;
    for (let look = 1; look <= looks; look++) curve.look(look / 10, look * 1000);
    expect(curve.bins.length).toBeLessThan(2 * limits.sustainedBins);
    expect(curve.bins.length).toBeGreaterThanOrEqual(limits.sustainedBins);
    const { seconds, bytes } = sumOfBins(curve.bins);
    expect(seconds).toBeCloseTo(curve.seconds, 6);
    expect(bytes).toBe(Math.round(curve.seconds * 10) * 1000);
  });
});

describe('bins', () => {
  it('are merged without loss', () => {
    const bins = binsOf([{ seconds: 10, bytesPerSecond: 1e9 }], { noise: 0.5 });
    for (const most of [1, 3, 7, 99, 100, 1000]) {
      const merged = mergedBins(bins, most);
      expect(merged.length).toBeLessThanOrEqual(most);
      expect(sumOfBins(merged).bytes).toBe(sumOfBins(bins).bytes);
    }
    expect(mergedBins([], 3)).toEqual([]);
  });

  it('make windows of at least so many seconds, a short rest belonging to the last', () => {
    const secondsOf = (seconds: number): number[] =>
      windowsOf(binsOf([{ seconds, bytesPerSecond: 1e9 }]), 2).map((window) => Math.round(window.seconds * 10) / 10);
    expect(secondsOf(0)).toEqual([]);
    expect(secondsOf(0.5)).toEqual([0.5]);
    for (const seconds of [2.5, 4.3, 5.5, 40]) {
      const windows = secondsOf(seconds);
      expect(windows.reduce((sum, length) => sum + length, 0)).toBeCloseTo(seconds, 1);
      expect(Math.min(...windows)).toBeGreaterThanOrEqual(1);
    }
  });
});
