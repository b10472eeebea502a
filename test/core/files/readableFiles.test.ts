import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimDatasets } from '../../../src/core/datasets/detectDataset.js';
import { companionNames } from '../../../src/core/files/companions.js';
import { Listing } from '../../../src/core/files/listing.js';
import { fileRoles } from '../../../src/core/frameworks/layouts.js';
import { globsOf } from '../../../src/core/files/namePattern.js';
import { isPartOfFolder, readablePattern } from '../../../src/core/files/readableFiles.js';
import { readableFiles } from '../../../src/core/files/readableRows.js';

const fixtures = 'test/fixtures/frameworks';
const fixtureNames = readdirSync(fixtures, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => path.posix.join(path.relative(fixtures, parentPath), name));

/** Readers that look at a file for more than what its name says, and those of names that other programs have too. */
const notByName = new Set(['none', 'sniff', 'json', 'index', 'text']);

describe('readable files', () => {
  it('match their own globs', () => {
    for (const files of readableFiles)
      for (const glob of globsOf(files)) expect(readablePattern.test(glob.replaceAll('*', '0')), glob).toBe(true);
  });

  it('are matched by the whole end of the name', () => {
    for (const name of ['model.safetensors', 'A.GGUF', 'x.jsonl.gz', 'x.mds.zstd', 'x.array_record-00001-of-00002', 'x.json.zst'])
      expect(readablePattern.test(name), name).toBe(true);
    for (const name of ['safetensors', 'x.json', 'x.safetensors.txt', 'x.pt.gz', 'x.jsonl-00001-of-00002', 'notes.txt'])
      expect(readablePattern.test(name), name).toBe(false);
  });

  it('of checkpoints are those that the roles have a reader for', () => {
    const extensions = readableFiles.filter(({ kind }) => kind === 'checkpoint').flatMap((files) => files.extensions);
    // A shard is read through its metadata, ONNX and indexes through what lies beside them.
    const throughOthers = ['distcp', 'onnx', 'safetensors.index.json', 'bin.index.json'];
    const unread = extensions.filter((extension) => notByName.has(fileRoles.of(`some.${extension}`).reader));
    expect(unread.sort()).toEqual(throughOthers.sort());
  });

  it('are all fixtures that a reader opens by their names', () => {
    const opened = fixtureNames.filter((name) => !notByName.has(fileRoles.of(name).reader));
    expect(opened.length).toBeGreaterThan(50);
    const missing = opened.filter((name) => !readablePattern.test(path.posix.basename(name)));
    expect(missing).toEqual([]);
  });

  it('of datasets are those that a layout claims', async () => {
    const unclaimed: string[] = [];
    for (const files of readableFiles.filter(({ kind }) => kind === 'dataset'))
      for (const glob of globsOf(files))
        if (!(await isClaimed(glob.replace('*', 'tokens_uint16').replaceAll('*', '00000')))) unclaimed.push(glob);
    expect(unclaimed).toEqual([]);
  });

  it('are named once', () => {
    const globs = readableFiles.flatMap(globsOf);
    expect(globs.filter((glob, at) => globs.indexOf(glob) !== at)).toEqual([]);
  });

  it('that are parts of a folder are shards of distributed checkpoints', () => {
    expect([isPartOfFolder('__0_0.distcp'), isPartOfFolder('model-00001-of-00002.safetensors')]).toEqual([true, false]);
  });
});

/** First bytes by which layouts tell formats with names that others have, too. */
const heads = [
  'ARROW1\0\0',
  '{"text": "a"}\n{"text": "b"}\n',
  'MMIDIDX\0\0',
  `a.txt${'\0'.repeat(252)}ustar`,
  '\x1f\x8b\x08',
].map((text) => Uint8Array.from({ length: 1024 }, (_, at) => text.charCodeAt(at) || 0));

/** Whether a layout of datasets takes a file of this name with what lies beside it, for one of the heads. */
async function isClaimed(name: string): Promise<boolean> {
  const entries = [name, ...companionNames(name)].map((path) => ({ path, sizeBytes: 4096, modifiedMs: null }));
  const listing = new Listing(name, entries);
  for (const head of heads) {
    const claims = await claimDatasets(listing, {
      failure: () => undefined,
      isSampled: () => true,
      head: () => Promise.resolve(head),
      beginning: () => Promise.resolve(head),
    });
    if (claims.some(({ paths }) => paths.includes(name))) return true;
  }
  return false;
}
