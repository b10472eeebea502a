import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { limits } from '../../core/bytes/limits.js';
import { plainText, tagOf } from './answerText.js';
import type { AwsSettings } from './awsSettings.js';
import { S3Error } from './s3Error.js';
import { s3Url } from './s3Url.js';

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  /** Most bytes of an answer; `limits.storeAnswerBytes` without it. */
  answerBytes?: number;
}

export interface S3Answer {
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Tries of one request, the first included. */
const tries = 4;
const firstPauseMs = 200;
/** Without a byte in either direction. */
const silenceMs = 30_000;

/** One bucket of a store that speaks S3. Connections are kept, as those of programs that save checkpoints are. */
export class S3Client {
  readonly #bucket: string;
  readonly #settings: AwsSettings;
  readonly #agent: http.Agent;
  #region: string;

  constructor(bucket: string, settings: AwsSettings) {
    this.#bucket = bucket;
    this.#settings = settings;
    this.#region = settings.region;
    this.#agent = new (isHttp(settings.endpoint) ? http : https).Agent({ keepAlive: true, maxSockets: Infinity });
  }

  get host(): string {
    return this.#url('', {}).host;
  }

  /** Whether requests go over a network without encryption: by `http://` to another machine. */
  get isPlain(): boolean {
    const { endpoint } = this.#settings;
    return isHttp(endpoint) && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(endpoint.hostname);
  }

  get region(): string {
    return this.#region;
  }

  dispose(): void {
    this.#agent.destroy();
  }

  /**
   * Sends a request, a few times where trying again may help: nothing that is sent here does harm when it arrives twice.
   * @throws S3Error, or the network's error
   */
  async send(request: S3Request): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(request);
      } catch (error) {
        if (request.signal.aborted || attempt >= tries || !this.#mayTryAgain(error)) throw error;
        // A random part, so that streams which were refused together do not come back together.
        const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        await delay(pauseMs, undefined, { signal: request.signal });
      }
    }
  }

  #mayTryAgain(error: unknown): boolean {
    if (!(error instanceof S3Error)) return passing.has(String((error as { code?: unknown }).code));
    const { region } = error;
    if (region === null || region === this.#region) return error.isPassing;
    // A bucket of another region says which.
    this.#region = region;
    return true;
  }

  async #sendOnce(request: S3Request): Promise<S3Answer> {
    const { method, key, query = {}, headers = {}, body, signal } = request;
    const { accessKeyId, secretAccessKey, sessionToken } = this.#settings;
    const signer = new AwsV4Signer({
      method,
      url: this.#url(key, query).toString(),
      headers: { ...headers },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: 's3',
      region: this.#region,
    });
    // The data are not hashed (UNSIGNED-PAYLOAD): hashing would be timed as well, and what they are is compared when they are read.
    const signed = await signer.sign();
    const options = {
      method,
      agent: this.#agent,
      headers: { ...Object.fromEntries(signed.headers), 'content-length': body?.length ?? 0 },
      signal,
    };
    try {
      return await exchange(signed.url, options, body, request.answerBytes ?? limits.storeAnswerBytes);
    } catch (error) {
      throw error instanceof S3Error ? error.without([secretAccessKey, sessionToken, accessKeyId]) : error;
    }
  }

  #url(key: string, query: Readonly<Record<string, string>>): URL {
    return s3Url(this.#bucket, { ...this.#settings, region: this.#region }, key, query);
  }
}

function isHttp(endpoint: URL | null): endpoint is URL {
  return endpoint?.protocol === 'http:';
}

const passing = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

function exchange(url: URL, options: https.RequestOptions, body: Uint8Array | undefined, mostBytes: number): Promise<S3Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? http : https).request(url, options);
    request.setTimeout(silenceMs, () => request.destroy(networkError('ETIMEDOUT', 'no response in time')));
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > mostBytes) request.destroy(new Error(`the answer has more than ${mostBytes} bytes`));
        else parts.push(part);
      });
      response.on('end', () => {
        const content = Buffer.concat(parts);
        const status = response.statusCode ?? 0;
        if (!response.complete) reject(networkError('ECONNRESET', 'the answer ended early'));
        else if (status >= 200 && status < 300) resolve({ headers: response.headers, body: content });
        else reject(refusal(status, response.headers, content.toString('utf8')));
      });
      response.on('close', () => reject(networkError('ECONNRESET', 'the connection was closed')));
    });
    request.end(body);
  });
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function refusal(status: number, headers: http.IncomingHttpHeaders, body: string): S3Error {
  const region = tagOf(body, 'Region') || String(headers['x-amz-bucket-region'] ?? '');
  const isRegion = [301, 307, 400, 403].includes(status) && /^[a-z0-9-]{1,40}$/.test(region);
  return new S3Error(status, tagOf(body, 'Code'), plainText(tagOf(body, 'Message')).slice(0, 500), isRegion ? region : null);
}
