import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFields } from '../../../../src/core/planning/inputs/planFields.js';
import { readInput } from '../../../../src/core/planning/inputs/inputText.js';
import { readQuantity, shownQuantity } from '../../../../src/core/planning/inputs/quantity.js';
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
    ['400 Gb/s', writeBytesPerSecond, 1, 50e9],
    ['400Gbit/s', writeBytesPerSecond, 1, 50e9],
    ['400 GBIT/S', writeBytesPerSecond, 1, 50e9],
    ['50 GBps', writeBytesPerSecond, 1, 50e9],
    ['8 Gib/s', writeBytesPerSecond, 1, 1_073_741_824],
    ['100 kbit/s', writeBytesPerSecond, 1, 12_500],
    ['4 Gi', nvmeCapacityBytes, 1, 4_294_967_296],
    ['8 Gbit', nvmeCapacityBytes, 1, 1e9],
    ['405b', parameters, 1, 405e9],
    ['90 MIN', intervalSeconds, 1, 5400],
    ['405B', parameters, 1, 405e9],
    ['405,853,388,800', parameters, 1, 405_853_388_800],
    ['1.008e12', parameters, 1, 1.008e12],
    ['10 %', overlapTarget, 1, 0.1],
    ['10', overlapTarget, 0.01, 0.1],
    ['$0.023', storePricePerGBMonth, 1, 0.023],
    ['15.36 TB', nvmeCapacityBytes, 1, 15_360_000_000_000],
  ] as const)('%s', (text, field, bareSize, expected) => {
    expect(readQuantity(text, field, bareSize)).toEqual({ value: expected });
  });

  it('tells signs, so that limits can refuse them', () => expect(readQuantity('-5', parameters)).toEqual({ value: -5 }));

  it.each(['', 'ten', '5 parsecs', '1e999', '5 GB/s/s', '1.2.3', '∞', 'NaN', '0x10', '5 min', '$64', `${'9'.repeat(40)}`])(
    'takes %s for no count',
    (text) => expect(readQuantity(text, parameters)).toEqual({ readings: [] }),
  );

  it('rounds no part of a GPU', () => {
    expect(readInput('gpus', '2.5')).toEqual({ problem: 'must be a whole number' });
    expect(readInput('gpus', '1e3')).toEqual({ value: 1000 });
    expect(readInput('parameters', '8.0302613B')).toEqual({ value: 8_030_261_300 });
    expect(readInput('nvmeCapacityBytes', '0.1 KiB')).toEqual({ value: 102 });
  });

  it.each([
    ['400 gb/s', writeBytesPerSecond, ['400 GB/s', '400 Gbit/s']],
    ['400gbps', writeBytesPerSecond, ['400 GB/s', '400 Gbit/s']],
    ['10 kb/s', writeBytesPerSecond, ['10 kB/s', '10 kbit/s']],
    ['1 gib', nvmeCapacityBytes, ['1 GiB', '1 Gibit']],
    ['4G', nvmeCapacityBytes, ['4 GB', '4 GiB']],
    ['4 m', nvmeCapacityBytes, ['4 MB', '4 MiB']],
    ['2 T/s', writeBytesPerSecond, ['2 TB/s', '2 TiB/s']],
  ] as const)('takes neither reading of %s', (text, field, readings) => {
    expect(readQuantity(text, field)).toEqual({ readings });
    for (const reading of readings) expect(readQuantity(reading, field)).toHaveProperty('value');
  });

  it('shows what it reads', () => {
    expect(shownQuantity(11_135.083532, planFields.mtbfSeconds)).toBe('3.09308');
    expect(shownQuantity(16_384, planFields.gpus)).toBe('16,384');
    expect(shownQuantity(0.1, overlapTarget)).toBe('10');
    fc.assert(
      fc.property(fc.double({ min: 1e3, max: 1e15, noNaN: true }), (value) => {
        const read = readQuantity(shownQuantity(value, writeBytesPerSecond), writeBytesPerSecond, 1e9);
        expect('value' in read && Math.abs(read.value - value) / value).toBeLessThan(1e-5);
      }),
      runs(100),
    );
  });
});
