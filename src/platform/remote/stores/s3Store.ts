import { AwsV4Signer } from 'aws4fetch';
import { FormatError } from '../../../core/bytes/formatError.js';
import { plainText, tagOf, tagsOf } from '../../objectStore/answerText.js';
import { s3Url } from '../../objectStore/s3Url.js';
import { headedObject } from './headedObject.js';
import { HttpError, unlessMissing } from '../httpError.js';
import type { HttpAnswer, HttpRequest, HttpSession } from '../httpSession.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from '../remoteStore.js';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
}

/** How a bucket is reached and who asks. */
export interface S3Access {
  region: string;
  /** Null for Amazon's own of the region. */
  endpoint: URL | null;
  /** Asked for when they are needed, as some expire; null for requests without a signature. */
  keys: (() => Promise<S3Keys>) | null;
  /** That whoever asks pays for requests and bytes. */
  requesterPays: boolean;
}

/** A bucket of a store that speaks S3. */
export class S3Store implements RemoteStore {
  readonly id: string;
  #region: string;

  constructor(
    private readonly session: HttpSession,
    private readonly bucket: string,
    private readonly access: S3Access,
  ) {
    this.#region = access.region;
    this.id = ['s3', access.endpoint?.href ?? '', bucket].join(' ');
  }

  list(folder: string, isDeep: boolean, signal?: AbortSignal): AsyncIterable<StoredPage> {
    return this.#pages({ ...(folder === '' ? {} : { prefix: `${folder}/` }), ...(isDeep ? {} : { delimiter: '/' }) }, signal);
  }

  async read(
    { path, version, sizeBytes }: StoredObject,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const headers = version === null ? {} : { 'if-match': version };
    const { bytes } = await this.#send(path, {}, { headers, range: { offset, length, sizeBytes }, signal });
    return bytes;
  }

  async find(path: string, signal?: AbortSignal): Promise<StoredObject | null> {
    return unlessMissing(async () => headedObject(path, (await this.#send(path, {}, { method: 'HEAD', signal })).headers));
  }

  /** ListObjectsV2; keys are written as of a URL, as XML has no form for some characters. */
  async *#pages(query: Readonly<Record<string, string>>, signal: AbortSignal | undefined): AsyncGenerator<StoredPage> {
    let token = '';
    do {
      const continued = token === '' ? {} : { 'continuation-token': token };
      const { bytes } = await this.#send('', { 'list-type': '2', 'encoding-type': 'url', ...query, ...continued }, { signal });
      const text = new TextDecoder().decode(bytes);
      if (!text.includes('ListBucketResult')) throw new FormatError('io', 'the store sends something other than a list');
      const isEncoded = tagOf(text, 'EncodingType') === 'url';
      const folders = tagsOf(text, 'CommonPrefixes').flatMap((item) => keyOf(tagOf(item, 'Prefix'), isEncoded) ?? []);
      yield {
        files: tagsOf(text, 'Contents').flatMap((item) => objectOf(item, isEncoded)),
        folders: folders.map((path) => path.replace(/\/$/, '')),
      };
      const next = tagOf(text, 'IsTruncated') === 'true' ? plainText(tagOf(text, 'NextContinuationToken')) : '';
      if (next !== '' && next === token) throw new FormatError('io', 'the list of the store has no end');
      token = next;
    } while (token !== '');
  }

  async #send(
    key: string,
    query: Readonly<Record<string, string>>,
    request: Pick<HttpRequest, 'method' | 'headers' | 'range' | 'signal'>,
  ): Promise<HttpAnswer> {
    const url = s3Url(this.bucket, { ...this.access, region: this.#region }, key, query).toString();
    try {
      return await this.session.send({
        ...request,
        url,
        sign: (signed, headers) => this.#sign(request.method ?? 'GET', signed, headers),
      });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const region = tagOf(error.body, 'Region') || (error.headers.get('x-amz-bucket-region') ?? '');
      const isElsewhere =
        [301, 307, 400, 403].includes(error.status) && /^[a-z0-9-]{1,40}$/.test(region) && region !== this.#region;
      if (!isElsewhere) throw error.inWords(this.#refusalWords(error));
      // A bucket of another region says which.
      this.#region = region;
      return this.#send(key, query, request);
    }
  }

  async #sign(method: string, url: string, headers: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const { keys, requesterPays } = this.access;
    const all = { ...headers, ...(requesterPays && { 'x-amz-request-payer': 'requester' }) };
    if (keys === null) return all;
    const { accessKeyId, secretAccessKey, sessionToken } = await keys();
    const signer = new AwsV4Signer({
      method,
      url,
      headers: all,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: 's3',
      region: this.#region,
    });
    return Object.fromEntries((await signer.sign()).headers);
  }

  #refusalWords({ status, body }: HttpError): string {
    const code = tagOf(body, 'Code');
    const isAnonymous = this.access.keys === null;
    if (status === 412) return changedWords;
    if (code === 'NoSuchBucket') return `there is no bucket ${this.bucket}`;
    if (code === 'NoSuchKey' || (status === 404 && code === '')) return 'there is no such object any more';
    if (code === 'ExpiredToken' || code === 'ExpiredTokenException')
      return 'the session of the access key has expired: log in again';
    if (code === 'InvalidAccessKeyId') return 'the store does not know the access key';
    if (code === 'SignatureDoesNotMatch')
      return 'the store refuses the signature: the secret key is another one, or a proxy changes requests';
    if (code === 'RequestTimeTooSkewed') return 'the clock of this machine differs from that of the store';
    if (status === 403 || status === 401)
      return isAnonymous
        ? 'the bucket is not public, and there is no access key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws'
        : 'the access key may not read it, or whoever reads has to pay (requester pays)';
    return `the store answers ${status}${/^[A-Za-z]{1,60}$/.test(code) ? ` ${code}` : ''}`;
  }
}

function objectOf(item: string, isEncoded: boolean): StoredObject[] {
  const path = keyOf(tagOf(item, 'Key'), isEncoded);
  const size = Number(tagOf(item, 'Size'));
  const version = plainText(tagOf(item, 'ETag'));
  const modifiedMs = Date.parse(tagOf(item, 'LastModified'));
  if (path === null || path === '' || !Number.isSafeInteger(size) || size < 0) return [];
  return [
    { path, sizeBytes: size, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs, version: version === '' ? null : version },
  ];
}

/** Null for a key that is not encoded as it should be. */
function keyOf(text: string, isEncoded: boolean): string | null {
  const key = plainText(text);
  try {
    return isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key;
  } catch {
    return null;
  }
}
