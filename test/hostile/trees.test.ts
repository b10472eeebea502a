/** Checkpoints of several files with one of them cut, damaged or gone: always a report with exact sums. */
import { describe, expect, it } from 'vitest';
import { oneOf } from '../builders/inspectOne.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectAnyHostile } from './accountable.js';
import { sweepCuts, sweepFields } from './damage.js';
import { chosenOf, fixtureCases, type HostileFile } from './fixtureFiles.js';

const trees = fixtureCases('checkpoint').filter(({ files }) => Object.keys(files).length > 1);

async function filesOf({ name, files }: (typeof trees)[number]): Promise<HostileFile[]> {
  const report = oneOf(await inspectAnyHostile(memoryTree('save', files)));
  return report.files.flatMap(({ path, format, role }) => {
    const bytes = files[path];
    if (bytes === undefined || bytes.byteLength === 0) return [];
    return [
      { name: `${name}/data/${path}`, root: 'save', path, bytes, beside: files, shape: `${report.layout} ${format} ${role}` },
    ];
  });
}

const files = (await Promise.all(trees.map(filesOf))).flat();
const chosen = chosenOf(files);

describe.each(chosen)('$name', (file) => {
  it('is accounted for wherever it is cut, and when it is gone', async () => {
    await sweepCuts(file, { edge: 1, nearEdge: 2, headers: 2, rest: 3, exhaustive: 400 }, false);
    const { [file.path]: gone, ...rest } = file.beside;
    expect(gone).toBeDefined();
    await inspectAnyHostile(memoryTree('save', rest));
  });

  // A field of eight bytes is the largest that is replaced.
  it.runIf(file.bytes.byteLength >= 8)('survives fields replaced', async () => {
    await sweepFields(file, { edge: 0, nearEdge: 0, headers: 4, rest: 8, exhaustive: 800 });
  });
});

it('runs over every checkpoint of several files', () => {
  expect(new Set(files.map(({ name }) => name.split('/data/')[0])).size).toBe(trees.length);
});
