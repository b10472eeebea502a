import type http from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import { plainText, tagOf } from './answerText.js';
import type { AwsSettings } from './awsSettings.js';
import { s3Url } from './s3Url.js';
import { StoreConnection, type StoreAnswer, type StoreRequest } from './storeConnection.js';
import { StoreRefusal } from './storeRefusal.js';

export interface S3Request {
  method: StoreRequest['method'];
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  /** The answer begins before the store is done, and may be a refusal in spite of its status (Amazon S3, CompleteMultipartUpload). */
  mayRefuseLate?: true;
  /** Most bytes of an answer; `limits.storeAnswerBytes` without it. */
  answerBytes?: number;
}

/** One bucket of a store that speaks S3. */
export class S3Client {
  readonly #bucket: string;
  readonly #settings: AwsSettings;
  readonly connection: StoreConnection;
  #region: string;

  constructor(bucket: string, settings: AwsSettings, silenceMs?: number) {
    this.#bucket = bucket;
    this.#settings = settings;
    this.#region = settings.region;
    this.connection = new StoreConnection(() => this.#url('', {}), silenceMs);
  }

  get region(): string {
    return this.#region;
  }

  /** @throws StoreRefusal, or the network's error */
  send(request: S3Request): Promise<StoreAnswer> {
    const { signal, answerBytes } = request;
    return this.connection.send(() => this.#signed(request), {
      signal,
      answerBytes,
      keys: [this.#settings.secretAccessKey],
      refusalOf,
      ...(request.mayRefuseLate === true && { isRefusal: (body: Buffer) => body.includes('<Error>') }),
      mayTryAgain: (refusal) => this.#mayTryAgain(refusal),
    });
  }

  #mayTryAgain({ region, isPassing }: StoreRefusal): boolean {
    if (region === null || region === this.#region) return isPassing;
    // A bucket of another region says which.
    this.#region = region;
    return true;
  }

  async #signed({ method, key, query = {}, headers = {}, body }: S3Request): Promise<StoreRequest> {
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
    return { method, url: signed.url, headers: Object.fromEntries(signed.headers), body };
  }

  #url(key: string, query: Readonly<Record<string, string>>): URL {
    return s3Url(this.#bucket, { ...this.#settings, region: this.#region }, key, query);
  }
}

function refusalOf(status: number, headers: http.IncomingHttpHeaders, body: string): StoreRefusal {
  const region = tagOf(body, 'Region') || String(headers['x-amz-bucket-region'] ?? '');
  const isRegion = [301, 307, 400, 403].includes(status) && /^[a-z0-9-]{1,40}$/.test(region);
  return new StoreRefusal(status, tagOf(body, 'Code'), plainText(tagOf(body, 'Message')), isRegion ? region : null);
}
