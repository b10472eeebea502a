import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactTime,
  listed,
  percentsThatSum,
  shortParameters,
  shortRate,
  shortShare,
  shortTime,
} from '../../../src/core/text/quantities.js';
import { formatBytes, shortNumber } from '../../../src/core/text/units.js';
import { runs } from '../../builders/seed.js';

describe('amounts of a plan', () => {
  it('have three digits', () => {
    expect([5.681947e12, 44.39e9, 999, 999.6e9, 1e18, 4.2e21, 0].map(formatBytes)).toEqual([
      '5.68 TB',
      '44.4 GB',
      '999 B',
      '1 TB',
      '1 EB',
      '4,200 EB',
      '0 B',
    ]);
    expect([171_988_562_407, 0.2, 0].map(shortRate)).toEqual(['172 GB/s', '< 1 B/s', '0 B/s']);
    expect([0.00512345, 16_384, 95.26, Infinity].map((value) => shortNumber(value))).toEqual([
      '0.00512',
      '16,400',
      '95.3',
      'no end of',
    ]);
    expect([405_853_388_800, 1_008_038_707_200, 12_345].map(shortParameters)).toEqual([
      '405.9 billion',
      '1.008 trillion',
      '12,345',
    ]);
  });

  it('tell times in the unit that people use', () => {
    expect(
      [0, 4e-8, 0.0000321, 0.0703, 5, 50.549, 120, 300, 330.4, 3600, 11_135, 172_800, 86_400 * 54, 3.15576e9, Infinity].map(
        shortTime,
      ),
    ).toEqual([
      '0 s',
      '< 1 µs',
      '32.1 µs',
      '70.3 ms',
      '5 s',
      '50.5 s',
      '120 s',
      '5 minutes',
      '5.5 minutes',
      '1 hour',
      '3.1 hours',
      '2 days',
      '54 days',
      '100 years',
      'never',
    ]);
    expect([330.3678, 11_135.08, 0.5].map(exactTime)).toEqual(['330.4 s', '11,135 s', '0.5 s']);
  });

  it('tell shares with what counts of them', () => {
    expect([0, 0.00003, 0.00351, 0.1, 0.94454, 0.99974, 0.99999999, 1, 1.72, Infinity].map(shortShare)).toEqual([
      '0 %',
      '< 0.01 %',
      '0.35 %',
      '10 %',
      '94.5 %',
      '99.97 %',
      '> 99.99 %',
      '100 %',
      '172 %',
      'more than 100 %',
    ]);
  });

  it('list as people do', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  });
});

describe('percentages of parts', () => {
  it('are rounded so that they sum', () => {
    expect(percentsThatSum([0.02967, 0.02579])).toEqual(['2.9', '2.6']);
  });

  it('sum to the rounded sum, and are off by less than 0.1 each', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 5 }), (shares) => {
        const percents = percentsThatSum(shares).map(Number);
        const sum = shares.reduce((total, share) => total + share, 0) * 100;
        expect(percents.reduce((total, percent) => total + percent, 0)).toBeCloseTo(Math.round(sum * 10) / 10, 6);
        for (const [index, percent] of percents.entries())
          expect(Math.abs(percent - (shares[index] ?? 0) * 100)).toBeLessThan(0.1 + 1e-9);
      }),
      runs(100),
    );
  });
});
