import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFields } from '../../../../src/core/planning/inputs/planFields.js';
import { parseQuantity, shownQuantity } from '../../../../src/core/planning/inputs/quantity.js';
import { runs } from '../../../builders/seed.js';

const { intervalSeconds, writeBytesPerSecond, parameters, overlapTarget, storePricePerGBMonth, nvmeCapacityBytes } = planFields;

describe('amounts as people write them', () => {
  it.each([
    ['90 min', intervalSeconds, 1, 5400],
    ['1.5h', intervalSeconds, 1, 5400],
    ['30', intervalSeconds, 60, 1800],
    ['2 TB/s', writeBytesPerSecond, 1e9, 2e12],
    ['172', writeBytesPerSecond, 1e9, 172e9],
    ['400 Gbps', writeBytesPerSecond, 1e9, 50e9],
    ['1 GiB/s', writeBytesPerSecond, 1, 1_073_741_824],
    ['405B', parameters, 1, 405e9],
    ['405,853,388,800', parameters, 1, 405_853_388_800],
    ['1.008e12', parameters, 1, 1.008e12],
    ['10 %', overlapTarget, 1, 0.1],
    ['10', overlapTarget, 0.01, 0.1],
    ['$0.023', storePricePerGBMonth, 1, 0.023],
    ['15.36 TB', nvmeCapacityBytes, 1, 15_360_000_000_000],
  ] as const)('%s', (text, field, bareSize, expected) => {
    expect(parseQuantity(text, field, bareSize)).toBe(expected);
  });

  it('tells signs, so that limits can refuse them', () => expect(parseQuantity('-5', parameters)).toBe(-5));

  it.each(['', 'ten', '5 parsecs', '1e999', '5 GB/s/s', '1.2.3', '∞', 'NaN', '0x10', '5 min', `${'9'.repeat(40)}`])(
    'takes %s for no count',
    (text) => expect(parseQuantity(text, parameters)).toBeNull(),
  );

  it('shows what it reads', () => {
    expect(shownQuantity(11_135.083532, planFields.mtbfSeconds)).toBe('3.09308');
    expect(shownQuantity(16_384, planFields.gpus)).toBe('16,384');
    expect(shownQuantity(0.1, overlapTarget)).toBe('10');
    fc.assert(
      fc.property(fc.double({ min: 1e3, max: 1e15, noNaN: true }), (value) => {
        const read = parseQuantity(shownQuantity(value, writeBytesPerSecond), writeBytesPerSecond, 1e9);
        expect(Math.abs((read ?? 0) - value) / value).toBeLessThan(1e-5);
      }),
      runs(100),
    );
  });
});
