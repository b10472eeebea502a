import { expect, it } from 'vitest';
import { distinctNames } from '../../../src/host/panels/distinctNames.js';

const namesOf = (...paths: string[]): string[] =>
  distinctNames(
    paths.map((path) => {
      const [folders = '', part = ''] = path.split('#');
      return { parts: folders.split('/'), part };
    }),
  );

it('leaves names that do not repeat as they are', () => {
  expect(namesOf('a/x', 'a/y', 'b/z')).toEqual(['x', 'y', 'z']);
});

it('tells names that repeat apart by the nearest folder in which they differ', () => {
  expect(namesOf('runs/run-a/checkpoint-30', 'runs/run-b/checkpoint-30')).toEqual([
    'checkpoint-30 (run-a)',
    'checkpoint-30 (run-b)',
  ]);
  expect(namesOf('run-a/global/step', 'run-b/global/step')).toEqual(['step (run-a/global)', 'step (run-b/global)']);
  expect(namesOf('a/x', 'b/x', 'c/d/x')).toEqual(['x (a)', 'x (b)', 'x (d)']);
});

it('has one name for the same path twice, and one for each part of it', () => {
  expect(namesOf('a/x', 'a/x')).toEqual(['x', 'x']);
  expect(namesOf('a/data#jsonl', 'a/data#mds')).toEqual(['data (jsonl)', 'data (mds)']);
  expect(namesOf('a/data#jsonl', 'b/data')).toEqual(['data (a, jsonl)', 'data (b)']);
});

it('tells a name without folders from one within them', () => {
  expect(namesOf('x', 'a/x')).toEqual(['x', 'x (a)']);
});
