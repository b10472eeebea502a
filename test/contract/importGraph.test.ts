import { expect, it } from 'vitest';
import { importDistances, importsOf } from '../../scripts/house/importGraph.mjs';

it('finds what a file imports, types and packages included', () => {
  expect(importsOf('test/system/runner/schedule.test.ts')).toEqual([
    'vitest',
    'test/runner/schedule.mjs',
    'test/runner/results.mjs',
  ]);
});

it('measures how far a file is from one that changed', () => {
  const files = [
    'test/system/runner/schedule.test.ts',
    'test/runner/schedule.mjs',
    'test/runner/results.mjs',
    'src/core/inspection/inspect.ts',
  ];
  const distances = importDistances(files, ['test/runner/results.mjs']);
  expect(Object.fromEntries(distances)).toEqual({
    'test/runner/results.mjs': 0,
    'test/runner/schedule.mjs': 1,
    'test/system/runner/schedule.test.ts': 1,
  });
});
