import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { type LocalServer, localServer, sendFile } from './localServer.js';

/** How a stand-in for the Hub behaves. */
export interface HubOptions {
  /** The answer to requests for files whose paths have this in them. */
  refused?: { path: string; status: number };
  /** Any that is free without it. */
  port?: number;
  /** Where what is sent lies, where that is not what is listed. */
  sentFolder?: string;
  /** What may be read only with it; absent where everybody may. */
  token?: string;
  gated?: boolean;
  /** Files from this size on are behind a redirect to another host, as those in LFS are. */
  redirectedBytes?: number;
  /** Whether these redirects are signed for the range that was asked for, as Xet's are. */
  isRangeBound?: boolean;
  /** Entries of a page of a listing. */
  pageEntries?: number;
}

/** A Hub with one model, and the host where its content is. */
export interface HubServer extends LocalServer {
  content: LocalServer;
}

export const hubCommit = '0123456789abcdef0123456789abcdef01234567';

/**
 * A stand-in for the Hub, after its public documentation: a repository out of a folder.
 * @param id `org/name`
 */
export async function hubServer(folder: string, id: string, options: HubOptions = {}): Promise<HubServer> {
  const { sentFolder = folder } = options;
  const content = await localServer((request, response) => sendContent(sentFolder, options, request, response));
  const hub = await localServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://hub');
    const refusal = refusalOf(options, request);
    if (refusal !== null) response.writeHead(refusal.status, { 'x-error-code': refusal.code }).end();
    else if (url.pathname.startsWith(`/api/models/${id}/revision/`)) sendRevision(url, id, response);
    else if (url.pathname.startsWith(`/api/models/${id}/tree/${hubCommit}`)) sendTree(folder, id, url, options, response);
    else if (url.pathname.startsWith(`/${id}/resolve/${hubCommit}/`)) {
      const name = decodeURIComponent(url.pathname.slice(`/${id}/resolve/${hubCommit}/`.length));
      resolve(sentFolder, name, content.origin, options, request, response);
    } else response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end();
  }, options.port);
  return {
    ...hub,
    content,
    async close() {
      await hub.close();
      await content.close();
    },
  };
}

function refusalOf({ token, gated }: HubOptions, { headers }: http.IncomingMessage): { status: number; code: string } | null {
  if (token === undefined || headers.authorization === `Bearer ${token}`) return null;
  return gated === true ? { status: 403, code: 'GatedRepo' } : { status: 401, code: 'RepoNotFound' };
}

function sendRevision(url: URL, id: string, response: http.ServerResponse): void {
  const revision = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  if (!['main', 'refs/pr/1'].includes(revision)) response.writeHead(404, { 'x-error-code': 'RevisionNotFound' }).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, sha: hubCommit }));
}

function sendTree(folder: string, id: string, url: URL, options: HubOptions, response: http.ServerResponse): void {
  const below = decodeURIComponent(url.pathname.slice(`/api/models/${id}/tree/${hubCommit}`.length).replace(/^\//, ''));
  const isRecursive = url.searchParams.get('recursive') === 'true';
  const items = itemsBelow(folder, below, isRecursive);
  if (items === null) {
    response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
    return;
  }
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const end = start + (options.pageEntries ?? 1000);
  const headers: http.OutgoingHttpHeaders = { 'content-type': 'application/json' };
  if (end < items.length) {
    url.searchParams.set('cursor', String(end));
    headers['link'] = `<${url.pathname}${url.search}>; rel="next"`;
  }
  response.writeHead(200, headers).end(JSON.stringify(items.slice(start, end)));
}

function itemsBelow(folder: string, below: string, isRecursive: boolean): object[] | null {
  const root = path.join(folder, below);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  return readdirSync(root, { withFileTypes: true, recursive: isRecursive }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (entry.isDirectory()) return { type: 'directory', path: name, size: 0, oid: '0'.repeat(40) };
    const bytes = readFileSync(file);
    const oid = gitBlob(bytes);
    if (bytes.length < lfsBytes) return { type: 'file', path: name, size: bytes.length, oid };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return {
      type: 'file',
      path: name,
      size: bytes.length,
      oid: gitBlob(Buffer.from(sha256)),
      lfs: { oid: sha256, size: bytes.length },
    };
  });
}

/** Larger files are in LFS. */
const lfsBytes = 10_000;

function gitBlob(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Sends a file, or leads to it, unless it is refused. */
function resolve(
  folder: string,
  name: string,
  contentOrigin: string,
  options: HubOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const { refused } = options;
  if (refused !== undefined && name.includes(refused.path)) {
    response.writeHead(refused.status).end();
    return;
  }
  const file = path.join(folder, name);
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeBytes < (options.redirectedBytes ?? Infinity)) {
    sendFile(file, request, response);
    return;
  }
  const place = new URL(`/content/${encodeURIComponent(name)}`, contentOrigin);
  place.searchParams.set('X-Amz-Signature', 'signed');
  if (options.isRangeBound === true) place.searchParams.set('X-Xet-Signed-Range', request.headers.range ?? '');
  response.writeHead(302, { location: place.toString() }).end();
}

function sendContent(folder: string, options: HubOptions, request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://content');
  const isBound = options.isRangeBound === true && url.searchParams.get('X-Xet-Signed-Range') !== request.headers.range;
  if (url.searchParams.get('X-Amz-Signature') !== 'signed' || isBound) response.writeHead(403).end();
  else sendFile(path.join(folder, decodeURIComponent(url.pathname.slice('/content/'.length))), request, response);
}
