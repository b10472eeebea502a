import http from 'node:http';
import { type LocalServer, localServer } from './localServer.js';

/** What may go wrong between a client and a server, and what the client can notice of it. */
export const faults = [
  'unavailable',
  'too many requests',
  'cut before the answer',
  'cut midway',
  'another range',
  'more bytes',
  'without end',
  'a web page',
  'packed',
  'another version',
  'a redirect in a circle',
  'forbidden',
  'gone',
] as const;

export type Fault = (typeof faults)[number];

/** A proxy to an origin, which lets requests through or spoils their answers. @param next the fault of a request; null for none */
export function faultyServer(origin: string, next: (url: string) => Fault | null): Promise<LocalServer> {
  return localServer((request, response) => {
    const { method, url = '', headers } = request;
    const fault = next(url);
    if (fault !== null && spoilBefore(fault, url, response)) return;
    http
      .request(new URL(url, origin), { method, headers: { ...headers, host: new URL(origin).host } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => sendSpoiled(fault, answer, Buffer.concat(parts), response));
      })
      .end();
  });
}

/** Faults for which the server is not asked at all. */
function spoilBefore(fault: Fault, url: string, response: http.ServerResponse): boolean {
  switch (fault) {
    case 'unavailable':
      response.writeHead(503).end('<html>busy</html>');
      return true;
    case 'too many requests':
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    case 'cut before the answer':
      response.destroy();
      return true;
    case 'a web page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>');
      return true;
    case 'another version':
      response.writeHead(412).end();
      return true;
    case 'a redirect in a circle':
      response.writeHead(302, { location: url }).end();
      return true;
    case 'forbidden':
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    case 'gone':
      response.writeHead(404).end();
      return true;
    default:
      return false;
  }
}

function sendSpoiled(fault: Fault | null, answer: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
  const headers = { ...answer.headers };
  const status = answer.statusCode ?? 500;
  switch (fault) {
    case 'cut midway':
      response.writeHead(status, headers);
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'another range': {
      const range = headers['content-range'];
      response.writeHead(status, { ...headers, ...(range !== undefined && { 'content-range': 'bytes 1-2/1000000' }) }).end(body);
      return;
    }
    case 'more bytes':
      delete headers['content-length'];
      response.writeHead(status, headers).end(Buffer.concat([body, Buffer.alloc(64)]));
      return;
    case 'without end': {
      delete headers['content-length'];
      response.writeHead(status, headers);
      const chunk = Buffer.alloc(65_536, 32);
      const more = (): void => {
        if (!response.destroyed) response.write(chunk, more);
      };
      response.write(body, more);
      return;
    }
    case 'packed':
      response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(body);
      return;
    default:
      response.writeHead(status, headers).end(body);
  }
}
