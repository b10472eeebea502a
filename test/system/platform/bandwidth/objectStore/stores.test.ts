/** Checks on real servers of each kind of store: whatever happens, nothing of them stays. */
import { spawn } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeShape } from '../../../../../src/core/bandwidth/checkShape.js';
import { parseObjectStoreTarget } from '../../../../../src/core/bandwidth/objectStoreTarget.js';
import type { CheckHooks, CheckProgress, CheckRequest } from '../../../../../src/core/bandwidth/measurement.js';
import { makeMarker } from '../../../../../src/platform/bandwidth/checkMarker.js';
import { ObjectDirectory } from '../../../../../src/platform/bandwidth/objectStore/objectDirectory.js';
import { AzureObjects } from '../../../../../src/platform/bandwidth/objectStore/stores/azureObjects.js';
import { GoogleObjects } from '../../../../../src/platform/bandwidth/objectStore/stores/googleObjects.js';
import { openObjectStore } from '../../../../../src/platform/bandwidth/objectStore/stores/openObjectStore.js';
import { storeError } from '../../../../../src/platform/bandwidth/objectStore/storeError.js';
import { createObjectStoreService } from '../../../../../src/platform/bandwidth/objectStore/objectStoreService.js';
import { ensureAzurite, ensureFakeGoogleStorage, ensureVersityGateway } from '../../../../runner/ensureStores.mjs';
import { storeProxy, type StoreFault, type StoreProxy } from '../../../../builders/remote/storeProxy.js';
import { azureServer, googleServer, type StoreServer, versityServer } from '../../../../builders/remote/storeServers.js';
import { checkRequest } from '../../../../core/bandwidth/measurements.js';

const mebibyte = 1024 * 1024;
const never = new AbortController().signal;
const noChoices = { endpoint: null, region: null, profile: null };
const quiet: CheckHooks = { onProgress: () => undefined };

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-stores-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** What differs between the stores. */
interface StoreKind {
  name: string;
  type: 's3' | 'gs' | 'az';
  start: (() => Promise<StoreServer>) | string;
  /** The variable that has the endpoint. */
  endpoint: string;
  /** Of a part, in the line of its request. */
  part: RegExp;
  complete: RegExp;
  /** What the store answers to somebody who may not. */
  denied: { status: number; body: string };
}

const s3 = await ensureVersityGateway();
const google = await ensureFakeGoogleStorage();
const azure = await ensureAzurite();
const deniedXml = (code: string) => ({ status: 403, body: `<Error><Code>${code}</Code><Message>no &amp; no</Message></Error>` });

const kinds: StoreKind[] = [
  {
    name: 'S3',
    type: 's3',
    start: 'binary' in s3 ? () => versityServer(s3.binary, folder) : s3.missing,
    endpoint: 'AWS_ENDPOINT_URL_S3',
    part: /^PUT .*partNumber=2/,
    complete: /^POST .*uploadId=/,
    denied: deniedXml('AccessDenied'),
  },
  {
    name: 'Google Cloud Storage',
    type: 'gs',
    start: 'binary' in google ? () => googleServer(google.binary) : google.missing,
    endpoint: 'STORAGE_EMULATOR_HOST',
    part: /^POST .*name=.*stowage-part-0-00002-/,
    complete: /^POST .*\/compose/,
    denied: {
      status: 403,
      body: JSON.stringify({
        error: { code: 403, message: 'no access', errors: [{ reason: 'forbidden', message: 'no access' }] },
      }),
    },
  },
  {
    name: 'Azure Blob Storage',
    type: 'az',
    start: 'script' in azure ? () => azureServer(azure.script) : azure.missing,
    endpoint: 'AZURE_STORAGE_BLOB_ENDPOINT',
    // The second block, by its name.
    part: /^PUT .*comp=block&blockid=MDAwMDI/,
    complete: /^PUT .*comp=blocklist/,
    denied: deniedXml('AuthorizationPermissionMismatch'),
  },
];

for (const kind of kinds) onStore(kind);

function onStore({ name, type, start, endpoint, part, complete, denied }: StoreKind): void {
  if (typeof start === 'string') {
    console.warn(`\n*** NOT TESTED: bandwidth checks of ${name}, as there is no server: ${start} ***\n`);
    it(`has no ${name} to be tested on`, () => expect(start).not.toBe(''));
    return;
  }
  describe(`a check of ${name}`, () => {
    let store: StoreServer;
    let proxies: StoreProxy[] = [];
    let target = '';

    beforeAll(async () => {
      store = await start();
      target = `${store.address}/runs/seven`;
    });
    afterAll(() => store.close());
    afterEach(async () => {
      vi.unstubAllEnvs();
      for (const proxy of proxies) proxy.close();
      proxies = [];
      expect(await store.names()).toEqual([]);
    });

    const useStore = () => {
      vi.stubEnv('NO_PROXY', '*');
      for (const [variable, value] of Object.entries(store.environment)) vi.stubEnv(variable, value);
    };
    const service = () => {
      useStore();
      return createObjectStoreService(noChoices);
    };

    /** What a check left, though this process, which made it, is alive. */
    async function removeAll() {
      useStore();
      const objects = await openObjectStore(parseObjectStoreTarget(target), noChoices, 30_000);
      for (const left of await objects.listFolders('runs/seven/.stowage-bandwidth-', never))
        await (await ObjectDirectory.find(objects, left, never))?.remove();
      objects.connection.dispose();
    }

    /** The service behind a proxy, which sees `PUT /path?query` of each request. */
    async function between(answer: (line: string, headers: IncomingHttpHeaders) => StoreFault) {
      const made = service();
      const url = new URL(store.environment[endpoint] ?? '');
      const proxy = await storeProxy(url.origin, ({ method, url: place, headers }) => answer(`${method} ${place}`, headers));
      proxies.push(proxy);
      vi.stubEnv(endpoint, `${proxy.address}${url.pathname}`);
      return made;
    }

    function request(sizes: number[], streams: number, more: Partial<CheckRequest> = {}): CheckRequest {
      const files = sizes.map((sizeBytes, index) => ({ name: `rank ${index}.bin`, sizeBytes }));
      const shape = makeShape(files, null, 1e12, { streams, blockBytes: 5 * mebibyte }) ?? expect.fail();
      return { ...checkRequest, target, shape, repeats: 2, seconds: 60, smallFiles: 0, ...more };
    }
    const some = () => request([12 * mebibyte, 12 * mebibyte, 1 * mebibyte], 2);

    it('writes in parts, reads ranges back, compares, and leaves nothing', async () => {
      const phases = new Set<string>();
      const measured = await service().run(some(), { onProgress: ({ phase }) => void phases.add(phase) }, never);
      expect(measured.write.samples.map(({ bytes }) => bytes)).toEqual([25 * mebibyte, 25 * mebibyte]);
      expect(measured.read.samples.map(({ bytes }) => bytes)).toEqual([25 * mebibyte, 25 * mebibyte]);
      expect(measured.read).toMatchObject({ cache: 'possibly-cached', comparedBlocks: 14 });
      expect(measured.write.blocks.operations).toBe(14);
      expect(measured.write.syncs.operations).toBe(4);
      expect(phases).toEqual(new Set(['preparing', 'write', 'read', 'removing']));
    });

    it('tells what is known of the place, and writes nothing for that', async () => {
      const methods = new Set<string>();
      const seen = await between((line) => (methods.add(line.split(' ')[0] ?? ''), null));
      expect(await seen.facts(`${target}/`)).toMatchObject({
        path: target,
        fileSystem: { type, source: 'fixtures', freeBytes: null, totalBytes: null },
        others: [],
      });
      expect(methods).toEqual(new Set(['GET']));
    });

    it('says that the bucket is not there', async () => {
      const elsewhere = target.replace('fixtures', 'elsewhere');
      await expect(service().facts(elsewhere)).rejects.toMatchObject({ name: 'CheckError', code: 'not-found' });
      await expect(service().run({ ...some(), target: elsewhere }, quiet, never)).rejects.toMatchObject({ code: 'not-found' });
    });

    it('says that somebody may not write', async () => {
      const refusing = await between((line) => (line.startsWith('GET') ? null : denied));
      await expect(refusing.run(some(), quiet, never)).rejects.toMatchObject({ code: 'access-denied' });
      const listless = await between((line) => (line.startsWith('GET') ? denied : null));
      expect((await listless.facts(target)).others).toEqual([]);
    });

    it('says that a connection is refused', async () => {
      const made = service();
      vi.stubEnv(endpoint, 'http://127.0.0.1:1');
      await expect(made.facts(target)).rejects.toMatchObject({ code: 'io', detail: '127.0.0.1:1: connection refused' });
    });

    it('takes no endpoint, region or profile that the store does not have', async () => {
      service();
      const chosen = createObjectStoreService({ endpoint: null, region: 'eu-central-1', profile: null });
      const facts = chosen.facts(target);
      if (type === 's3') expect((await facts).others).toEqual([]);
      else await expect(facts).rejects.toMatchObject({ code: 'bad-setting', detail: '--region goes with s3://bucket/prefix' });
    });

    it('tries again what failed for a moment', async () => {
      let refusals = 0;
      const passing = await between((line) => (part.test(line) && refusals++ < 2 ? { status: 503, body: '' } : null));
      expect((await passing.run(some(), quiet, never)).io.writtenBytes).toBe(50 * mebibyte);
      expect(refusals).toBeGreaterThan(2);
    });

    it.each([
      ['a part', part, denied, 'access-denied'],
      ['a part, for good', part, { status: 500, body: '' }, 'io'],
      ['a part, as there is no space', part, { status: 507, body: '' }, 'space-ran-out'],
      ['the end of an upload', complete, denied, 'access-denied'],
      ['a range', /^GET .*rank_/, denied, 'access-denied'],
    ] as const)('removes everything when it is refused %s', async (_, refused, answer, code) => {
      const refusing = await between((line) => (refused.test(line) ? answer : null));
      await expect(refusing.run(some(), quiet, never)).rejects.toMatchObject({ code });
    });

    it('shows nothing of what proved who asks when the store repeats it, and not all of a long answer', async () => {
      const secrets = new Set<string>();
      const answer = (said: string) =>
        type === 'gs'
          ? JSON.stringify({ error: { message: said } })
          : `<Error><Code>Odd</Code><Message>${said}</Message></Error>`;
      const echoing = await between((line, { authorization = '' }) => {
        if (!part.test(line)) return null;
        for (const piece of authorization.split(/[ ,:]+|\w=/)) if (piece.length > 30 && !piece.includes(';')) secrets.add(piece);
        // Cut where the text of the answer is, a half of a secret would stay.
        return { status: 400, body: answer(`${'. '.repeat(130)}${authorization} ${authorization}`) };
      });
      const failed: unknown = await echoing.run(some(), quiet, never).catch((error: unknown) => error);
      const { detail } = failed as { detail: string };
      if (type !== 'gs') expect(secrets.size).toBeGreaterThan(0);
      for (const secret of secrets)
        for (let at = 0; at + 12 <= secret.length; at++) expect(detail).not.toContain(secret.slice(at, at + 12));
      expect(detail.length).toBeLessThan(400);
    });

    it.each([
      ['the marker', /^(PUT|POST) .*stowage-marker/],
      ['a part', part],
      ['the end of an upload', complete],
    ] as const)('removes what was written though no answer came: %s', async (_, lost) => {
      const losing = await between((line) => (lost.test(line) ? 'lost' : null));
      await expect(losing.run(some(), quiet, never)).rejects.toMatchObject({ code: 'io' });
    });

    it('goes by the proxy that the environment names, and says so', async () => {
      const made = service();
      let requests = 0;
      const proxy = await storeProxy(new URL(store.environment[endpoint] ?? '').origin, () => {
        requests += 1;
        return null;
      });
      proxies.push(proxy);
      vi.stubEnv('HTTP_PROXY', proxy.address);
      expect((await made.facts(target)).fileSystem.options).not.toContain('through a proxy');
      expect(requests).toBe(0);
      vi.stubEnv('NO_PROXY', '');
      vi.stubEnv('no_proxy', '');
      expect((await made.facts(target)).fileSystem.options).toContain('through a proxy');
      expect((await made.run(some(), quiet, never)).io.writtenBytes).toBe(50 * mebibyte);
      expect(requests).toBeGreaterThan(14);
    });

    it('ends when the store stops answering, and says what stays', async () => {
      let isSilent = false;
      const hanging = await between((line) => {
        if (part.test(line)) isSilent = true;
        return isSilent ? 'silent' : null;
      });
      const run = hanging.run(request([24 * mebibyte, 24 * mebibyte], 2, { seconds: 1 }), quiet, never);
      await expect(run).rejects.toMatchObject({
        code: 'not-removed',
        detail: expect.stringMatching(/\.stowage-bandwidth-[0-9a-f]{32}: .*: no response in time; .*--remove-left/) as string,
      });
      vi.unstubAllEnvs();
      await removeAll();
    });

    it('ends when other data come back than were written', async () => {
      const lying = await between((line) =>
        /^GET .*rank_2/.test(line) ? { status: 206, body: 'x'.repeat(1 * mebibyte) } : null,
      );
      await expect(lying.run(some(), quiet, never)).rejects.toMatchObject({ code: 'data-differ' });
    });

    it.each(['preparing', 'write', 'read'])('removes everything when it is cancelled while %s', async (phase) => {
      const cancelling = new AbortController();
      const onProgress = (now: CheckProgress): void => {
        if (now.phase === phase && phase !== 'write') setTimeout(() => cancelling.abort(), 0);
      };
      // In the middle of writing: one part has arrived, another is on its way.
      const seen = await between((line) => {
        if (phase === 'write' && part.test(line)) cancelling.abort();
        return null;
      });
      const run = seen.run(request([24 * mebibyte, 24 * mebibyte], 2), { onProgress }, cancelling.signal);
      await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    });

    it('finds and removes what a killed check has left, and nothing else', async () => {
      // Removals are refused, as if the process had ended before them.
      let isKilled = false;
      const dying = await between((line) => {
        if (isKilled) return denied;
        if (complete.test(line)) isKilled = true;
        return isKilled ? denied : null;
      });
      await expect(dying.run(some(), quiet, never)).rejects.toMatchObject({ code: 'not-removed' });
      const left = await store.names();
      expect(left.length).toBeGreaterThan(1);
      vi.unstubAllEnvs();
      const [other] = (await service().facts(target)).others;
      // Nothing was completed but the small file, at most.
      expect(other?.uploads).toBeGreaterThan(0);
      if (type === 'gs') expect(other?.bytes).toBeGreaterThanOrEqual(5 * mebibyte);
      expect(other).toMatchObject({ state: 'running', path: expect.stringContaining('/.stowage-bandwidth-') as string });
      await expect(service().removeLeft(other?.path ?? '')).rejects.toMatchObject({ code: 'not-removed' });
      // It was written by this process, which is alive; another one's number makes it one that is not.
      const gone = spawn('true');
      await new Promise((resolve) => gone.once('close', resolve));
      const checkFolder = `runs/seven/${path.basename(other?.path ?? '')}`;
      const marker = {
        ...(await makeMarker(
          some().shape.files.map(({ name: file }) => file),
          0,
        )),
        pid: gone.pid,
      };
      await store.put(`${checkFolder}/.stowage-marker.json`, new TextEncoder().encode(JSON.stringify(marker)));
      await store.put(`${checkFolder}/mine.txt`, new TextEncoder().encode('mine'));
      expect((await service().facts(target)).others).toMatchObject([{ state: 'left' }]);
      await expect(service().removeLeft(other?.path ?? '')).rejects.toMatchObject({
        code: 'not-removed',
        detail: `${checkFolder}/mine.txt is not of the check, and stays`,
      });
      expect(await store.names()).toEqual([`${checkFolder}/mine.txt`]);
      await store.remove(`${checkFolder}/mine.txt`);
    });

    // S3 puts all parts together in one request.
    if (type !== 's3') {
      it('writes more parts than one request puts together', async () => {
        const file = { name: 'large.bin', sizeBytes: 70 * 65_536 };
        const shape = makeShape([file], null, 1e12, { streams: 1, blockBytes: 65_536 }) ?? expect.fail();
        const { read } = await service().run({ ...some(), shape }, quiet, never);
        expect(read).toMatchObject({ comparedBlocks: 140 });
      });
    }

    it.each(['runs', '', `.stowage-bandwidth-${'0'.repeat(32)}`])(
      'removes nothing of a place without a marker: %s',
      async (place) => {
        await expect(service().removeLeft(`${store.address}/${place}`)).rejects.toMatchObject({ code: 'not-removed' });
      },
    );
  });
}

if ('binary' in google) {
  const { binary } = google;
  describe('Google Cloud Storage', () => {
    let store: StoreServer;
    beforeAll(async () => {
      store = await googleServer(binary);
    });
    afterAll(() => store.close());
    afterEach(() => vi.unstubAllEnvs());

    it('keeps no versions of what a check wrote in a bucket that keeps them, also where answers are lost', async () => {
      const endpoint = store.environment['STORAGE_EMULATOR_HOST'] ?? '';
      const headers = { 'content-type': 'application/json' };
      const bucket = JSON.stringify({ name: 'versioned', versioning: { enabled: true } });
      await fetch(`${endpoint}/storage/v1/b`, { method: 'POST', headers, body: bucket });
      const lost = new Set<string>();
      const proxy = await storeProxy(endpoint, ({ method, url = '' }) => {
        // The first answer to each part: it is written again, as a version of its own.
        if (method !== 'POST' || !url.includes('stowage-part') || lost.has(url)) return null;
        lost.add(url);
        return 'lost';
      });
      vi.stubEnv('STORAGE_EMULATOR_HOST', proxy.address);
      const files = [{ name: 'a.bin', sizeBytes: 40 * 65_536 }];
      const shape = makeShape(files, null, 1e12, { streams: 1, blockBytes: 65_536 }) ?? expect.fail();
      const made = createObjectStoreService({ endpoint: null, region: null, profile: null });
      await made.run({ ...checkRequest, target: 'gs://versioned/runs', shape, repeats: 2, seconds: 60 }, quiet, never);
      proxy.close();
      expect(lost.size).toBeGreaterThan(40);
      const answer = await fetch(`${endpoint}/storage/v1/b/versioned/o?versions=true`);
      expect(((await answer.json()) as { items?: unknown[] }).items ?? []).toEqual([]);
    });

    it.each([
      ['<Error><Code>ExpiredToken</Code><Message>it ended</Message></Error>', 'ExpiredToken: it ended'],
      ['Not so.\nMore', 'Not so.'],
      ['', 'the store answered 400'],
    ])('says what it answers in place of JSON: %j', async (body, detail) => {
      const proxy = await storeProxy('http://127.0.0.1:1', () => ({ status: 400, body }));
      const objects = new GoogleObjects('bucket', { endpoint: proxy.address, token: null, payingProject: null });
      const failed: unknown = await objects.list('runs/', never).catch((error: unknown) => error);
      objects.connection.dispose();
      proxy.close();
      expect(storeError(failed, 'host').detail).toBe(detail);
    });

    it('sends the token of a login, and never repeats it', async () => {
      const seen: unknown[] = [];
      const said = 'Bearer a-token-of-a-login is no login';
      const proxy = await storeProxy('http://127.0.0.1:1', ({ headers }) => {
        seen.push(headers.authorization);
        return { status: 401, body: JSON.stringify({ error: { message: said, errors: [{ reason: 'authError' }] } }) };
      });
      const access = { endpoint: proxy.address, token: () => Promise.resolve('a-token-of-a-login'), payingProject: null };
      const objects = new GoogleObjects('bucket', access);
      const failed: unknown = await objects.list('runs/', never).catch((error: unknown) => error);
      objects.connection.dispose();
      proxy.close();
      expect(seen).toEqual(['Bearer a-token-of-a-login']);
      expect(failed).toMatchObject({ status: 401, code: 'authError' });
      expect(String(failed)).not.toContain('a-token-of-a-login');
      expect(storeError(failed, 'host')).toMatchObject({ code: 'access-denied' });
    });
  });
}

if ('script' in azure) {
  const { script } = azure;
  describe('Azure Blob Storage', () => {
    let store: StoreServer;
    beforeAll(async () => {
      store = await azureServer(script);
    });
    afterAll(() => store.close());
    afterEach(() => vi.unstubAllEnvs());

    const wrongKey = btoa('a key of another account');

    it.each([
      ['a wrong key', { AZURE_STORAGE_KEY: wrongKey }, 'failed to authenticate'],
      ['no key', { AZURE_STORAGE_KEY: undefined, HOME: '/nowhere' }, '`az login` gives access'],
      ['no account', { AZURE_STORAGE_ACCOUNT: undefined }, 'no storage account is named'],
    ] as const)('is not written to with %s', async (_, variables, detail) => {
      for (const [name, value] of Object.entries({ ...store.environment, ...variables })) vi.stubEnv(name, value);
      const made = createObjectStoreService({ endpoint: null, region: null, profile: null });
      const failed: unknown = await made.facts('az://fixtures/runs').catch((error: unknown) => error);
      expect(failed).toMatchObject({
        name: 'CheckError',
        code: 'access-denied',
        detail: expect.stringContaining(detail) as string,
      });
      expect(String((failed as Error).message)).not.toContain(wrongKey);
    });

    it('removes blocks that are in no blob by an empty one, as the service deletes none that was never whole', async () => {
      for (const [name, value] of Object.entries(store.environment)) vi.stubEnv(name, value);
      const url = new URL(store.environment['AZURE_STORAGE_BLOB_ENDPOINT'] ?? '');
      const whole = new Set<string>();
      const proxy = await storeProxy(url.origin, ({ method, url: place = '' }) => {
        const [blob = '', query] = place.split('?');
        if (query?.includes('comp=blocklist') === true) return deniedXml('AuthorizationPermissionMismatch');
        if (method === 'PUT' && query === undefined) whole.add(blob);
        return method === 'DELETE' && !whole.has(blob) ? { status: 404, body: '' } : null;
      });
      vi.stubEnv('AZURE_STORAGE_BLOB_ENDPOINT', `${proxy.address}${url.pathname}`);
      const shape = makeShape([{ name: 'a.bin', sizeBytes: 3 * mebibyte }], null, 1e12, { streams: 1, blockBytes: mebibyte });
      const request = { ...checkRequest, target: 'az://fixtures/runs', shape: shape ?? expect.fail(), seconds: 60 };
      const made = createObjectStoreService({ endpoint: null, region: null, profile: null });
      await expect(made.run(request, quiet, never)).rejects.toMatchObject({ code: 'access-denied' });
      proxy.close();
      expect(await store.names()).toEqual([]);
    });

    it('never repeats a shared access signature', async () => {
      const proxy = await storeProxy('http://127.0.0.1:1', ({ url }) => ({
        status: 403,
        body: `<Error><Code>AuthenticationFailed</Code><Message>${url?.replaceAll('&', '&amp;')} with abc+def/ghi=</Message></Error>`,
      }));
      const query = 'sv=2021-12-02&sig=abc%2Bdef%2Fghi%3D';
      const access = { account: 'one', endpoint: proxy.address, proof: { kind: 'signature', query } as const };
      const objects = new AzureObjects('container', access);
      const failed: unknown = await objects.list('runs/', never).catch((error: unknown) => error);
      objects.connection.dispose();
      proxy.close();
      expect(failed).toMatchObject({ status: 403, code: 'AuthenticationFailed' });
      expect(String(failed)).not.toMatch(/abc(?:\+|%2B)def/);
    });
  });
}
