import { expect, it } from 'vitest';
import { sliceAxesOf } from '../../../src/core/values/slice/sliceText.js';

const axis = (start: number, count: number, step = 1) => ({ start, count, step });

it.each<[text: string, axes: ReturnType<typeof axis>[] | undefined]>([
  ['', [axis(0, 4), axis(0, 10)]],
  ['3', [axis(3, 1), axis(0, 10)]],
  ['1:3, 2:8:2', [axis(1, 2), axis(2, 3, 2)]],
  ['::3,:5', [axis(0, 2, 3), axis(0, 5)]],
  ['2:99,:', [axis(2, 2), axis(0, 10)]],
  ['3:1,0', [axis(3, 0), axis(0, 1)]],
  ['9,0', [axis(9, 1), axis(0, 1)]],
  ['0,0,0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['a', undefined],
  [',0', undefined],
  ['::0', undefined],
  ['1:2:3:4', undefined],
  ['99999999999999999999', undefined],
])('indices %j are axes of a matrix', (text, axes) => {
  expect(sliceAxesOf(text, [4, 10])).toEqual(axes);
});
