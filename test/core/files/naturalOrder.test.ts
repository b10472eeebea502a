import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareNatural } from '../../../src/core/files/naturalOrder.js';
import { runs } from '../../builders/seed.js';

it('orders numbers by value, letters without case', () => {
  const names = [
    'rank_10',
    'rank_2',
    'Rank_1',
    'rank_02',
    'checkpoint-1000',
    'checkpoint-900',
    'a',
    'B',
    'a.b',
    'a1b10',
    'a1b9',
    '00012345678901234567890',
    '99',
  ];
  expect(names.sort(compareNatural)).toEqual([
    '99',
    '00012345678901234567890',
    'a',
    'a.b',
    'a1b9',
    'a1b10',
    'B',
    'checkpoint-900',
    'checkpoint-1000',
    'Rank_1',
    'rank_02',
    'rank_2',
    'rank_10',
  ]);
});

it('is a total order', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'A', '0', '1', '9', '_'), maxLength: 8 });
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) + 0);
      expect(compareNatural(a, b) === 0).toBe(a === b);
      if (compareNatural(a, b) <= 0 && compareNatural(b, c) <= 0) expect(compareNatural(a, c)).toBeLessThanOrEqual(0);
    }),
    runs(600, 30000),
  );
});
