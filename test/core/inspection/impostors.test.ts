/** Files with something else in place of their data: named in each format, alone and beside other files. */
import { describe, expect, it } from 'vitest';
import { collectReadableFiles } from '../../../src/core/inspection/readableFormats.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const impostors: Readonly<Record<string, { code: string; file: Uint8Array }>> = {
  'an empty file': { code: 'file-empty', file: new Uint8Array(0) },
  'a web page': { code: 'file-is-web-page', file: utf8('<!DOCTYPE html><html><title>Sign in</title></html>') },
  'an error message': { code: 'file-is-web-page', file: utf8('{"error":"Repository not found"}') },
  'a pointer': {
    code: 'file-is-lfs-pointer',
    file: utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 16060522496\n`),
  },
  zeros: { code: 'file-zero-filled', file: new Uint8Array(20_000) },
  'a file saved as text': { code: 'file-saved-as-text', file: utf8('\u0001\ufffd\ufffdPK\u0003\u0004\ufffd\u0000'.repeat(20)) },
};

/** What is a valid file of its format, with the finding that it has all the same. */
const valid: readonly [names: RegExp, what: string, code: string | undefined][] = [
  [/\.(tfrecords?|jsonl|ndjson|jsonlines)$/, 'an empty file', 'shard-empty'],
  [/\.(jsonl|ndjson|jsonlines)$/, 'an error message', undefined],
  [/^e\.(tar|tgz)$/, 'zeros', 'shard-empty'],
];

/** A name for each extension in the tables of formats and layouts, and files that only their whole names tell. */
const names = [
  ...new Set(collectReadableFiles().flatMap(({ extensions }) => extensions.map((extension) => `e.${extension}`))),
  '__0_0.distcp',
  '.metadata',
  'e.index',
  'e.zip',
  'checkpoint_5',
];

const codesOf = (report: Report): string[] => [
  ...report.findings.map(({ code }) => code),
  ...(report.kind === 'collection' ? report.parts.flatMap(({ findingCodes }) => findingCodes) : []),
];

describe.each(Object.entries(impostors))('%s', (what, { code, file }) => {
  it.each(names)('as %s', async (name) => {
    const exception = valid.find(([pattern, each]) => each === what && pattern.test(name));
    const expected = exception === undefined ? code : exception[2];
    const texts = { 'notes.txt': utf8('Some words of a text.\n'.repeat(2000)) };
    for (const tree of [memoryTree(name, { [name]: file }), memoryTree('d', { ...texts, [name]: file })]) {
      const report = await inspectAnyHostile(tree);
      if (expected !== undefined) expect(codesOf(report), tree.rootName).toContain(expected);
      if (report.kind === 'dataset' && tree.rootName === name) expect(report.sampleCount?.exact).not.toBe(expected !== undefined);
    }
  });
});

it('an empty file of a save without its index is both', async () => {
  const report = await inspectAnyHostile(memoryTree('d', { '__0_0.distcp': new Uint8Array(0) }));
  expect(codesOf(report)).toEqual(expect.arrayContaining(['save-unfinished', 'file-empty']));
});

it('an empty file that promises no data is none', async () => {
  const report = await inspectAnyHostile(memoryTree('d', { __init__: new Uint8Array(0), '.gitkeep': new Uint8Array(0) }));
  expect(codesOf(report)).toEqual(['layout-unknown']);
});
