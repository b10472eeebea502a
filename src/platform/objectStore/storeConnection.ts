import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../../core/bytes/limits.js';
import { environmentProxy } from '../remote/environmentProxy.js';
import { proxyAsksForLogin } from '../remote/proxyAsksForLogin.js';
import { sentSecrets } from './sentSecrets.js';
import { StoreRefusal } from './storeRefusal.js';

/** One request as it goes out, with what proves who asks. */
export interface StoreRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
}

export interface StoreAnswer {
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

interface Sending {
  signal: AbortSignal;
  /** Most bytes of an answer; `limits.storeAnswerBytes` without it. */
  answerBytes?: number | undefined;
  /** Never sent, and never shown. */
  keys?: readonly string[];
  /** Whether an answer that is success by its status says otherwise. */
  isRefusal?(body: Buffer): boolean;
  /** What an answer other than success says; of one that is success by its status, 500 stands for that. */
  refusalOf(status: number, headers: http.IncomingHttpHeaders, body: string): StoreRefusal;
  /** Whether trying again may help; `isPassing` of the refusal without it. */
  mayTryAgain?(refusal: StoreRefusal): boolean;
}

/** Tries of one request, the first included. */
const tries = 4;
const firstPauseMs = 200;
/** Without a byte in either direction, where nothing shorter is asked for. */
export const mostSilenceMs = 30_000;

/** Connections to one store. They are kept, as those of programs that save checkpoints are. */
export class StoreConnection {
  readonly #agent: http.Agent;
  readonly #silenceMs: number;
  #proxy: Promise<http.Agent | null> | null = null;

  /**
   * @param endpoint the address of the store as it is now: a bucket of another region has another host
   * @param silenceMs a request is ended after so long without a byte in either direction
   */
  constructor(
    private readonly endpoint: () => URL,
    silenceMs = mostSilenceMs,
  ) {
    this.#silenceMs = silenceMs;
    this.#agent = new (endpoint().protocol === 'http:' ? http : https).Agent({ keepAlive: true, maxSockets: Infinity });
  }

  get host(): string {
    return this.endpoint().host;
  }

  /** Whether requests go over a network without encryption: by `http://` to another machine. */
  get isPlain(): boolean {
    const { protocol, hostname } = this.endpoint();
    return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }

  /** Whether requests go by the proxy that the environment names. */
  async isProxied(): Promise<boolean> {
    return (await this.#proxyOf(this.endpoint())) !== null;
  }

  dispose(): void {
    this.#agent.destroy();
  }

  /**
   * Sends a request, a few times where trying again may help: nothing that is sent here does harm when it arrives twice.
   * @param make the request, anew for each try, as signatures have the time in them
   * @throws StoreRefusal, or the network's error
   */
  async send(make: () => Promise<StoreRequest>, sending: Sending): Promise<StoreAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const request = await make();
        return await this.#exchange(request, (await this.#proxyOf(request.url)) ?? this.#agent, sending);
      } catch (error) {
        if (sending.signal.aborted || attempt >= tries || !mayTryAgain(error, sending)) throw error;
        // A random part, so that streams which were refused together do not come back together.
        const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        await delay(pauseMs, undefined, { signal: sending.signal });
      }
    }
  }

  /** All requests go to one origin. */
  #proxyOf(url: URL): Promise<http.Agent | null> {
    this.#proxy ??= environmentProxy(url.toString());
    return this.#proxy;
  }

  #exchange({ method, url, headers, body }: StoreRequest, agent: http.Agent, sending: Sending): Promise<StoreAnswer> {
    const { signal, answerBytes: mostBytes = limits.storeAnswerBytes } = sending;
    const options = { method, agent, headers: { ...headers, 'content-length': body?.length ?? 0 }, signal };
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'http:' ? http : https).request(url, options);
      request.setTimeout(this.#silenceMs, () => request.destroy(networkError('ETIMEDOUT', 'no response in time')));
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
          const isSuccess = status >= 200 && status < 300;
          if (!response.complete) reject(networkError('ECONNRESET', 'the answer ended early'));
          else if (status === 407) reject(new Error(proxyAsksForLogin));
          else if (isSuccess && sending.isRefusal?.(content) !== true) resolve({ headers: response.headers, body: content });
          else {
            const refusal = sending.refusalOf(isSuccess ? 500 : status, response.headers, content.toString('utf8'));
            reject(refusal.without([...(sending.keys ?? []), ...sentSecrets(url, headers)]));
          }
        });
        response.on('close', () => reject(networkError('ECONNRESET', 'the connection was closed')));
      });
      request.end(body);
    });
  }
}

/** Not silence: whoever has waited for it once would wait as long again. */
const passing = new Set(['ECONNRESET', 'EPIPE']);

function mayTryAgain(error: unknown, sending: Sending): boolean {
  if (!(error instanceof StoreRefusal)) return passing.has(String((error as { code?: unknown }).code));
  return sending.mayTryAgain?.(error) ?? error.isPassing;
}

function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
