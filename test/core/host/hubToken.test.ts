import { beforeEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { hubToken, setHubTokenCommand } from '../../../src/host/remote/hubToken.js';
import { remoteMakerFor, type RemoteSupport } from '../../../src/host/remote/remoteMaker.js';
import type { RemoteFiles } from '../../../src/platform/remote/remoteFiles.js';
import type { RemoteFolders } from '../../../src/platform/remote/remoteFolders.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';

const kept = new Map<string, string>();
const secrets = {
  get: (name: string) => Promise.resolve(kept.get(name)),
  store: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
  delete: (name: string) => Promise.resolve(void kept.delete(name)),
} as unknown as vscode.SecretStorage;

beforeEach(() => {
  standIn.reset();
  kept.clear();
});

it('a token is kept as a secret, and removed by an empty one', async () => {
  expect(await hubToken({ secrets })).toBeNull();
  standIn.answer = ' hf_abc ';
  await setHubTokenCommand({ secrets });
  expect(await hubToken({ secrets })).toBe('hf_abc');
  standIn.answer = undefined;
  await setHubTokenCommand({ secrets });
  expect(await hubToken({ secrets })).toBe('hf_abc');
  standIn.answer = '';
  await setHubTokenCommand({ secrets });
  expect(kept.size).toBe(0);
});

it('what asks stores has the token and the folder for headers, unless they are not to be kept', async () => {
  const given: RemoteSupport[] = [];
  const client = {
    files: (support: RemoteSupport) => (given.push(support), Promise.resolve({} as RemoteFiles)),
    folders: (support: RemoteSupport) => (given.push(support), Promise.resolve({} as RemoteFolders)),
  };
  kept.set('stowage.hubToken', 'hf_abc');
  const maker = remoteMakerFor({ globalStorageUri: Uri.file('/storage'), secrets } as unknown as vscode.ExtensionContext, client);
  const question = () => Promise.resolve(false);
  await maker.files(question);
  standIn.write('file:///storage/headers/kept', 'of before');
  standIn.settings.set('stowage.remote.headerCache', false);
  await maker.folders(question);
  expect(given).toEqual([
    { question, hubToken: 'hf_abc', cacheFolder: '/storage/headers' },
    { question, hubToken: 'hf_abc', cacheFolder: null },
  ]);
  expect(standIn.files.size).toBe(0);
});
