/** Databases of real checkpoints, cut and with every field replaced: a report with exact sums, also where checksums were made to fit. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../builders/diskTree.js';
import { fixtureRoot } from '../builders/frameworkFixtures.js';
import { memoryTree } from '../builders/memoryTree.js';
import { resealed } from '../builders/ocdbtBuilder.js';
import { inspectHostile } from './accountable.js';
import { fieldValues, sweepCuts, sweepFields } from './damage.js';
import { chosenOf, fixtureCases, type HostileFile } from './fixtureFiles.js';
import type { Value } from './sweep.js';

const byteValues: readonly Value[] = [0x00, 0x01, 0x7f, 0x80, 0xff].map((value) => ({
  name: `byte ${value}`,
  bytes: Uint8Array.of(value),
}));

/** Checkpoints with a database, or with arrays of zarr. */
const saves = fixtureCases('checkpoint')
  .filter(({ files }) => Object.keys(files).some((file) => /(^|\/)(manifest\.ocdbt|\.zarray)$/.test(file)))
  .map(({ name, checkpointPath }) => `${name}/data/${checkpointPath}`);

/** Files of a database by what they are for; data files that the newest version does not refer to are never read. */
async function filesOf(folder: string): Promise<HostileFile[]> {
  const files = filesBelow(path.join(fixtureRoot, folder));
  const report = await inspectHostile(memoryTree('db', files));
  return report.files
    .filter((file) => (files[file.path]?.byteLength ?? 0) > 0)
    .map((file) => ({
      name: `${folder}/${file.path}`,
      root: 'db',
      path: file.path,
      bytes: files[file.path] as Uint8Array,
      beside: files,
      shape: `${folder} ${file.role}`,
    }));
}

const isRead = ({ shape }: HostileFile): boolean => /(manifest|array data)$/.test(shape);
const hasZarr = ({ beside }: HostileFile): boolean => Object.keys(beside).some((file) => file.endsWith('.zarray'));
const all = await Promise.all(saves.map(filesOf));
const files = chosenOf(all.flat());
const objects = files.filter((file) => isRead(file) && !hasZarr(file));

describe.each(objects)('$name', (file) => {
  it('survives every field and byte replaced, with checksums that fit', async () => {
    await sweepFields(
      file,
      { edge: 3, nearEdge: 60, headers: 40, rest: 40, exhaustive: 4000 },
      { values: [...fieldValues, ...byteValues], seal: resealed },
    );
  });
});

describe.each(files)('$name', (file) => {
  it('is accounted for wherever it is cut; a cut manifest is reported', async () => {
    await sweepCuts(
      file,
      { edge: 4, nearEdge: 8, headers: 8, rest: 12, exhaustive: 1000 },
      /^(?!.*ocdbt\.process_)(.*\/)?(manifest\.ocdbt|\.zarray)$/.test(file.path),
    );
  });

  it('is accounted for where it is gone', async () => {
    const { [file.path]: gone, ...rest } = file.beside;
    expect(gone).toBeDefined();
    await inspectHostile(memoryTree('db', rest));
  });
});

it('runs over real databases', () => {
  expect(all.every((found) => found.some((file) => isRead(file) || hasZarr(file)))).toBe(true);
});
