import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { createWorkspaceFileTree, type WorkspaceFileSystem } from '../../../src/platform/workspaceFileTree.js';

const file = { kind: 'file', isLink: false } as const;
const folder = { kind: 'folder', isLink: false } as const;

/** A file system with a folder that cannot be listed, a link to a folder, a dangling link and a file that is too large. */
const files: WorkspaceFileSystem = {
  async stat({ path }) {
    if (path === '') return { type: folder, sizeBytes: 0, modifiedMs: null };
    if (path === 'gone.bin') throw Object.assign(new Error('no'), { code: 'FileNotFound' });
    return { type: file, sizeBytes: path === 'huge.bin' ? limits.wholeFileBytes + 1 : 4, modifiedMs: 5 };
  },
  async readDirectory({ path }) {
    if (path === 'locked') throw Object.assign(new Error('no'), { code: 'NoPermissions' });
    if (path === 'sub') return [{ name: 'b.bin', type: file }];
    return [
      { name: 'sub', type: folder },
      { name: 'locked', type: folder },
      { name: 'linked', type: { kind: 'folder', isLink: true } },
      { name: 'dangling', type: { kind: 'other', isLink: true } },
      { name: 'gone.bin', type: file },
      { name: 'huge.bin', type: file },
    ];
  },
  readFile: async () => new Uint8Array([1, 2, 3, 4]),
};

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return FormatError.is(error) ? error.code : `no FormatError: ${String(error)}`;
}

describe('tree over an editor’s file system', () => {
  it('lists files, links and what cannot be read', async () => {
    const { entries, errors } = await (await createWorkspaceFileTree(files, 'root')).list();
    expect(entries.map(({ path, sizeBytes, error }) => [path, sizeBytes, error])).toEqual([
      ['dangling', 0, 'the link points at nothing'],
      ['gone.bin', 0, 'it does not exist'],
      ['huge.bin', limits.wholeFileBytes + 1, undefined],
      ['linked', 0, undefined],
      ['sub/b.bin', 4, undefined],
    ]);
    expect(errors).toEqual([{ path: 'locked', detail: 'no permission to read it' }]);
  });

  it('has no time that no date can hold', async () => {
    const stat: WorkspaceFileSystem['stat'] = async (params) => ({ ...(await files.stat(params)), modifiedMs: 1e17 });
    const { entries } = await (await createWorkspaceFileTree({ ...files, stat }, 'root')).list();
    expect(entries.map(({ modifiedMs }) => modifiedMs)).toEqual(entries.map(() => null));
  });

  it('reads small files whole and refuses large ones', async () => {
    const tree = await createWorkspaceFileTree(files, 'root');
    const source = await tree.open('sub/b.bin');
    expect([...(await source.read(1, 2))]).toEqual([2, 3]);
    expect(await codeOf(source.read(3, 2))).toBe('truncated');
    await source.close();
    expect(await codeOf(tree.open('huge.bin'))).toBe('unsupported');
    expect(await codeOf(tree.open('../b.bin'))).toBe('io');
  });

  it('is of one entry for a single file', async () => {
    const single: WorkspaceFileSystem = { ...files, stat: async () => ({ type: file, sizeBytes: 4, modifiedMs: null }) };
    const tree = await createWorkspaceFileTree(single, 'model.pt');
    expect((await tree.list()).entries.map(({ path }) => path)).toEqual(['model.pt']);
    expect((await tree.open('model.pt')).sizeBytes).toBe(4);
  });

  it('brings the partner of a single file along', async () => {
    const asked: string[] = [];
    const pair: WorkspaceFileSystem = {
      ...files,
      stat: async ({ path }) => ({ type: file, sizeBytes: path === '' ? 4 : 2, modifiedMs: null }),
      readFile: async ({ path }) => (asked.push(path), new Uint8Array(path === '' ? 4 : 2)),
    };
    const tree = await createWorkspaceFileTree(pair, 'text_document.idx');
    expect((await tree.list()).entries.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      ['text_document.bin', 2],
      ['text_document.idx', 4],
    ]);
    expect((await tree.open('text_document.bin')).sizeBytes).toBe(2);
    expect((await tree.open('text_document.idx')).sizeBytes).toBe(4);
    expect(asked).toEqual(['../text_document.bin', '']);
  });

  it('fails where there is nothing', async () => {
    const nothing: WorkspaceFileSystem = {
      ...files,
      stat: () => Promise.reject(Object.assign(new Error('no'), { code: 'FileNotFound' })),
    };
    expect(await codeOf(createWorkspaceFileTree(nothing, 'x'))).toBe('io');
  });
});
