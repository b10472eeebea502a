/** Splits of a GGUF model under the names of others. */
import { expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { inspectFiles } from '../../builders/torchDirectory.js';

const splits = fixtureBelow('gguf/split');
const [first, second] = ['tiny-00001-of-00003.gguf', 'tiny-00002-of-00003.gguf'] as const;

async function swapped(files: Record<string, MemoryFile>): Promise<[path: string | null, message: string][]> {
  const { findings } = await inspectFiles(files, 'model');
  return findings.filter(({ code }) => code === 'content-not-its-role').map(({ path, message }) => [path, message]);
}

it('finds splits that have each other’s names', async () => {
  expect(await swapped(splits)).toEqual([]);
  const files = { ...splits, [first]: splits[second] as MemoryFile, [second]: splits[first] as MemoryFile };
  expect(await swapped(files)).toEqual([
    [first, 'The file name means split 1 of 3, the file contains split 2 of 3.'],
    [second, 'The file name means split 2 of 3, the file contains split 1 of 3.'],
  ]);
});

it('finds a split of a model that was split into another number of files', async () => {
  const found = await swapped({ 'tiny-00001-of-00001.gguf': splits[first] as MemoryFile });
  expect(found).toEqual([['tiny-00001-of-00001.gguf', 'The file name means split 1 of 1, the file contains split 1 of 3.']]);
});

it('expects nothing of other names', async () => {
  expect(await swapped({ 'renamed.gguf': splits[second] as MemoryFile })).toEqual([]);
});
