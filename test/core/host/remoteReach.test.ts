import { beforeEach, expect, it } from 'vitest';
import type { RemoteMaker } from '../../../src/host/remote/remoteMaker.js';
import { remoteFilesAt, remoteFoldersFor } from '../../../src/host/remote/remoteReach.js';
import { nodeRemoteFiles, nodeRemoteFolders } from '../../../src/platform/remote/nodeRemoteFiles.js';
import { standIn } from '../../builders/vscodeStandIn.js';

let made: string[] = [];
const maker: RemoteMaker = {
  files: (question) => (made.push('files'), Promise.resolve(nodeRemoteFiles({ question }))),
  folders: (question) => (made.push('folders'), Promise.resolve(nodeRemoteFolders({ question, hubToken: null }))),
};

beforeEach(() => {
  standIn.reset();
  made = [];
});

it('in Restricted Mode nothing of a store is opened without a yes', async () => {
  standIn.isTrusted = false;
  const folders = remoteFoldersFor(maker);
  await expect(folders()).rejects.toMatchObject({ code: 'cancelled' });
  await expect(folders()).rejects.toMatchObject({ code: 'cancelled' });
  await expect(remoteFilesAt(maker, 's3://bucket/run').listAll({})).rejects.toMatchObject({ code: 'cancelled' });
  expect(made).toEqual([]);
  // Once for all folders, and once for the address.
  expect(standIn.messages).toHaveLength(2);
});

it('folders of stores are made once, after a yes or in a trusted window', async () => {
  standIn.isTrusted = false;
  standIn.answer = 'Ask';
  const asked = remoteFoldersFor(maker);
  expect(await asked()).toBe(await asked());
  expect([made, standIn.messages.length]).toEqual([['folders'], 1]);
  standIn.isTrusted = true;
  await remoteFoldersFor(maker)();
  expect(standIn.messages).toHaveLength(1);
});
