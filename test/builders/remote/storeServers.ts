/** Servers of object stores on this machine, each with one bucket `fixtures`. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { RemoteAccess } from '../../../src/platform/remote/remoteAccess.js';
import { until } from '../until.js';

export const bucket = 'fixtures';
export const s3Keys = { accessKeyId: 'AKSTOWAGETEST', secretAccessKey: 'a secret/of+the=test', sessionToken: null };
/** Azurite's account and its key, which its documentation gives. */
const azureAccount = 'devstoreaccount1';
const azureKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export interface StoreServer {
  /** The bucket as an address. */
  address: string;
  access: Partial<RemoteAccess>;
  /** The same as variables, by which programs find the store. */
  environment: Readonly<Record<string, string>>;
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Names of all that the server keeps in the bucket, unfinished uploads included. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

/** @param folder for its objects */
export async function versityServer(binary: string, folder: string): Promise<StoreServer> {
  mkdirSync(path.join(folder, bucket), { recursive: true });
  const port = await freePort();
  const env = { ...process.env, ROOT_ACCESS_KEY: s3Keys.accessKeyId, ROOT_SECRET_KEY: s3Keys.secretAccessKey };
  const close = await started(binary, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', folder], port, env);
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  return {
    address: `s3://${bucket}`,
    access: {
      s3: () => Promise.resolve({ region: 'us-east-1', endpoint, keys: () => Promise.resolve(s3Keys), requesterPays: false }),
    },
    environment: {
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      AWS_ENDPOINT_URL_S3: endpoint.origin,
      AWS_REGION: 'us-east-1',
    },
    // Its objects are files of the folder.
    put(name, bytes) {
      const file = path.join(folder, bucket, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      return Promise.resolve();
    },
    remove(name) {
      rmSync(path.join(folder, bucket, name));
      return Promise.resolve();
    },
    names() {
      const entries = readdirSync(path.join(folder, bucket), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return Promise.resolve(
        files.map(({ parentPath, name }) => path.relative(path.join(folder, bucket), path.join(parentPath, name))),
      );
    },
    close,
  };
}

export async function googleServer(binary: string): Promise<StoreServer> {
  const port = await freePort();
  const close = await started(
    binary,
    ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-backend', 'memory'],
    port,
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const headers = { 'content-type': 'application/json' };
  await succeeded(fetch(`${endpoint}/storage/v1/b`, { method: 'POST', headers, body: JSON.stringify({ name: bucket }) }));
  return {
    address: `gs://${bucket}`,
    access: { google: () => Promise.resolve({ endpoint, token: null, payingProject: null }) },
    environment: { STORAGE_EMULATOR_HOST: endpoint },
    async put(name, bytes) {
      const query = new URLSearchParams({ uploadType: 'media', name });
      await succeeded(fetch(`${endpoint}/upload/storage/v1/b/${bucket}/o?${query.toString()}`, { method: 'POST', body: bytes }));
    },
    async remove(name) {
      await succeeded(fetch(`${endpoint}/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`, { method: 'DELETE' }));
    },
    async names() {
      const answer = await fetch(`${endpoint}/storage/v1/b/${bucket}/o?versions=true`);
      const { items = [] } = (await answer.json()) as { items?: { name: string }[] };
      return items.map(({ name }) => name);
    },
    close,
  };
}

export async function azureServer(script: string): Promise<StoreServer> {
  const port = await freePort();
  const args = [
    script,
    '--silent',
    '--inMemoryPersistence',
    '--skipApiVersionCheck',
    '--disableTelemetry',
    '--blobPort',
    String(port),
  ];
  const close = await started(process.execPath, args, port);
  const endpoint = `http://127.0.0.1:${port}/${azureAccount}`;
  const send = async (
    method: 'GET' | 'PUT' | 'DELETE',
    place: string,
    query: string,
    bytes: Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ): Promise<string> => {
    const sent = { ...headers, 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-12-02' };
    const resource = `/${azureAccount}/${azureAccount}/${bucket}${place}`;
    const authorization = sharedKeyProof(method, resource, query, bytes.byteLength, sent);
    const address = `${endpoint}/${bucket}${place}${query === '' ? '' : `?${query}`}`;
    const body = method === 'PUT' ? { body: bytes } : {};
    return succeeded(fetch(address, { method, headers: { ...sent, authorization }, ...body }));
  };
  await send('PUT', '', 'restype=container', new Uint8Array(0), {});
  return {
    address: `az://${bucket}`,
    access: {
      azure: () => Promise.resolve({ account: azureAccount, endpoint, proof: { kind: 'key', key: azureKey } }),
    },
    environment: { AZURE_STORAGE_ACCOUNT: azureAccount, AZURE_STORAGE_KEY: azureKey, AZURE_STORAGE_BLOB_ENDPOINT: endpoint },
    async put(name, bytes) {
      await send('PUT', placeOf(name), '', bytes, { 'x-ms-blob-type': 'BlockBlob' });
    },
    async remove(name) {
      await send('DELETE', placeOf(name), '', new Uint8Array(0), {});
    },
    async names() {
      const listed = await send('GET', '', 'comp=list&include=uncommittedblobs&restype=container', new Uint8Array(0), {});
      return [...listed.matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name = '']) => name);
    },
    close,
  };
}

function placeOf(blob: string): string {
  return `/${blob.split('/').map(encodeURIComponent).join('/')}`;
}

/** "Authorize with Shared Key". @param query its parameters in the order of the alphabet */
function sharedKeyProof(
  method: string,
  resource: string,
  query: string,
  sizeBytes: number,
  headers: Readonly<Record<string, string>>,
): string {
  const special = Object.keys(headers)
    .sort()
    .map((name) => `${name}:${headers[name]}`);
  const length = sizeBytes === 0 ? '' : String(sizeBytes);
  const parameters = query === '' ? [] : query.split('&').map((one) => one.replace('=', ':'));
  const text = [method, '', '', length, '', '', '', '', '', '', '', '', ...special, [resource, ...parameters].join('\n')].join(
    '\n',
  );
  const signature = createHmac('sha256', Buffer.from(azureKey, 'base64')).update(text, 'utf8').digest('base64');
  return `SharedKey ${azureAccount}:${signature}`;
}

async function started(program: string, args: string[], port: number, env = process.env): Promise<() => Promise<void>> {
  const server = spawn(program, args, { env, stdio: 'ignore' });
  const over = once(server, 'close');
  await until('the store answers', () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return async () => {
    server.kill('SIGTERM');
    await over;
  };
}

async function succeeded(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.text();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
