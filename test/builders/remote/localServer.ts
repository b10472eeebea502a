import { once } from 'node:events';
import { createReadStream, type Stats, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of this machine that keeps what was asked of it. */
export interface LocalServer {
  /** `http://127.0.0.1:port`. */
  origin: string;
  requests: { method: string; url: string; headers: http.IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** @param port any that is free without it */
export async function localServer(
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void,
  port = 0,
): Promise<LocalServer> {
  const requests: LocalServer['requests'] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a file, or the range of it that is asked for (RFC 9110, 14). */
export function sendFile(file: string, request: http.IncomingMessage, response: http.ServerResponse, hasRanges = true): void {
  let stats: Stats;
  try {
    stats = statSync(file);
  } catch {
    response.writeHead(404).end();
    return;
  }
  const tag = `"${stats.size}-${stats.mtimeMs}"`;
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== tag) {
    response.writeHead(412).end();
    return;
  }
  const headers = { etag: tag, 'last-modified': stats.mtime.toUTCString(), 'content-type': 'application/octet-stream' };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec((hasRanges && request.headers.range) || '') ?? [];
  if (first === undefined) {
    response.writeHead(200, { ...headers, 'content-length': stats.size });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
    return;
  }
  const [start, end] = [Number(first), Math.min(Number(last), stats.size - 1)];
  response.writeHead(206, {
    ...headers,
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${stats.size}`,
  });
  createReadStream(file, { start, end }).pipe(response);
}
