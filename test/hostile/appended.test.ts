/** Bytes behind the end of a file are unexplained, and reported, whichever reader read the rest. */
import { describe, expect, it } from 'vitest';
import { concat } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectAnyHostile } from './accountable.js';
import { fixtureCases, singleFiles } from './fixtureFiles.js';

const files = await singleFiles(200_000);
const APPENDED = 37;

describe.each(files)('$name', ({ root, path, bytes, beside }) => {
  it('with bytes behind its end', async () => {
    const unexplained = async (file: Uint8Array): Promise<number> => {
      const report = await inspectAnyHostile(memoryTree(root, { ...beside, [path]: file }));
      if (report.kind !== 'checkpoint') return NaN;
      return report.components.unexplained?.otherBytes ?? 0;
    };
    const before = await unexplained(bytes);
    const tail = new Uint8Array(APPENDED).fill(0x5a);
    expect((await unexplained(concat(bytes, tail))) - before).toBeGreaterThanOrEqual(APPENDED);
  });
});

/**
 * Files of sets whose index states where they end. Data files of OCDBT hold what was superseded, too: bytes that nothing refers to are
 * container overhead there, at the end as elsewhere.
 */
const ofSets = /\.distcp$|\.data-\d{5}-of-\d{5}$|\.index$|manifest\.ocdbt$/;
const sets = fixtureCases('checkpoint').flatMap(({ name, files: all }) =>
  Object.keys(all)
    // Without the index of a save nothing states where its files end; databases of processes were merged into the one beside them.
    .filter((file) => ofSets.test(file) && !name.includes('unfinished') && !file.includes('ocdbt.process_'))
    .slice(0, 2)
    .map((file) => ({ name: `${name}/${file}`, file, all })),
);

describe.each(sets)('$name', ({ file, all }) => {
  it('with bytes behind its end', async () => {
    const inspectWith = (bytes: Uint8Array) => inspectAnyHostile(memoryTree('set', { ...all, [file]: bytes }));
    const own = all[file] as Uint8Array;
    const before = await inspectWith(own);
    const after = await inspectWith(concat(own, new Uint8Array(APPENDED).fill(0x5a)));
    expect(after.findings.length).toBeGreaterThan(before.findings.length);
  });
});
