/**
 * huggingface.js on a local directory: `parseSafetensorsMetadata` reads from the Hub only, so its `fetch` is one that serves byte
 * ranges of local files, without a server in between. usage: huggingFaceHub.mjs PACKAGES DIR FILE
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [packages = '', directory = '', file = ''] = process.argv.slice(2);
const { parseSafetensorsMetadata } = createRequire(path.join(packages, 'package.json'))('@huggingface/hub');

const { Headers, Response } = globalThis;

/**
 * @param {any} input
 * @param {any} init
 */
async function localRanges(input, init) {
  const name = decodeURIComponent(new URL(String(input.url ?? input)).pathname.split('/').pop() ?? '');
  const local = path.join(directory, name);
  if (!existsSync(local)) return new Response('', { status: 404, headers: { 'X-Error-Code': 'EntryNotFound' } });
  const handle = openSync(local, 'r');
  try {
    const { size } = fstatSync(handle);
    const range = /bytes=(\d+)-(\d*)/.exec(new Headers(init?.headers).get('range') ?? '');
    const begin = range ? Number(range[1]) : 0;
    const end = Math.min(range?.[2] ? Number(range[2]) + 1 : size, size);
    const bytes = new Uint8Array(Math.max(end - begin, 0));
    readSync(handle, bytes, 0, bytes.byteLength, begin);
    const headers = {
      'Content-Range': `bytes ${begin}-${end - 1}/${size}`,
      'Content-Length': String(bytes.byteLength),
      ETag: '"local"',
    };
    return new Response(bytes, { status: range ? 206 : 200, headers });
  } finally {
    closeSync(handle);
  }
}

const begin = performance.now();
try {
  const result = await parseSafetensorsMetadata({
    repo: 'local/model',
    path: file,
    computeParametersCount: true,
    fetch: localRanges,
  });
  const workMs = performance.now() - begin;
  const headers = result.sharded ? Object.values(result.headers) : [result.header];
  const tensors = headers.reduce((sum, header) => sum + Object.keys(header).filter((key) => key !== '__metadata__').length, 0);
  process.stdout.write(JSON.stringify({ workMs, tensors }));
} catch (error) {
  process.stdout.write(JSON.stringify({ workMs: performance.now() - begin, tensors: 0, error: String(error) }));
}
