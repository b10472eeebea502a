/** Directories of steps that were renamed by hand, and those of a running save. */
import { expect, it } from 'vitest';
import { utf8 } from '../../../builders/byteWriter.js';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import { memoryTree } from '../../../builders/memoryTree.js';
import { inspectHostile } from '../../../hostile/accountable.js';

type Files = Record<string, Uint8Array>;

const below = (files: Files, directory: string): Files =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, bytes]) =>
      path.startsWith(`${directory}/`) ? [[path.slice(directory.length + 1), bytes]] : [],
    ),
  );
const step = below(fixtureBelow('orbax/multiprocess-2'), 'ckpts/4');
const without = (name: string): Files => Object.fromEntries(Object.entries(step).filter(([path]) => path !== name));

async function renamedIn(rootName: string, files: Files = step): Promise<unknown[]> {
  const { findings } = await inspectHostile(memoryTree(rootName, files));
  return findings.flatMap(({ code, path, message }) => (code === 'step-directory-renamed' ? [[path, message]] : []));
}

const message = (named: number): string => `The directory is named for step ${named}, this file was written for step 4.`;

it.each(['4', 'step_00000004', 'best', '4.orbax-checkpoint-tmp-17'])('%s is the step of the mark, or no step', async (name) => {
  expect(await renamedIn(name)).toEqual([]);
});

it('another step than that of the mark is a warning', async () => {
  expect(await renamedIn('8')).toEqual([['commit_success.txt', message(8)]]);
  expect(await renamedIn('checkpoint_8')).toEqual([['commit_success.txt', message(8)]]);
});

it('the mark of an item has the step of the checkpoint around it', async () => {
  expect(await renamedIn('8', without('commit_success.txt'))).toEqual([['loader/commit_success.txt', message(8)]]);
});

it('without marks the metadata may have the step', async () => {
  const unmarked = Object.fromEntries(Object.entries(step).filter(([path]) => !path.endsWith('commit_success.txt')));
  const metadata = JSON.parse(new TextDecoder().decode(step['_CHECKPOINT_METADATA'])) as object;
  const files = { ...unmarked, _CHECKPOINT_METADATA: utf8(JSON.stringify({ ...metadata, custom_metadata: { step: 4 } })) };
  expect(await renamedIn('8', files)).toEqual([['_CHECKPOINT_METADATA', message(8)]]);
  expect(await renamedIn('4', files)).toEqual([]);
  expect(await renamedIn('8', unmarked)).toEqual([]);
});

it('in a run it is of the renamed checkpoint', async () => {
  const run = { ...under('4', step), ...under('8', step) };
  const report = await inspectHostile(memoryTree('run', run));
  // The two have the same bytes: under the name of another step that is a copy as well.
  expect(report.findings.map(({ code, path }) => [code, path])).toEqual([
    ['step-directory-renamed', '8/commit_success.txt'],
    ['checkpoint-copied', '8'],
  ]);
});

function under(directory: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${directory}/${path}`, bytes]));
}
