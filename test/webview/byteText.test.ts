import { describe, expect, it } from 'vitest';
import { exactBytes, fineShare } from '../../webview/shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';

describe('fineShare', () => {
  it.each([
    [0, 10, '0 %'],
    [5, 0, '0 %'],
    [10, 10, '100 %'],
    [41_000, 1_200_000_000, '0.0034 %'],
    [2_100_000, 128_500_000_000, '0.0016 %'],
    [412_880, 112_441_226_070, '0.00037 %'],
    [1, 3, '33 %'],
    [1, 30, '3.3 %'],
    [1, 100, '1 %'],
  ])('%d of %d is %s', (part, whole, expected) => {
    expect(fineShare(part, whole)).toBe(expected);
  });
});

describe('exactBytes', () => {
  it('names both kinds of units, and whole bytes only where they say it all', () => {
    expect(exactBytes(16_060_522_496)).toBe('16,060,522,496 bytes (15 GiB)');
    expect(exactBytes(1)).toBe('1 byte');
    expect(exactBytes(212)).toBe('212 bytes');
  });
});

describe('counted', () => {
  it('counts in words', () => {
    expect(counted(1, 'file')).toBe('1 file');
    expect(counted(2000, 'file')).toBe('2,000 files');
  });
});
