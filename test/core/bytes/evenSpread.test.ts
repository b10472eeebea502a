import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EvenSpread } from '../../../src/core/bytes/evenSpread.js';
import { runs } from '../../builders/seed.js';

it('keeps at most as many as it may, from the first on, all equally far apart', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(2_000), (max, count) => {
      const spread = new EvenSpread<number>(max);
      for (let item = 0; item < count; item++) spread.add(item);
      const { items } = spread;
      const stride = items[1] ?? 1;
      expect(items).toEqual(Array.from({ length: Math.ceil(count / stride) }, (_, index) => index * stride));
      expect(items.length).toBeLessThanOrEqual(max);
      if (count >= max) expect(items.length).toBeGreaterThanOrEqual(max / 2 - 1);
    }),
    runs(100),
  );
});
