import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { FormatError } from '../../core/bytes/formatError.js';
import { proxyAsksForLogin } from './proxyAsksForLogin.js';

/** Agents by scheme and proxy: their connections are kept. */
const agents = new Map<string, http.Agent>();

/**
 * `fetch` by way of the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, in capitals or not); redirects are not followed.
 * @throws FormatError `io` for a proxy that is not spoken or asks for a login, TypeError as `fetch` does
 */
export function throughProxy(url: string, request: RequestInit): Promise<Response> {
  const agent = proxyAgent(url);
  if (agent === null) return fetch(url, request);
  const { protocol } = new URL(url);
  const { method = 'GET', headers, signal, body } = request;
  const options = {
    method,
    agent,
    headers: Object.fromEntries(new Headers(headers)),
    ...(signal == null ? {} : { signal }),
  };
  return new Promise((resolve, reject) => {
    (protocol === 'https:' ? https : http)
      .request(url, options, (answer) => {
        if (answer.statusCode === 407) reject(new FormatError('io', proxyAsksForLogin));
        else resolve(responseOf(answer));
      })
      .on('error', (cause: NodeJS.ErrnoException) => reject(proxyError(cause) ?? new TypeError('fetch failed', { cause })))
      .end(typeof body === 'string' ? body : undefined);
  });
}

/** What keeps from reaching the proxy: hosts behind it are reached by it alone. Null for what may come from either. */
function proxyError({ code = '' }: NodeJS.ErrnoException): FormatError | null {
  if (code === 'ECONNREFUSED') return new FormatError('io', 'the proxy of the environment refuses the connection');
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    ? new FormatError('io', 'the proxy of the environment has no address')
    : null;
}

/**
 * Connections by the proxy that the environment names for an address; null without one.
 * @throws FormatError `io` for a proxy that is not spoken
 */
export function proxyAgent(url: string): http.Agent | null {
  const proxy = getProxyForUrl(url);
  return proxy === '' ? null : agentOf(new URL(url).protocol, proxy);
}

function agentOf(protocol: string, proxy: string): http.Agent {
  const key = `${protocol} ${proxy}`;
  const known = agents.get(key);
  if (known !== undefined) return known;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol))
    throw new FormatError('io', 'the proxy of the environment is not one by http:// or https://, which are spoken');
  const agent = new (protocol === 'https:' ? HttpsProxyAgent : HttpProxyAgent)(proxy, { keepAlive: true });
  agents.set(key, agent);
  return agent;
}

function responseOf(answer: http.IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
  const status = answer.statusCode ?? 500;
  const hasBody = ![204, 205, 304].includes(status) && answer.headers['content-length'] !== '0';
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null, { status, headers });
}
