import { expect, it } from 'vitest';
import { sliceAxesOf } from '../../../src/core/values/slice/sliceText.js';

const axis = (start: number, count: number, step = 1) => ({ start, count, step });

it.each<[text: string, axes: ReturnType<typeof axis>[] | string]>([
  ['', [axis(0, 4), axis(0, 10)]],
  ['3', [axis(3, 1), axis(0, 10)]],
  ['1:3, 2:8:2', [axis(1, 2), axis(2, 3, 2)]],
  ['::3,:5', [axis(0, 2, 3), axis(0, 5)]],
  ['2:99,:', [axis(2, 2), axis(0, 10)]],
  ['3:3,0', [axis(3, 0), axis(0, 1)]],
  ['3:1,0', 'ends before it begins: 3:1'],
  ['0:2, 5:-2', 'has negative indices, which are not supported'],
  ['9,0', [axis(9, 1), axis(0, 1)]],
  ['0,0,0', 'is no slice of the shape [4, 10]'],
  ['-1', 'has negative indices, which are not supported'],
  ['1.5', 'is no slice of the shape [4, 10]'],
  ['a', 'is no slice of the shape [4, 10]'],
  [',0', 'is no slice of the shape [4, 10]'],
  ['::0', 'is no slice of the shape [4, 10]'],
  ['1:2:3:4', 'is no slice of the shape [4, 10]'],
  ['99999999999999999999', 'is no slice of the shape [4, 10]'],
])('indices %j are axes of a matrix', (text, axes) => {
  expect(sliceAxesOf(text, [4, 10])).toEqual(axes);
});
