/** Every fixture is damaged by some test, or left out for a reason that is written down. */
import { expect, it } from 'vitest';
import { fixtureCases, isSingleFile, notSingleFiles, singleFiles } from './fixtureFiles.js';

const cases = fixtureCases('checkpoint');
const files = cases.flatMap(({ name, files }) => Object.keys(files).map((file) => `${name}/data/${file}`));

it.each(notSingleFiles)('%s leaves some file out', (pattern) => {
  expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
});

it('a checkpoint of one file is damaged by itself: trees.test.ts damages those of several', () => {
  const lone = cases.flatMap(({ name, files }) => {
    const [first, ...rest] = Object.keys(files);
    return first === undefined || (rest.length === 0 && !isSingleFile(`${name}/data/${first}`)) ? [name] : [];
  });
  expect(lone).toEqual([]);
});

it('every shape of a file is cut and has its fields replaced, however large its files are', async () => {
  const shapesOf = async (maxBytes: number): Promise<string[]> =>
    [...new Set((await singleFiles(maxBytes)).map(({ shape }) => shape))].sort();
  expect(await shapesOf(0)).toEqual(await shapesOf(Infinity));
});
