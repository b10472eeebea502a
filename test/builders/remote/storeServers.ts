/** Servers of object stores on this machine, each with one bucket `fixtures`. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
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
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** @param folder for its objects */
export async function versityServer(binary: string, folder: string): Promise<StoreServer> {
  mkdirSync(path.join(folder, bucket), { recursive: true });
  const port = await freePort();
  const env = { ...process.env, ROOT_ACCESS_KEY: s3Keys.accessKeyId, ROOT_SECRET_KEY: s3Keys.secretAccessKey };
  const close = await started(binary, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--nometa', folder], port, env);
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  return {
    address: `s3://${bucket}`,
    access: {
      s3: () => Promise.resolve({ region: 'us-east-1', endpoint, keys: () => Promise.resolve(s3Keys), requesterPays: false }),
    },
    // Its objects are files of the folder.
    put(name, bytes) {
      const file = path.join(folder, bucket, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      return Promise.resolve();
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
    async put(name, bytes) {
      const query = new URLSearchParams({ uploadType: 'media', name });
      await succeeded(fetch(`${endpoint}/upload/storage/v1/b/${bucket}/o?${query.toString()}`, { method: 'POST', body: bytes }));
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
  const write = async (
    place: string,
    query: string,
    bytes: Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ): Promise<void> => {
    const sent = { ...headers, 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-12-02' };
    const authorization = writingProof(`/${azureAccount}/${azureAccount}/${bucket}${place}`, query, bytes.byteLength, sent);
    const address = `${endpoint}/${bucket}${place}${query === '' ? '' : `?${query}`}`;
    await succeeded(fetch(address, { method: 'PUT', headers: { ...sent, authorization }, body: bytes }));
  };
  await write('', 'restype=container', new Uint8Array(0), {});
  return {
    address: `az://${bucket}`,
    access: {
      azure: () => Promise.resolve({ account: azureAccount, endpoint, proof: { kind: 'key', key: azureKey } }),
    },
    put: (name, bytes) =>
      write(`/${name.split('/').map(encodeURIComponent).join('/')}`, '', bytes, { 'x-ms-blob-type': 'BlockBlob' }),
    close,
  };
}

/** Shared Key of a PUT ("Authorize with Shared Key"). */
function writingProof(resource: string, query: string, sizeBytes: number, headers: Readonly<Record<string, string>>): string {
  const special = Object.keys(headers)
    .sort()
    .map((name) => `${name}:${headers[name]}`);
  const length = sizeBytes === 0 ? '' : String(sizeBytes);
  const parameters = query === '' ? [] : [query.replace('=', ':')];
  const text = ['PUT', '', '', length, '', '', '', '', '', '', '', '', ...special, [resource, ...parameters].join('\n')].join(
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

async function succeeded(answer: Promise<Response>): Promise<void> {
  const { ok, status, url } = await answer;
  if (!ok) throw new Error(`${url}: ${status}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
