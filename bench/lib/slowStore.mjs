/**
 * A store that speaks as much S3 as an inspection needs, and answers each request after a while: usage FOLDER DELAY_MS [MADE_OBJECTS].
 * Prints its port. `GET /counts` has the requests and the bytes since it was asked last.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const [folder = '.', delayMs = '0', made = '0'] = process.argv.slice(2);
const madeBytes = 1_000;
const pageKeys = 1_000;
const counts = { requests: 0, bytes: 0 };
const objects = Number(made) > 0 ? madeObjects(Number(made)) : objectsBelow(folder);

/** @param {number} count */
function madeObjects(count) {
  return Array.from({ length: count }, (_, at) => ({ key: `run/logs/part-${String(at).padStart(7, '0')}.log`, size: madeBytes }));
}

/** @param {string} root */
function objectsBelow(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ key: path.relative(root, file), size: statSync(file).size }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** @param {URL} url */
function listOf(url) {
  const prefix = url.searchParams.get('prefix') ?? '';
  const from = Number(url.searchParams.get('continuation-token') ?? 0);
  const all = objects.filter(({ key }) => key.startsWith(prefix));
  const next = from + pageKeys;
  const items = all
    .slice(from, next)
    .map(
      ({ key, size }) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;${size}&quot;</ETag><Size>${size}</Size></Contents>`,
    );
  const more = next < all.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${more !== ''}</IsTruncated>${more}${items.join('')}</ListBucketResult>`;
}

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 */
function answer(request, response) {
  const url = new URL(request.url ?? '', 'http://store');
  if (url.searchParams.has('list-type')) return response.end(listOf(url));
  const key = decodeURIComponent(url.pathname).replace(/^\/bucket\//, '');
  const size = objects.find((object) => object.key === key)?.size;
  if (size === undefined) return response.writeHead(404).end();
  const [, first = '0', last = String(size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Number(last)];
  counts.bytes += end - start + 1;
  response.writeHead(206, {
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${size}`,
    etag: `"${size}"`,
  });
  if (Number(made) > 0) return response.end(Buffer.alloc(end - start + 1));
  return createReadStream(path.join(folder, key), { start, end }).pipe(response);
}

const server = http.createServer((request, response) => {
  if (request.url === '/counts') {
    response.end(JSON.stringify(counts));
    Object.assign(counts, { requests: 0, bytes: 0 });
    return;
  }
  counts.requests += 1;
  setTimeout(() => answer(request, response), Number(delayMs));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`${port}\n`);
});
