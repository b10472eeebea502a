import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as FsPromises from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { windowsSystem } from '../../../src/platform/os/windows.js';

// What Windows answers for a reparse point that is no link, as files of deduplicated volumes and mounted volumes are.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof FsPromises>()),
  readlink: (file: string) => Promise.reject(Object.assign(new Error(`EINVAL: readlink ${file}`), { code: 'EINVAL' })),
}));

let root: string;

beforeEach(() => (root = mkdtempSync(path.join(os.tmpdir(), 'stowage-reparse-'))));
afterEach(() => rmSync(root, { recursive: true }));

it('reads a reparse point that is no link as the file that it is, and follows none that is a directory', async () => {
  mkdirSync(path.join(root, 'store'));
  writeFileSync(path.join(root, 'store', 'chunk'), 'hello');
  symlinkSync('store/chunk', path.join(root, 'model.bin'));
  symlinkSync('store', path.join(root, 'volume'));
  const tree = await createNodeFileTree(root, null, windowsSystem());
  const { entries } = await tree.list();
  expect(entries.map(({ path: file, sizeBytes, error, link }) => [file, sizeBytes, error, link?.isDirectory])).toEqual([
    ['model.bin', 5, undefined, undefined],
    ['store/chunk', 5, undefined, undefined],
    ['volume', 0, undefined, true],
  ]);
});
