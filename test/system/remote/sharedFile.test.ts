/** A file that was shared without the folder around it: lists are refused, the file is not. */
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import type http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RemoteAccess } from '../../../src/platform/remote/remoteAccess.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type LocalServer, localServer, sendFile } from '../../builders/remote/localServer.js';
import { inspectLocal, inspectRemote, withoutPlace } from '../../builders/remote/remoteInspection.js';

const folder = path.join(fixtureRoot, 'hf/trainer-sharded-safetensors/data/checkpoint-2');
const name = 'model-00001-of-00003.safetensors';
let server: LocalServer;
afterEach(() => server.close());

/** Answers requests for one file, and refuses all others. */
function send(key: string, request: http.IncomingMessage, response: http.ServerResponse): void {
  if (key === `run/${name}`) sendFile(path.join(folder, name), request, response);
  else response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
}

const stores: Record<string, { answer: typeof send; access: (origin: string) => Partial<RemoteAccess>; address: string }> = {
  S3: {
    address: `s3://bucket/run/${name}`,
    answer: (url, request, response) => send(url.replace(/^\/bucket\//, ''), request, response),
    access: (origin) => ({
      s3: () => Promise.resolve({ region: 'us-east-1', endpoint: new URL(origin), keys: null, requesterPays: false }),
    }),
  },
  Azure: {
    address: `https://account.blob.core.windows.net/container/run/${name}?sp=r&sr=b&sig=secret`,
    answer: (url, request, response) => send(url.replace(/^\/container\//, ''), request, response),
    access: (origin) => ({
      azure: () =>
        Promise.resolve({
          account: 'account',
          endpoint: origin,
          proof: { kind: 'signature' as const, query: 'sp=r&sr=b&sig=secret' },
        }),
    }),
  },
  'Google Cloud Storage': {
    address: `gs://bucket/run/${name}`,
    answer(url, request, response) {
      const key = decodeURIComponent(url.replace(/^\/storage\/v1\/b\/bucket\/o\/?/, ''));
      const isFacts = key === `run/${name}` && !(request.url ?? '').includes('alt=media');
      if (isFacts)
        response.end(JSON.stringify({ name: key, size: String(statSync(path.join(folder, name)).size), generation: '7' }));
      else send(key, request, response);
    },
    access: (origin) => ({ google: () => Promise.resolve({ endpoint: origin, token: null, payingProject: null }) }),
  },
};

it.each(Object.entries(stores))('in %s is inspected by itself', async (_, { address, access, answer }) => {
  server = await localServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    answer(searchParams.has('list-type') || searchParams.get('comp') === 'list' ? '' : pathname, request, response);
  });
  const { report } = await inspectRemote(address, { access: access(server.origin) });
  expect(JSON.stringify(report)).not.toContain('secret');
  const alone = mkdtempSync(path.join(tmpdir(), 'stowage-shared-'));
  try {
    cpSync(path.join(folder, name), path.join(alone, name));
    expect(withoutPlace(report)).toEqual(withoutPlace(await inspectLocal(path.join(alone, name))));
  } finally {
    rmSync(alone, { recursive: true });
  }
  const other = address.replace(name, 'other.safetensors');
  await expect(inspectRemote(other, { access: access(server.origin) })).rejects.toThrow(/may not|not public|not valid/);
});
