import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangesOf } from '../../../src/core/jobs/ranges.js';
import { sharesOf } from '../../../src/core/jobs/shares.js';
import { runs } from '../../builders/seed.js';

describe('shares of an array', () => {
  it('deal out each item once, and no task more than the largest item above another', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { maxLength: 300 }), fc.integer({ min: 1, max: 20 }), (sizes, nodes) => {
        const shares = sharesOf(sizes, nodes);
        expect(shares.flat().sort((a, b) => a - b)).toEqual([...sizes.keys()]);
        expect(shares.length).toBe(Math.min(sizes.length, nodes * 4));
        expect(shares.every((share) => share.length > 0)).toBe(true);
        const bytes = shares.map((share) => share.reduce((sum, item) => sum + (sizes[item] ?? 0), 0));
        expect(Math.max(0, ...bytes) - Math.min(...bytes, Infinity)).toBeLessThanOrEqual(Math.max(0, ...sizes));
      }),
      runs(300),
    );
  });

  it('are those of pen and paper', () => {
    expect(sharesOf([5, 100, 60, 40, 50], 1)).toEqual([[1], [2], [4], [0, 3]]);
    expect(sharesOf([0, 0, 0, 0, 0, 0, 0, 0], 1).map((items) => items.length)).toEqual([2, 2, 2, 2]);
    expect(sharesOf([], 3)).toEqual([]);
  });
});

it('ranges are those that sbatch takes', () => {
  expect(rangesOf([0, 3, 4, 5, 9])).toBe('0,3-5,9');
  expect(rangesOf([7])).toBe('7');
  expect(rangesOf([])).toBe('');
});
