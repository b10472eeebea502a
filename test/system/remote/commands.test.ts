/** Commands on addresses, as their users run them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { filesBelow } from '../../builders/diskTree.js';
import { type HubOptions, type HubServer, hubServer } from '../../builders/remote/hubServer.js';
import { type LocalServer, localServer } from '../../builders/remote/localServer.js';
import { stowageAt } from '../../builders/remote/stowageAt.js';

const token = `hf_${'Zq7'.repeat(11)}`;
let folder: string;
let hub: HubServer;
let environment: Record<string, string>;
const repository = (): string => path.join(folder, 'repository');

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-commands-'));
  cpSync(path.join(fixtureRoot, 'hf/trainer-sharded-safetensors/data/checkpoint-2'), repository(), { recursive: true });
});
afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startHub(options: HubOptions = {}): Promise<void> {
  hub = await hubServer(repository(), 'org/name', options);
  environment = { HOME: folder, HF_ENDPOINT: hub.origin };
}

describe('stowage verify of a repository on the Hub', () => {
  it('compares every file with what the Hub lists of it', async () => {
    await startHub({ redirectedBytes: 5_000 });
    const { status, stdout } = await stowageAt(environment, 'verify', 'hf://org/name', '--json', '--fetch-all');
    const report = JSON.parse(stdout) as VerificationReport;
    expect(report.files.map(({ status: each }) => each)).toEqual(report.files.map(() => 'same'));
    expect(report.files.every(({ coverage }) => coverage.bytes === coverage.of)).toBe(true);
    expect(status).toBe(0);
  });

  it('finds a file whose bytes are others than the Hub lists', async () => {
    const damaged = path.join(folder, 'damaged');
    cpSync(repository(), damaged, { recursive: true });
    for (const name of ['config.json', 'model-00001-of-00003.safetensors']) {
      const bytes = readFileSync(path.join(damaged, name));
      bytes[bytes.length - 2] = (bytes[bytes.length - 2] as number) ^ 1;
      writeFileSync(path.join(damaged, name), bytes);
    }
    await startHub({ sentFolder: damaged });
    const { status, stdout } = await stowageAt(environment, 'verify', 'hf://org/name', '--json', '--fetch-all');
    const { files } = JSON.parse(stdout) as VerificationReport;
    expect(files.filter((file) => file.status !== 'same').map((file) => [file.path, file.status])).toEqual([
      ['config.json', 'changed'],
      ['model-00001-of-00003.safetensors', 'changed'],
    ]);
    expect(stdout).toContain('the list of the Hub');
    expect(status).toBe(1);
  });
});

describe('a file that is not fetched', () => {
  it('is unreadable where files are verified, is asked for once, and counts as no byte that was read', async () => {
    await startHub({ refused: { path: 'model-00002', status: 401 } });
    const { status, stdout } = await stowageAt(environment, 'verify', 'hf://org/name', '--json', '--fetch-all');
    const { files, bytesHashed } = JSON.parse(stdout) as VerificationReport;
    const failed = files.filter((file) => file.status !== 'same');
    expect(failed.map((file) => [file.path, file.status])).toEqual([['model-00002-of-00003.safetensors', 'unreadable']]);
    expect(failed[0]?.reason).toContain('was not fetched');
    expect(bytesHashed).toBe(files.reduce((sum, file) => sum + (file.status === 'same' ? file.bytes : 0), 0));
    expect(hub.requests.filter(({ url }) => url.includes('model-00002'))).toHaveLength(1);
    expect(status).toBe(1);
  });

  it.each([
    [401, 'model-00002', 'it is private'],
    [404, 'config.json', 'there is no such file any more'],
  ])(
    'ends a command with the reason (%i of %s), as the report of the others would be of another model',
    async (status, name, reason) => {
      await startHub({ refused: { path: name, status } });
      const local = repository();
      const runs = [
        ['inspect', 'hf://org/name', '--json'],
        ['compare', local, 'hf://org/name', '--json', '--fail-on', 'difference'],
        ['values', 'hf://org/name', '--json'],
      ];
      for (const args of runs) {
        const ended = await stowageAt(environment, ...args);
        expect([ended.status, ended.stdout], args.join(' ')).toEqual([3, '']);
        expect(ended.stderr).toContain('was not fetched');
        expect(ended.stderr).toContain(reason);
      }
    },
  );
});

describe('what cannot be used', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a path of this machine', {}, ['verify', 'hf://org/name', '--create', '--output', 's3://bucket/out']],
    ['a path of this machine', {}, ['inspect', 'hf://org/name', '--header-cache', 's3://bucket/cache']],
    ['not an address', {}, ['verify', 'hf://org/name', '--nodes', '2']],
    ['there is no such profile', {}, ['inspect', 's3://bucket/x', '--profile', 'none']],
    ['is no endpoint', { AWS_ENDPOINT_URL: 'http://user:SECRET@host' }, ['inspect', 's3://bucket/x']],
    ['is no address of a store', { AZURE_STORAGE_BLOB_ENDPOINT: 'foo' }, ['inspect', 'az://container/x']],
    ['is no address of a store', { AZURE_STORAGE_BLOB_ENDPOINT: 'http://u:SECRET@h:99999/x' }, ['inspect', 'az://container/x']],
    ['not of its form', { AZURE_STORAGE_KEY: '*SECRET*' }, ['inspect', 'az://container/x']],
  ])('is named: %s', async (words, variables, args) => {
    await startHub();
    const ended = await stowageAt({ ...environment, AZURE_STORAGE_ACCOUNT: 'account', ...variables }, ...args);
    expect([2, 3]).toContain(ended.status);
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).not.toMatch(/SECRET|\n\s+at /);
  });
});

describe('what proves who asks', () => {
  it('is in no output and in no file of what runs with it', async () => {
    await startHub({ token, redirectedBytes: 5_000 });
    environment = { ...environment, HF_TOKEN: token };
    const cache = path.join(folder, 'cache');
    const runs = [
      ['inspect', 'hf://org/name', '--header-cache', cache],
      ['inspect', 'hf://org/name', '--json', '--tensors'],
      ['inspect', 'hf://org/name', '--markdown'],
      ['values', 'hf://org/name', '--json', '--fetch-all'],
      ['verify', 'hf://org/name', '--json', '--fetch-all'],
      ['compare', 'hf://org/name', 'hf://org/name', '--json'],
      ['runs', 'hf://org/name'],
      ['inspect', 'hf://org/name/no/such/file'],
      ['inspect', 'hf://org/other'],
    ];
    for (const args of runs) {
      const { stdout, stderr } = await stowageAt(environment, ...args);
      expect(stdout.length + stderr.length, args.join(' ')).toBeGreaterThan(20);
      expect(`${stdout}${stderr}`.includes(token), args.join(' ')).toBe(false);
    }
    expect(hub.requests.some(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    expect(hub.content.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    const files = Object.values(filesBelow(cache));
    expect(files.length).toBeGreaterThan(5);
    expect(files.every((bytes) => !Buffer.from(bytes).includes(token))).toBe(true);
  });

  it('is in no error of a store that sends back what it was sent', async () => {
    await startHub();
    const secret = 'S3cr3tKey/of+the=test0123456789abcdefghij';
    const session = 'SessionTokenOfTheTest0123456789';
    const echo: LocalServer = await localServer((request, response) => {
      const sent = JSON.stringify(request.headers);
      response
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(
          `<Error><Code>AccessDenied</Code><Message>${sent} ${secret}</Message><AWSAccessKeyId>AKIDOFTHETEST</AWSAccessKeyId></Error>`,
        );
    });
    try {
      const keys = { AWS_ACCESS_KEY_ID: 'AKIDOFTHETEST', AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session };
      const { status, stdout, stderr } = await stowageAt(
        { HOME: folder, AWS_ENDPOINT_URL: echo.origin, ...keys },
        'inspect',
        's3://bucket/run',
      );
      expect(status).not.toBe(0);
      expect(stderr).toContain('the access key may not read it');
      const signature = /Signature=([0-9a-f]{64})/.exec(echo.requests[0]?.headers.authorization ?? '')?.[1] ?? '';
      expect(signature).toHaveLength(64);
      for (const each of [secret, session, signature, 'AKIDOFTHETEST']) expect(`${stdout}${stderr}`).not.toContain(each);
    } finally {
      await echo.close();
    }
  });

  it('is in no report of an address that is signed', async () => {
    await startHub();
    const signature = 'sv=2024-01-01&sig=Abc%2FDEF%3Dxyz123';
    const web = await localServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://web');
      const name = path.basename(url.pathname);
      const bytes = filesBelow(repository())[name];
      if (!url.search.includes('sig=') || bytes === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-length': bytes.length }).end(request.method === 'HEAD' ? undefined : bytes);
    });
    try {
      for (const args of [['--json'], ['--markdown'], []]) {
        const address = `${web.origin}/model-00001-of-00003.safetensors?${signature}`;
        const { stdout, stderr } = await stowageAt({ HOME: folder }, 'inspect', address, ...args);
        expect(stdout).toContain('model-00001-of-00003.safetensors');
        expect(`${stdout}${stderr}`).not.toMatch(/Abc%2FDEF|Abc\/DEF/);
      }
    } finally {
      await web.close();
    }
  });
});
