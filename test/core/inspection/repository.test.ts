/** A directory that is no checkpoint: what it costs to say so, and what that rests on. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';

const settings = new TextEncoder().encode('{\n  "name": "module"\n}\n');
const records = new TextEncoder().encode('{"text": "a record"}\n{"text": "another"}\n');

function tree(files: number, name: (at: number) => string, bytes: Uint8Array): Record<string, Uint8Array> {
  return Object.fromEntries(Array.from({ length: files }, (_, at) => [`folder${at % 50}/${name(at)}`, bytes]));
}

describe('a repository of many small files', () => {
  const files = limits.sniffedFiles + 500;

  it('is looked into within a budget, and says where it was not', async () => {
    const log: ReadLog = { reads: [] };
    const all = { ...tree(files, (at) => `f${at}.json`, settings), ...tree(files, (at) => `g${at}`, settings) };
    const { report } = await inspect(memoryTree('project', all, log), { path: 'project' });
    expect(log.reads.length).toBeLessThanOrEqual(2 * limits.sniffedFiles);
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'unknown', totalBytes: 2 * files * settings.byteLength });
    expect(report.checks.notDone).toContain(
      'the first bytes of 500 files that names do not tell: 2,000 were looked at: names of pickles, the smallest and the largest',
    );
    expect(report.checks.notDone.some((check) => /^whether [\d,]+ \.json files hold records/.test(check))).toBe(true);
  });

  it('has its binaries looked at within the same budget', async () => {
    const log: ReadLog = { reads: [] };
    const all = tree(files, (at) => `f${at}.bin`, new Uint8Array(64));
    const { report } = await inspect(memoryTree('project', { ...all, 'folder0/main.py': settings }, log), { path: 'project' });
    expect(report.checks.notDone.some((check) => /^whether [\d,]+ array or \.bin files hold tokens/.test(check))).toBe(true);
  });

  it('counts the tokens of all files of a data set, however many there are', async () => {
    const tokens = buildNpy({ descr: '<u2', shape: [64], data: patternBytes(128) });
    const all = tree(files, (at) => `part${at}.npy`, tokens);
    const { report } = await inspect(memoryTree('tokens', all), { path: 'tokens' });
    expect(report).toMatchObject({ kind: 'dataset', layout: 'token-array', tokens: { count: files * 64 } });
  });

  it('has the records of a directory that were not looked at, where those beside them are records', async () => {
    const all = { ...tree(files, (at) => `f${at}.json`, settings), ...prefixed('data', 600, records) };
    const { report } = await inspect(memoryTree('project', all), { path: 'project' });
    expect(report.kind === 'collection' ? report.parts : []).toMatchObject([
      { path: 'data', kind: 'dataset', layout: 'jsonl', files: 600 },
    ]);
  });
});

function prefixed(directory: string, count: number, bytes: Uint8Array): Record<string, Uint8Array> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${directory}/r${at}.json`, bytes]));
}

it('a small directory is looked at as a whole, and says nothing of a budget', async () => {
  const { report } = await inspect(
    memoryTree(
      'project',
      tree(100, (at) => `f${at}.json`, settings),
    ),
    { path: 'project' },
  );
  expect(report.checks.notDone.join()).not.toMatch(/largest/);
});

it('notes of a few bytes in a directory of a project are no data set', async () => {
  const notes = new TextEncoder().encode('notes\n');
  const { report } = await inspect(
    memoryTree('project', {
      'a/notes.txt': notes,
      'b/more.txt': notes,
      'a/x.parquet': notes,
      'c/train.parquet': notes,
      'd/sub/notes.txt': notes,
    }),
    { path: 'project' },
  );
  const rows = report.kind === 'collection' ? report.parts.map(({ path, layout }) => `${path} ${layout}`) : [];
  expect(rows.filter((row) => row.endsWith(' text'))).toEqual([]);
});
