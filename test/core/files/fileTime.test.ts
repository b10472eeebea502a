import { expect, it } from 'vitest';
import { fileTimeMs } from '../../../src/core/files/fileTime.js';

it.each([
  [0, 0],
  [-1000, -1000],
  [8.64e15, 8.64e15],
  [8.64e15 + 1, null],
  [-8.65e15, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
] as const)('of %s is %s', (ms, time) => {
  expect(fileTimeMs(ms)).toBe(time);
  if (time !== null) expect(new Date(time).toISOString()).not.toBe('');
});
