import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { nodeRemoteAccess } from '../../../src/platform/remote/access/nodeRemoteAccess.js';
import { nodeHttp } from '../../../src/platform/remote/nodeHttp.js';
import { RemoteFolders } from '../../../src/platform/remote/remoteFolders.js';
import { type HubServer, hubServer } from '../../builders/remote/hubServer.js';

let folder = '';
let hub: HubServer;
let folders: RemoteFolders;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-folders-'));
  mkdirSync(path.join(folder, 'step-1/deep'), { recursive: true });
  writeFileSync(path.join(folder, 'config.json'), '{}');
  writeFileSync(path.join(folder, 'step-1/model.bin'), 'weights');
  writeFileSync(path.join(folder, 'step-1/deep/empty'), '');
  hub = await hubServer(folder, 'org/name', { pageEntries: 1_000 });
  const access = { ...nodeRemoteAccess(), hub: () => Promise.resolve({ endpoint: hub.origin, token: null }) };
  folders = new RemoteFolders(nodeHttp, access, () => Promise.resolve(true));
});
afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});

it('a folder of a store has its files and folders, asked for once', async () => {
  const root = await folders.folder('hf://org/name');
  expect([[...root.files.keys()], [...root.folders]]).toEqual([['config.json'], ['step-1']]);
  expect(await folders.file('hf://org/name/config.json')).toMatchObject({ sizeBytes: 2 });
  expect(await folders.file('hf://org/name/step-1')).toBeNull();
  expect(await folders.file('hf://org/name')).toBeNull();
  expect(hub.requests).toHaveLength(2);
  const below = await folders.folder('hf://org/name/step-1');
  expect([[...below.files.keys()], [...below.folders]]).toEqual([['model.bin'], ['deep']]);
  expect(new TextDecoder().decode(await folders.read('hf://org/name/step-1/model.bin', 100))).toBe('weights');
  expect(await folders.read('hf://org/name/step-1/deep/empty', 100)).toHaveLength(0);
});

it.each([
  ['hf://org/name/none', 'there is no such file'],
  ['hf://org/name/step-1/none', 'there is no such file'],
  ['hf://org/other/config.json', 'there is no model org/other'],
  ['https://example.com/config.json', 'a web server has no folders'],
])('%s is not there: %s', async (address, words) => {
  await expect(folders.file(address)).rejects.toThrow(words);
});

it('a file that is too large to be opened is not fetched', async () => {
  truncateSync(path.join(folder, 'config.json'), limits.remoteOpenedBytes + 1);
  await expect(folders.read('hf://org/name/config.json', limits.remoteOpenedBytes)).rejects.toMatchObject({
    code: 'limit-exceeded',
  });
  expect(hub.requests.filter(({ url }) => url.includes('/resolve/'))).toEqual([]);
  await expect(folders.read('hf://org/name/step-1', 100)).rejects.toThrow('it is a folder');
});

it('of a folder with very many files some are listed, and the others are found by name', async () => {
  for (let at = 0; at <= limits.remoteFolderEntries; at += 1) writeFileSync(path.join(folder, `file-${at}`), '');
  mkdirSync(path.join(folder, 'zz'));
  writeFileSync(path.join(folder, 'zz/last'), 'x');
  const { files, isCut } = await folders.folder('hf://org/name');
  expect(isCut).toBe(true);
  expect(files.size).toBeLessThanOrEqual(limits.remoteFolderEntries + 1_000);
  expect(await folders.file('hf://org/name/zz')).toBeNull();
});
