/** Every fixture is damaged by some test, or left out for a reason that is written down. */
import { expect, it } from 'vitest';
import { familyOf, fixtureCases, isSingleFile, notCheckpoints, notSingleFiles } from './fixtureFiles.js';

const cases = fixtureCases();

it('there are fixtures of each family that is left out', () => {
  const families = new Set(cases.map(familyOf));
  expect(Object.keys(notCheckpoints).filter((family) => !families.has(family))).toEqual([]);
});

const files = cases
  .filter((one) => !(familyOf(one) in notCheckpoints))
  .flatMap(({ name, files }) => Object.keys(files).map((file) => `${name}/data/${file}`));

it('every file of a checkpoint is damaged by itself, or left out for a reason', () => {
  expect(files.filter((file) => !isSingleFile(file) && !notSingleFiles.some(([pattern]) => pattern.test(file)))).toEqual([]);
});

it.each(notSingleFiles)('%s leaves some file out', (pattern) => {
  expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
});
