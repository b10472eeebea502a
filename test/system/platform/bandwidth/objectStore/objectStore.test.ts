/** Checks of an object store on a real server, which verifies signatures and keeps its objects in a folder that is looked at. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeShape } from '../../../../../src/core/bandwidth/checkShape.js';
import type { CheckHooks, CheckProgress, CheckRequest } from '../../../../../src/core/bandwidth/measurement.js';
import { makeMarker } from '../../../../../src/platform/bandwidth/checkMarker.js';
import { createObjectStoreService } from '../../../../../src/platform/bandwidth/objectStore/objectStoreService.js';
import { S3Client } from '../../../../../src/platform/objectStore/s3Client.js';
import { ensureVersityGateway } from '../../../../runner/ensureStores.mjs';
import { storeProxy, type StoreProxy } from '../../../../builders/remote/storeProxy.js';
import { until } from '../../../../builders/until.js';
import { checkRequest } from '../../../../core/bandwidth/measurements.js';

const gateway = await ensureVersityGateway();

if ('missing' in gateway) {
  console.warn(`\n*** NOT TESTED: bandwidth checks of object stores, as there is no server: ${gateway.missing} ***\n`);
  it('has no object store to be tested on', () => expect(gateway.missing).not.toBe(''));
} else {
  describe('a check of an object store', () => onServer(gateway.binary));
}

const mebibyte = 1024 * 1024;
const keys = { accessKeyId: 'AKSTOWAGETEST', secretAccessKey: 'a secret/of+the=test' };

function onServer(binary: string): void {
  let scratch = '';
  let bucketFolder = '';
  let port = 0;
  let server: ChildProcess;
  let proxies: StoreProxy[] = [];

  async function startServer(): Promise<void> {
    const versions = ['--versioning-dir', path.join(scratch, 'versions')];
    const args = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', 'posix', ...versions, path.join(scratch, 'root')];
    const env = { ...process.env, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey };
    server = spawn(binary, args, { env, stdio: 'ignore' });
    await until('the server answers', () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    );
  }

  async function stopServer(signal: NodeJS.Signals): Promise<void> {
    const over = new Promise((resolve) => server.once('close', resolve));
    if (server.kill(signal)) await over;
  }

  beforeAll(async () => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-store-')));
    bucketFolder = path.join(scratch, 'root', 'bucket');
    mkdirSync(bucketFolder, { recursive: true });
    mkdirSync(path.join(scratch, 'root', 'versioned'));
    mkdirSync(path.join(scratch, 'versions'));
    // Nothing of the user's own is asked: neither variables nor files.
    const files = {
      AWS_CONFIG_FILE: path.join(scratch, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: path.join(scratch, 'credentials'),
    };
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    for (const [name, file] of Object.entries(files)) vi.stubEnv(name, file);
    const credentials = `[default]\naws_access_key_id = ${keys.accessKeyId}\naws_secret_access_key = ${keys.secretAccessKey}\n`;
    writeFileSync(
      files.AWS_SHARED_CREDENTIALS_FILE,
      `${credentials}[wrong]\naws_access_key_id=${keys.accessKeyId}\naws_secret_access_key=no\n`,
    );
    writeFileSync(files.AWS_CONFIG_FILE, '[default]\nregion = us-east-1\n[profile process]\ncredential_process = touch evil\n');
    port = await freePort();
    await startServer();
    const body = Buffer.from('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>');
    await asSomebody('versioned', { method: 'PUT', key: '', query: { versioning: '' }, body });
  });
  afterAll(async () => {
    await stopServer('SIGKILL');
    vi.unstubAllEnvs();
    rmSync(scratch, { recursive: true, force: true });
  });
  beforeEach(() => (proxies = []));
  afterEach(() => {
    for (const proxy of proxies) proxy.close();
  });

  const service = (endpoint = `http://127.0.0.1:${port}`, profile: string | null = null) =>
    createObjectStoreService({ endpoint, region: null, profile });

  function request(sizes: number[], streams: number, more: Partial<CheckRequest> = {}): CheckRequest {
    const files = sizes.map((sizeBytes, index) => ({ name: `rank ${index}.bin`, sizeBytes }));
    const shape = makeShape(files, null, 1e12, { streams, blockBytes: 5 * mebibyte });
    if (shape === null) throw new Error('there is space');
    return { ...checkRequest, target: 's3://bucket/runs/seven', shape, repeats: 2, seconds: 60, smallFiles: 0, ...more };
  }

  const some = () => request([12 * mebibyte, 12 * mebibyte, 1 * mebibyte], 2);
  const never = new AbortController().signal;
  const quiet: CheckHooks = { onProgress: () => undefined };

  /** Objects and parts of uploads, in the server's own folder. */
  function objects(): string[] {
    const entries = readdirSync(bucketFolder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(path.relative(bucketFolder, entry.parentPath), entry.name));
  }

  /** What the server itself lists. */
  async function listed(): Promise<{ keys: number; uploads: number }> {
    return {
      keys: (await list('bucket', { 'list-type': '2' }, 'Key')).length,
      uploads: (await list('bucket', { uploads: '' }, 'Upload')).length,
    };
  }

  async function list(bucket: string, query: Record<string, string>, element: string): Promise<string[]> {
    const text = await asSomebody(bucket, { method: 'GET', key: '', query });
    return text.split(`<${element}>`).slice(1);
  }

  /** Versions of objects, and the marks that hide them. */
  async function versions(): Promise<string[]> {
    const found = [
      await list('versioned', { versions: '' }, 'Version'),
      await list('versioned', { versions: '' }, 'DeleteMarker'),
    ];
    return found.flat();
  }

  async function expectNothingLeft(): Promise<void> {
    expect(objects()).toEqual([]);
    expect(await listed()).toEqual({ keys: 0, uploads: 0 });
  }

  async function between(answer: Parameters<typeof storeProxy>[1], hooks?: Parameters<typeof storeProxy>[2]): Promise<string> {
    const proxy = await storeProxy(`http://127.0.0.1:${port}`, answer, hooks);
    proxies.push(proxy);
    return proxy.address;
  }

  const refused = (status: number, code: string) => ({
    status,
    body: `<Error><Code>${code}</Code><Message>no &amp; no</Message></Error>`,
  });

  it('writes in parts, reads ranges back, compares, and leaves nothing', async () => {
    const seen: string[] = [];
    const sizes: number[] = [];
    const endpoint = await between(({ method, url, headers }) => {
      const { pathname, searchParams } = new URL(url ?? '', 'http://store');
      const kind = searchParams.has('partNumber')
        ? 'part'
        : searchParams.has('uploads')
          ? 'uploads'
          : searchParams.has('uploadId')
            ? 'upload'
            : 'object';
      const isData = pathname.includes('rank_');
      if (isData) seen.push(`${method} ${kind}${headers.range === undefined ? '' : ' range'}`);
      if (isData && method === 'PUT') sizes.push(Number(headers['content-length']));
      return null;
    });
    const progress: CheckProgress[] = [];
    const phases: string[] = [];
    const measurement = await service(endpoint).run(
      some(),
      { onProgress: (now) => void progress.push(now), barrier: async (phase) => void phases.push(phase) },
      never,
    );
    const bytes = 25 * mebibyte;
    expect(measurement.write.samples.map((sample) => sample.bytes)).toEqual([bytes, bytes]);
    expect(measurement.read.samples.map((sample) => sample.bytes)).toEqual([bytes, bytes]);
    expect(measurement.read).toMatchObject({ cache: 'possibly-cached', comparedBlocks: 14 });
    expect(measurement).toMatchObject({ metadata: null, io: { writtenBytes: 2 * bytes, readBytes: 2 * bytes } });
    expect(measurement.write.blocks.operations).toBe(14);
    expect(measurement.write.syncs.operations).toBe(4);
    const times = (what: string): number => seen.filter((one) => one === what).length;
    expect(times('PUT part')).toBe(12);
    expect(times('POST uploads')).toBe(4);
    expect(times('POST upload')).toBe(4);
    expect(times('PUT object')).toBe(2);
    expect(times('GET object range')).toBe(14);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2 * bytes);
    expect(phases).toEqual(['write-1', 'read-1', 'write-2', 'read-2']);
    expect(new Set(progress.map(({ phase }) => phase))).toEqual(new Set(['preparing', 'write', 'read', 'removing']));
    await expectNothingLeft();
  });

  it('tells what is known of the place, and writes nothing for that', async () => {
    const methods: string[] = [];
    const endpoint = await between(({ method }) => (methods.push(method ?? ''), null));
    expect(await service(endpoint).facts('s3://bucket/runs/')).toMatchObject({
      path: 's3://bucket/runs',
      fileSystem: { type: 's3', source: 'bucket', freeBytes: null, totalBytes: null },
      others: [],
    });
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  it.each([
    ['a bucket that is not there', 's3://elsewhere/a', null, 'not-found', 'NoSuchBucket'],
    ['a wrong key', 's3://bucket/a', 'wrong', 'access-denied', 'SignatureDoesNotMatch'],
    ['no key', 's3://bucket/a', 'none', 'access-denied', 'there is no access key of profile none'],
    ['a key that a program would tell', 's3://bucket/a', 'process', 'access-denied', 'credential_process'],
    ['no bucket', 's3:///a', null, 'bad-setting', 'names no bucket'],
    ['a way out', 's3://bucket/a/../b', null, 'bad-setting', '".."'],
  ])('says what is wrong: %s', async (_, target, profile, code, detail) => {
    await expect(service(undefined, profile).facts(target)).rejects.toMatchObject({
      name: 'CheckError',
      code,
      detail: expect.stringContaining(detail) as string,
    });
    await expect(service(undefined, profile).run({ ...some(), target }, quiet, never)).rejects.toMatchObject({ code });
    expect(existsSync('evil')).toBe(false);
    await expectNothingLeft();
  });

  it('says when the connection is refused', async () => {
    await expect(service('http://127.0.0.1:1').facts('s3://bucket')).rejects.toMatchObject({
      code: 'io',
      detail: '127.0.0.1:1: connection refused',
    });
  });

  it('says that the clocks differ', async () => {
    const endpoint = await between(() => refused(403, 'RequestTimeTooSkewed'));
    await expect(service(endpoint).facts('s3://bucket')).rejects.toMatchObject({
      code: 'access-denied',
      detail: expect.stringContaining('The clocks of this machine and of the store differ') as string,
    });
  });

  it('never repeats a key that the store repeats', async () => {
    const endpoint = await between(({ headers }) => ({
      status: 400,
      body: `<Error><Code>Bad</Code><Message>signed by ${String(headers.authorization)} with ${keys.secretAccessKey}</Message></Error>`,
    }));
    const failed: unknown = await service(endpoint)
      .facts('s3://bucket')
      .catch((error: unknown) => error);
    expect(String((failed as { detail?: string }).detail)).toMatch(/signed by .*\(masked\).* with \(masked\)/);
    expect(JSON.stringify(failed)).not.toContain(keys.secretAccessKey);
  });

  it('tries again what failed for a moment', async () => {
    let refusals = 0;
    const endpoint = await between(({ method, url }) =>
      method === 'PUT' && url?.includes('partNumber=2') === true && refusals++ < 2 ? refused(503, 'SlowDown') : null,
    );
    const { io } = await service(endpoint).run(some(), quiet, never);
    expect(io.writtenBytes).toBe(50 * mebibyte);
    expect(io.dataWaitShare).toBeNull();
    expect(io.busyShare).toBeGreaterThan(0);
    expect(io.busyShare).toBeLessThanOrEqual(1);
    expect(refusals).toBeGreaterThan(2);
    await expectNothingLeft();
  });

  it.each([
    ['the beginning of an upload', { method: 'POST', part: 'uploads=' }, { status: 403, code: 'AccessDenied' }, 'access-denied'],
    ['a part', { method: 'PUT', part: 'partNumber=2' }, { status: 403, code: 'AccessDenied' }, 'access-denied'],
    ['a part, for good', { method: 'PUT', part: 'partNumber=2' }, { status: 500, code: 'InternalError' }, 'io'],
    ['the end of an upload', { method: 'POST', part: 'uploadId=' }, { status: 500, code: 'InternalError' }, 'io'],
    [
      'a part, as the quota is reached',
      { method: 'PUT', part: 'partNumber=3' },
      { status: 403, code: 'QuotaExceeded' },
      'space-ran-out',
    ],
    ['a range', { method: 'GET', part: 'rank_' }, { status: 403, code: 'AccessDenied' }, 'access-denied'],
  ])('removes everything when it is refused %s', async (_, refusedRequest, { status, code }, expected) => {
    const endpoint = await between(({ method, url }) =>
      method === refusedRequest.method && url?.includes(refusedRequest.part) === true ? refused(status, code) : null,
    );
    await expect(service(endpoint).run(some(), quiet, never)).rejects.toMatchObject({ code: expected });
    await expectNothingLeft();
  });

  it('takes an answer of success with an error in it for what it is', async () => {
    const endpoint = await between(({ method, url }) =>
      method === 'POST' && url?.includes('uploadId=') === true ? { status: 200, body: refused(200, 'InternalError').body } : null,
    );
    await expect(service(endpoint).run(some(), quiet, never)).rejects.toMatchObject({ code: 'io' });
    await expectNothingLeft();
  });

  it('ends when other data come back than were written', async () => {
    const endpoint = await between(({ method, headers }) => {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
      return method === 'GET' && to !== undefined ? { status: 206, body: 'x'.repeat(Number(to) - Number(from) + 1) } : null;
    });
    await expect(service(endpoint).run(some(), quiet, never)).rejects.toMatchObject({ code: 'data-differ' });
    await expectNothingLeft();
  });

  it.each(['preparing', 'write', 'read', 'removing'])('removes everything when it is cancelled while %s', async (phase) => {
    const cancelling = new AbortController();
    const onProgress = (now: CheckProgress): void => {
      if (now.phase === phase && phase !== 'write') setTimeout(() => cancelling.abort(), 0);
    };
    // In the middle of writing: one part has arrived, another is on its way.
    const endpoint = await between(({ method, url }) => {
      if (phase === 'write' && method === 'PUT' && url?.includes('partNumber=2') === true) cancelling.abort();
      return null;
    });
    const run = service(endpoint).run(request([24 * mebibyte, 24 * mebibyte], 2), { onProgress }, cancelling.signal);
    // Once everything is measured, there is nothing to be cancelled any more.
    if (phase === 'removing') await run;
    else await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    await expectNothingLeft();
  });

  it('stops where it is when the time is over, and says so', async () => {
    const slow = request(
      Array.from({ length: 40 }, () => 5 * mebibyte),
      1,
      { seconds: 1e-6, repeats: 1 },
    );
    const { write, read } = await service().run(slow, quiet, never);
    expect(write.samples[0]).toMatchObject({ isCut: true });
    expect(write.samples[0]?.bytes).toBeGreaterThan(0);
    expect(write.samples[0]?.bytes).toBeLessThan(slow.shape.totalBytes);
    expect(read.samples[0]?.bytes).toBeLessThanOrEqual(write.samples[0]?.bytes ?? 0);
    await expectNothingLeft();
  });

  it('refuses parts that no store takes, before it writes', async () => {
    const { shape } = some();
    await expect(service().run({ ...some(), shape: { ...shape, blockBytes: mebibyte } }, quiet, never)).rejects.toMatchObject({
      code: 'bad-setting',
    });
    await expectNothingLeft();
  });

  it('says what stays when the server dies, and removes that, and nothing else, later', async () => {
    let isKilled = false;
    const onProgress = ({ phase, done }: CheckProgress): void => {
      if (phase !== 'write' || done === 0 || isKilled) return;
      isKilled = true;
      server.kill('SIGKILL');
    };
    const run = service().run(
      request(
        Array.from({ length: 8 }, () => 24 * mebibyte),
        2,
      ),
      { onProgress },
      never,
    );
    await expect(run).rejects.toMatchObject({ code: 'not-removed' });
    await startServer();
    const { others } = await service().facts('s3://bucket/runs/seven');
    expect(others).toMatchObject([
      { path: expect.stringMatching(/^s3:\/\/bucket\/runs\/seven\/\.stowage-bandwidth-[0-9a-f]{32}$/) as string },
    ]);
    const [other] = others;
    const folder = path.join(bucketFolder, 'runs', 'seven', path.basename(other?.path ?? ''));
    // It was written by this process, which is alive; another one's number makes it one that is not.
    const marker = path.join(folder, '.stowage-marker.json');
    expect(other?.state).toBe('running');
    await expect(service().removeLeft(other?.path ?? '')).rejects.toMatchObject({ code: 'not-removed' });
    const text = (await import('node:fs')).readFileSync(marker, 'utf8');
    const gone = spawn('true');
    await new Promise((resolve) => gone.once('close', resolve));
    await put(
      `runs/seven/${path.basename(folder)}/.stowage-marker.json`,
      text.replace(`"pid":${process.pid}`, `"pid":${gone.pid}`),
    );
    await put(`runs/seven/${path.basename(folder)}/mine.txt`, 'not of the check');
    expect((await service().facts('s3://bucket/runs/seven')).others[0]?.state).toBe('left');
    await expect(service().removeLeft(other?.path ?? '')).rejects.toMatchObject({
      code: 'not-removed',
      detail: expect.stringContaining('mine.txt') as string,
    });
    // Killed while it put an upload together, the server keeps the parts under a name of its own, and no client can ask for them again.
    const known = objects().filter((file) => !/^\.sgwtmp\/.*\.inprogress\//.test(file));
    expect(known).toEqual([path.join('runs', 'seven', path.basename(folder), 'mine.txt')]);
    expect(await listed()).toEqual({ keys: 1, uploads: 0 });
    rmSync(path.join(bucketFolder, 'runs'), { recursive: true });
    rmSync(path.join(bucketFolder, '.sgwtmp'), { recursive: true, force: true });
  });

  it.each(['s3://bucket/runs', 's3://bucket', `s3://bucket/.stowage-bandwidth-${'0'.repeat(32)}`])(
    'removes nothing of %s',
    async (target) => {
      await put('runs/mine.txt', 'mine');
      await expect(service().removeLeft(target)).rejects.toMatchObject({ code: 'not-removed' });
      expect(statSync(path.join(bucketFolder, 'runs', 'mine.txt')).size).toBe(4);
      rmSync(path.join(bucketFolder, 'runs'), { recursive: true });
    },
  );

  describe('in a bucket that keeps versions', () => {
    const target = 's3://versioned/runs';

    it('leaves none of them', async () => {
      await service().run({ ...some(), target }, quiet, never);
      expect(await versions()).toEqual([]);
    });

    it.each(['.stowage-marker.json', 'rank_2.bin'])('leaves none whose answers were lost: %s', async (name) => {
      let lost = 0;
      const endpoint = await between(({ method, url }) => (method === 'PUT' && url?.includes(name) === true ? 'lost' : null), {
        onLost: () => (lost += 1),
      });
      await expect(service(endpoint).run({ ...some(), target }, quiet, never)).rejects.toMatchObject({ code: 'io' });
      expect(lost).toBeGreaterThan(0);
      expect(await versions()).toEqual([]);
    });

    it('removes those that a killed check has left, and no others', async () => {
      const gone = spawn('true');
      await new Promise((resolve) => gone.once('close', resolve));
      const folder = `runs/.stowage-bandwidth-${'5'.repeat(32)}`;
      const marker = { ...(await makeMarker(['rank_0.bin'], 0)), pid: gone.pid };
      await put(`${folder}/.stowage-marker.json`, JSON.stringify(marker), 'versioned');
      for (const text of ['once', 'again']) await put(`${folder}/rank_0.bin`, text, 'versioned');
      await put('runs/mine.txt', 'mine', 'versioned');
      await service().removeLeft(`s3://versioned/${folder}`);
      const left = await versions();
      expect(left).toHaveLength(1);
      expect(left[0]).toContain('mine.txt');
      await asSomebody('versioned', {
        method: 'DELETE',
        key: 'runs/mine.txt',
        query: { versionId: /<VersionId>([^<]+)/.exec(left[0] ?? '')?.[1] ?? '' },
      });
    });
  });

  /** As somebody else would. */
  async function put(key: string, text: string, bucket = 'bucket'): Promise<void> {
    await asSomebody(bucket, { method: 'PUT', key, body: Buffer.from(text) });
  }

  async function asSomebody(bucket: string, request: Omit<Parameters<S3Client['send']>[0], 'signal'>): Promise<string> {
    const client = new S3Client(bucket, {
      ...keys,
      sessionToken: null,
      region: 'us-east-1',
      endpoint: new URL(`http://127.0.0.1:${port}`),
    });
    const { body } = await client.send({ ...request, signal: never });
    client.connection.dispose();
    return body.toString('utf8');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
