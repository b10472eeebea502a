import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/**
 * Receives the results of tests that run inside an extension host: one POST with JSON. The web host has no other way out, so that
 * both kinds of host use this one. It has files of the workspace too, by ranges, for pages of every origin.
 * @returns {Promise<{ url: string, results: Promise<HostResults>, serve: (folder: string) => void, close: () => void }>}
 *
 * @typedef {object} HostResults
 * @property {string[]} passed
 * @property {{ name: string, error: string }[]} failures
 * @property {string[]} notes
 * @property {{ name: string, seconds: number }[]} timings
 */
export async function startResultServer() {
  /** @type {(results: HostResults) => void} */
  let receive;
  /** @type {Promise<HostResults>} */
  const results = new Promise((resolve) => (receive = resolve));
  let served = '';
  const server = http.createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-expose-headers', 'content-range, etag');
    if (request.method === 'GET' || request.method === 'HEAD') return void sendFile(served, request, response);
    if (request.method !== 'POST') return void response.end();
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      response.end();
      receive(JSON.parse(body));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/results`,
    results,
    serve: (folder) => void (served = folder),
    close: () => void server.close(),
  };
}

/**
 * @param {string} folder
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 */
function sendFile(folder, request, response) {
  const { pathname } = new URL(request.url ?? '', 'http://files');
  let bytes;
  try {
    bytes = readFileSync(path.join(folder, path.normalize(decodeURIComponent(pathname))));
  } catch {
    return response.writeHead(404).end();
  }
  const headers = { etag: `"${bytes.length}"`, 'content-type': 'application/octet-stream' };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined)
    return response
      .writeHead(200, { ...headers, 'content-length': bytes.length })
      .end(request.method === 'GET' ? bytes : undefined);
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  return response.writeHead(206, { ...headers, 'content-length': part.length, 'content-range': range }).end(part);
}
