import { FormatError, throwIfCancelled } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { Semaphore } from '../semaphore.js';
import { HttpError } from './httpError.js';
import { changedWords } from './remoteStore.js';
import type { RequestBudget } from './requestBudget.js';

export interface HttpRequest {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** These bytes of the file alone; without it all of the answer. */
  range?: ByteRange;
  /** Of an answer without a range; `limits.storeAnswerBytes` without it. */
  mostBytes?: number;
  signal?: AbortSignal | undefined;
  /** Makes the headers anew for each try, as signatures have the time in them. */
  sign?(url: string, headers: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
}

export interface ByteRange {
  offset: number;
  length: number;
  /** Bytes of the whole file, which an answer states too: another size is another file. */
  sizeBytes?: number;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Of the first answer, where redirects were followed by hand. */
  firstHeaders: Headers;
  bytes: Uint8Array;
  /** Where the answer came from in the end; without what is behind its question mark in anything that is shown. */
  url: string;
}

/** Tries of one request, the first included. */
const tries = 5;
const firstPauseMs = 250;
/** A server that asks for a longer pause is not waited for. */
const longestPauseMs = 60_000;
/** Without a byte. */
const silenceMs = 30_000;
const mostRedirects = 5;
/** Of a refusal: enough for its code. */
const refusalBytes = 64 * 1024;

/** What a session runs on. */
export interface HttpEnvironment {
  fetch(url: string, request: RequestInit): Promise<Response>;
  /** True where redirects cannot be followed by hand: a browser drops credentials on the way to another host by itself. */
  followsRedirects: boolean;
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Requests to one store: few at once, tried again where that may help, their answers checked against what was asked for. */
export class HttpSession {
  readonly #slots = new Semaphore(limits.remoteRequests);

  constructor(
    private readonly environment: HttpEnvironment,
    readonly budget: RequestBudget,
  ) {}

  /**
   * Sends a request, a few times where trying again may help: nothing that is sent here changes anything.
   * @throws HttpError for a refusal, FormatError `io` without an answer or for one that is not what was asked for, `cancelled`, `limit-exceeded`
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const release = await this.#slots.acquire(request.signal);
    try {
      for (let attempt = 1; ; attempt += 1) {
        await this.budget.take(request.range?.length ?? 0);
        throwIfCancelled(request.signal);
        try {
          return await this.#sendOnce(request);
        } catch (error) {
          throwIfCancelled(request.signal);
          const pauseMs = pauseBefore(error, attempt);
          if (pauseMs === null) throw asFormatError(error);
          await this.environment.pause(pauseMs, request.signal ?? new AbortController().signal);
          throwIfCancelled(request.signal);
        }
      }
    } finally {
      release();
    }
  }

  async #sendOnce(request: HttpRequest): Promise<HttpAnswer> {
    const silence = new AbortController();
    const signal = request.signal === undefined ? silence.signal : AbortSignal.any([request.signal, silence.signal]);
    const watch = new Watch(() => silence.abort());
    try {
      const { response, firstHeaders } = await this.#follow(request, signal);
      watch.heard();
      if (!response.ok) throw await refusalOf(response, watch);
      const bytes = await this.#bytesOf(response, request, watch);
      this.budget.counts.receivedBytes += bytes.byteLength;
      return { ...answerOf(response), firstHeaders, bytes };
    } catch (error) {
      // What is left of an answer that was refused is not waited for.
      silence.abort();
      throw error;
    } finally {
      watch.end();
    }
  }

  #bytesOf(response: Response, request: HttpRequest, watch: Watch): Promise<Uint8Array> {
    if (request.method === 'HEAD') return Promise.resolve(new Uint8Array(0));
    checkEncoding(response);
    return request.range === undefined ? this.#whole(response, request, watch) : rangeOf(response, request.range, watch);
  }

  async #whole(response: Response, request: HttpRequest, watch: Watch): Promise<Uint8Array> {
    const mostBytes = request.mostBytes ?? limits.storeAnswerBytes;
    const bytes = await bodyOf(response, mostBytes, watch);
    if (bytes === null) throw new FormatError('limit-exceeded', `the answer has more than ${mostBytes} bytes`);
    const declared = Number(response.headers.get('content-length') ?? bytes.byteLength);
    if (declared !== bytes.byteLength) throw new BrokenAnswer('the answer ended early');
    return bytes;
  }

  /** Follows redirects by hand where that is possible: what proves who asks goes to no other host. */
  async #follow(request: HttpRequest, signal: AbortSignal): Promise<{ response: Response; firstHeaders: Headers }> {
    const { followsRedirects } = this.environment;
    const range = request.range && { range: `bytes=${request.range.offset}-${request.range.offset + request.range.length - 1}` };
    let headers: Readonly<Record<string, string>> = { ...request.headers, ...range };
    let url = request.url;
    let firstHeaders: Headers | undefined;
    for (let redirects = 0; ; redirects += 1) {
      const isFirst = redirects === 0;
      const signed = isFirst ? await signedBy(request, url, headers) : headers;
      const response = await this.environment.fetch(url, {
        method: request.method ?? 'GET',
        headers: { 'accept-encoding': 'identity', ...signed },
        redirect: followsRedirects ? 'follow' : 'manual',
        credentials: 'omit',
        cache: 'no-store',
        signal,
        ...(request.body === undefined || !isFirst ? {} : { body: request.body }),
      });
      firstHeaders ??= response.headers;
      const target = response.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || target === null) return { response, firstHeaders };
      await response.body?.cancel();
      const next = URL.canParse(target, url) ? new URL(target, url) : null;
      if (redirects >= mostRedirects || next === null || !/^https?:$/.test(next.protocol))
        throw new FormatError('io', 'the server redirects to nowhere');
      if (next.protocol === 'http:' && url.startsWith('https:'))
        throw new FormatError('io', 'the server redirects from https to http, which is not followed');
      if (next.origin !== new URL(url).origin) headers = { ...range };
      url = next.toString();
      await this.budget.take(0);
    }
  }
}

/** @throws FormatError `io` for keys and logins that are not of their form: trying again does not help */
async function signedBy(
  request: Pick<HttpRequest, 'sign'>,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  try {
    return (await request.sign?.(url, headers)) ?? headers;
  } catch (error) {
    if (FormatError.is(error)) throw error;
    throw new FormatError('io', 'the key or login that is set cannot be used: it is not of its form', { cause: error });
  }
}

/** The connection broke, or what came is not all: trying again may help. */
class BrokenAnswer extends Error {}

/** Ends a request on which nothing comes any more. */
class Watch {
  #timer: ReturnType<typeof setTimeout>;
  constructor(private readonly giveUp: () => void) {
    this.#timer = setTimeout(this.giveUp, silenceMs);
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.giveUp, silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function answerOf({ status, headers, url }: Response): Pick<HttpAnswer, 'status' | 'headers' | 'url'> {
  return { status, headers, url };
}

async function refusalOf(response: Response, watch: Watch): Promise<HttpError> {
  const bytes = await bodyOf(response, refusalBytes, watch).catch(() => null);
  return new HttpError(response.status, response.headers, new TextDecoder().decode(bytes ?? new Uint8Array(0)));
}

/** `fetch` would unpack it, and places in it would be those of other bytes. */
function checkEncoding({ headers }: Response): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new FormatError('io', `the server sends the file packed as ${encoding.slice(0, 20)}, so that its bytes have no places`);
}

/** The bytes of a range, if the answer is that range (RFC 9110, 14.4 and 15.3.7). */
async function rangeOf(response: Response, { offset, length, sizeBytes }: ByteRange, watch: Watch): Promise<Uint8Array> {
  if (response.status === 200) return wholeAsRange(response, { offset, length }, watch);
  const [, first, last, total = '*'] =
    /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i.exec(response.headers.get('content-range') ?? '') ?? [];
  if (response.status !== 206) throw new FormatError('io', `the server answers ${response.status} to a request for a range`);
  // A cross-origin answer need not show this header to a page; its length is checked all the same.
  if (first !== undefined && (Number(first) !== offset || Number(last) !== offset + length - 1))
    throw new FormatError('io', 'the server sends another range than was asked for');
  if (sizeBytes !== undefined && total !== '*' && Number(total) !== sizeBytes) throw new FormatError('io', changedWords);
  const bytes = await bodyOf(response, length, watch);
  if (bytes === null) throw new FormatError('io', 'the server sends more bytes than were asked for');
  if (bytes.byteLength < length) throw new BrokenAnswer('the answer ended early');
  return bytes;
}

/** A server without ranges sends all of the file: fine where that was asked for or is little. */
async function wholeAsRange(response: Response, { offset, length }: ByteRange, watch: Watch): Promise<Uint8Array> {
  const declared = response.headers.get('content-length');
  const mostBytes = Math.max(offset + length, limits.remoteWholeBytes);
  if (declared === null || Number(declared) > mostBytes)
    throw new FormatError('io', 'the server has no ranges: it would send the whole file for each part of it');
  const bytes = await bodyOf(response, mostBytes, watch);
  if (bytes === null || bytes.byteLength < offset + length) throw new BrokenAnswer('the answer ended early');
  return bytes.slice(offset, offset + length);
}

/** All bytes of an answer; null for more than that many. */
async function bodyOf(response: Response, mostBytes: number, watch: Watch): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    watch.heard();
    size += value.byteLength;
    if (size > mostBytes) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

const passingStatuses = [408, 425, 429, 500, 502, 503, 504];

/** How long to wait before the next try; null where none helps. */
function pauseBefore(error: unknown, attempt: number): number | null {
  if (attempt >= tries) return null;
  // A random part, so that requests which were refused together do not come back together.
  const usual = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  if (error instanceof HttpError) {
    if (!passingStatuses.includes(error.status)) return null;
    const asked = askedPauseMs(error.headers);
    return asked === null ? usual : asked > longestPauseMs ? null : Math.max(asked, usual);
  }
  return FormatError.is(error) ? null : usual;
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or the `t` of `RateLimit`, as the Hub writes it. */
function askedPauseMs(headers: Headers): number | null {
  const asked = headers.get('retry-after')?.trim() ?? /;\s*t=(\d{1,9})/.exec(headers.get('ratelimit') ?? '')?.[1] ?? '';
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000;
  const until = Date.parse(asked);
  return Number.isNaN(until) ? null : Math.max(0, until - Date.now());
}

const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host has no address: is this machine online, and the name right?',
  EAI_AGAIN: 'its host has no address for now: is this machine online?',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'the connection was closed midway',
  UND_ERR_SOCKET: 'the connection was closed midway',
  ETIMEDOUT: 'its host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'its host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the issuer of its host’s certificate is not trusted (NODE_EXTRA_CA_CERTS adds one)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the issuer of its host’s certificate is not trusted (NODE_EXTRA_CA_CERTS adds one)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of its host’s certificate is not trusted (NODE_EXTRA_CA_CERTS adds one)',
  CERT_HAS_EXPIRED: 'the certificate of its host has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of its host is for another name',
};

function asFormatError(error: unknown): FormatError {
  if (FormatError.is(error)) return error;
  if (error instanceof BrokenAnswer) return new FormatError('io', error.message, { cause: error });
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  const reason = typeof cause?.code === 'string' ? networkReasons[cause.code] : undefined;
  return new FormatError('io', reason ?? 'its host gives no answer', { cause: error });
}
