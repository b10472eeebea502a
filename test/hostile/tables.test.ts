/** Arrow and Parquet files cut anywhere, with fields replaced, and with random damage; those with text too, which is sampled. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../builders/diskTree.js';
import { sweepCuts, sweepFields, sweepRandomDamage } from './damage.js';
import { chosenOf, fixtureCases, isTable, withoutNumbers } from './fixtureFiles.js';

const folders = [
  ...fixtureCases('dataset').map(({ name, files }) => ({ folder: `frameworks/${name}/data`, files })),
  { folder: 'text-tables', files: filesBelow(path.resolve('test/fixtures/text-tables')) },
];
const files = folders.flatMap(({ folder, files }) =>
  Object.entries(files)
    .filter(([file]) => isTable(file))
    .map(([file, bytes]) => ({
      name: `${folder}/${file}`,
      root: 'table',
      path: path.basename(file),
      bytes,
      beside: {},
      // Writers and their options are folders and names; shards differ by their numbers only.
      shape: withoutNumbers(`${folder}/${file}`),
    })),
);
const chosen = chosenOf(files);

describe.each(chosen)('$name', (file) => {
  it('is noticed wherever it is cut', async () => {
    await sweepCuts(file, { edge: 8, nearEdge: 16, headers: 12, rest: 20 });
  });

  it('survives fields replaced', async () => {
    await sweepFields(file, { edge: 3, nearEdge: 72, nearBytes: 750, headers: 18, rest: 24 });
  });

  it('survives random damage', async () => {
    await sweepRandomDamage(file, 6, 1000);
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(0));
