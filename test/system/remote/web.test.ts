import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type LocalServer, localServer, sendFile } from '../../builders/remote/localServer.js';
import { inspectLocal, inspectRemote, withoutPlace } from '../../builders/remote/remoteInspection.js';

let folder = '';
let server: LocalServer;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-web-'));
  cpSync(path.join(fixtureRoot, 'hf/llama-sharded-bf16/data'), folder, { recursive: true });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function serve(hasRanges = true): Promise<void> {
  server = await localServer((request, response) =>
    sendFile(path.join(folder, decodeURIComponent((request.url ?? '').split('?')[0] ?? '')), request, response, hasRanges),
  );
}

describe('a file of a web server', () => {
  it('has the report of the same file here, with those that belong to it', async () => {
    await serve();
    const name = 'model-00001-of-00003.safetensors';
    const { report } = await inspectRemote(`${server.origin}/${name}`);
    expect(withoutPlace(report)).toEqual(withoutPlace(await inspectLocal(path.join(folder, name))));
  });

  it('that is an index brings its shards', async () => {
    await serve();
    const { report } = await inspectRemote(`${server.origin}/model.safetensors.index.json`);
    const local = await inspectLocal(folder);
    if (report.kind !== 'checkpoint' || local.kind !== 'checkpoint') throw new Error('no checkpoint');
    expect(report.parameters).toEqual(local.parameters);
    expect(report.files.map(({ path: file }) => file)).toContain('model-00002-of-00003.safetensors');
  });

  it('keeps what is behind the question mark, and shows none of it', async () => {
    await serve();
    const { report } = await inspectRemote(`${server.origin}/config.json?token=secret-of-the-user`);
    expect(server.requests.every(({ url }) => url.endsWith('?token=secret-of-the-user'))).toBe(true);
    expect(JSON.stringify(report)).not.toContain('secret-of-the-user');
    await expect(inspectRemote(`${server.origin}/none?token=secret-of-the-user`)).rejects.toThrow(/^(?!.*secret-of-the-user)/);
  });

  it('is not read where the server has no ranges, unless it is small', async () => {
    await serve(false);
    const name = 'model-00001-of-00003.safetensors';
    appendFileSync(path.join(folder, name), Buffer.alloc(limits.remoteWholeBytes));
    await expect(inspectRemote(`${server.origin}/${name}`)).rejects.toThrow(`${name} was not fetched: the server has no ranges`);
  });

  it('whose address is signed for GET and for itself alone is read', async () => {
    const name = 'model-00001-of-00003.safetensors';
    server = await localServer((request, response) => {
      if (request.method !== 'GET' || request.url !== `/${name}?X-Amz-Signature=s`) response.writeHead(403).end();
      else sendFile(path.join(folder, name), request, response);
    });
    const { report } = await inspectRemote(`${server.origin}/${name}?X-Amz-Signature=s`);
    expect(report.kind === 'checkpoint' ? report.files.map(({ path: file }) => file) : []).toEqual([name]);
  });

  it('that is replaced while it is inspected is named', async () => {
    let changed = false;
    server = await localServer((request, response) => {
      if (!changed && request.method === 'GET') {
        changed = true;
        appendFileSync(path.join(folder, 'model-00001-of-00003.safetensors'), 'more');
      }
      sendFile(path.join(folder, request.url ?? ''), request, response);
    });
    const { report } = await inspectRemote(`${server.origin}/model-00001-of-00003.safetensors`);
    expect(report.findings.map(({ message }) => message).join()).toContain('it was replaced while it was inspected');
  });

  it('that is replaced by a longer one is named where the server has no tags', async () => {
    server = await localServer((request, response) => {
      const file = path.join(folder, request.url ?? '');
      if (request.method === 'GET') appendFileSync(file, 'more');
      const setHead = response.writeHead.bind(response) as (status: number, headers: object) => typeof response;
      response.writeHead = ((status: number, headers: Record<string, unknown> = {}) =>
        setHead(status, { ...headers, etag: 'W/"weak"' })) as typeof response.writeHead;
      sendFile(file, request, response);
    });
    const { report } = await inspectRemote(`${server.origin}/model-00001-of-00003.safetensors`);
    expect(report.findings.map(({ message }) => message).join()).toContain('it was replaced while it was inspected');
  });

  it('is not there', async () => {
    await serve();
    await expect(inspectRemote(`${server.origin}/none.safetensors`)).rejects.toThrow('there is no such file');
    await expect(inspectRemote('http://127.0.0.1:9/none.safetensors')).rejects.toThrow(/its host/);
  });
});

it('what takes many requests ends where the answer to the question is no', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `model-${String(at + 1).padStart(5, '0')}-of-00300.safetensors`);
  await serve();
  for (const name of many) cpSync(path.join(folder, 'model-00001-of-00003.safetensors'), path.join(folder, name));
  await expect(inspectRemote(`${server.origin}/${many[0]}`, { goesOn: false })).rejects.toThrow('than were agreed to');
  expect(server.requests.length).toBeLessThanOrEqual(limits.remoteQuestionRequests);
  const { counts } = await inspectRemote(`${server.origin}/${many[0]}`);
  expect(counts.requests).toBeGreaterThan(600);
});
