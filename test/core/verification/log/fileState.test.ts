import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../../../../src/core/files/fileTree.js';
import { fileStateOf, newerFiles } from '../../../../src/core/verification/log/fileState.js';

const file = (path: string, more: Partial<FileEntry> = {}): FileEntry => ({ path, sizeBytes: 8, modifiedMs: 1000, ...more });
const files = [file('a'), file('b', { modifiedMs: 2000.25 }), file('c/d', { modifiedMs: null })];
const { digest } = fileStateOf(files);

describe('the state of files', () => {
  it('counts them, and has the time of the newest', () => {
    expect(fileStateOf(files)).toMatchObject({ files: 3, newestMs: 2000.25 });
    expect(fileStateOf([])).toMatchObject({ files: 0, newestMs: null });
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each<[string, FileEntry[]]>([
    ['a size', [file('a', { sizeBytes: 9 }), ...files.slice(1)]],
    ['an older time', [file('a', { modifiedMs: 999 }), ...files.slice(1)]],
    ['a name', [file('e'), ...files.slice(1)]],
    ['a file more', [...files, file('e')]],
    ['a file less', files.slice(1)],
    ['a link in its place', [file('a', { link: { target: '../a', inside: false } }), ...files.slice(1)]],
    [
      'bytes that moved to another file',
      [file('a', { sizeBytes: 7 }), file('b', { sizeBytes: 9, modifiedMs: 2000.25 }), ...files.slice(2)],
    ],
  ])('is another one for %s', (_what, others) => {
    expect(fileStateOf(others).digest).not.toBe(digest);
  });

  it('does not depend on the order of the listing', () => {
    expect(fileStateOf(files.toReversed()).digest).toBe(digest);
  });

  it('leaves out what Stowage itself writes', () => {
    const own = ['.stowage/verified.json', '.stowage/x/stowage-manifest.json', 'stowage-manifest.json', 'SHA256SUMS'];
    expect(fileStateOf([...files, ...own.map((path) => file(path, { modifiedMs: 9e9 }))])).toEqual(fileStateOf(files));
    expect(fileStateOf([...files, file('deep/SHA256SUMS')]).digest).not.toBe(digest);
  });

  it('is the same whether a link leads out of the listing or to a file of it, which counts once', () => {
    const link = (inside: boolean, sizeBytes: number) => [file('a', { sizeBytes, link: { target: '../x/a', inside } })];
    expect(fileStateOf(link(true, 0))).toEqual(fileStateOf(link(false, 8)));
    const hard = (sizeBytes: number) => [file('a', { sizeBytes, fileId: '1:2', links: 2 })];
    expect(fileStateOf(hard(0))).toEqual(fileStateOf(hard(8)));
  });

  it('does not change with what others put into a directory behind a link', () => {
    const latest = (modifiedMs: number, target = 'step-1') => [
      file('latest', { modifiedMs, link: { target, inside: true, isDirectory: true } }),
    ];
    expect(fileStateOf(latest(5000))).toEqual(fileStateOf(latest(6000)));
    expect(fileStateOf(latest(5000, 'step-2')).digest).not.toBe(fileStateOf(latest(5000)).digest);
  });

  it('finds files that are newer', () => {
    expect(newerFiles([...files, file('.stowage/verified.json', { modifiedMs: 9e9 })], 1000)).toBe(1);
  });
});
