import { CheckError } from '../../../../core/bandwidth/checkError.js';
import { limits } from '../../../../core/bytes/limits.js';
import { plainText, tagOf, tagsOf } from '../../../objectStore/answerText.js';
import { S3Client } from '../../../objectStore/s3Client.js';
import type { StoreConnection } from '../../../objectStore/storeConnection.js';
import type { AwsSettings } from '../../../objectStore/awsSettings.js';
import { unlessMissing } from './unlessMissing.js';
import { listPages, type ListedUpload, type ObjectStore, type ObjectUpload } from './objectStore.js';

/** A bucket of a store that speaks S3: multipart uploads, ranged reads. */
export class S3Objects implements ObjectStore {
  readonly type = 's3';
  readonly leastPartBytes = limits.storePartBytes;
  readonly connection: StoreConnection;
  readonly #client: S3Client;

  constructor(bucket: string, settings: AwsSettings, silenceMs?: number) {
    this.#client = new S3Client(bucket, settings, silenceMs);
    this.connection = this.#client.connection;
  }

  get region(): string {
    return this.#client.region;
  }

  async put(key: string, body: Uint8Array, signal: AbortSignal): Promise<string | null> {
    const { headers } = await this.#client.send({ method: 'PUT', key, body, signal });
    return versionOf(headers['x-amz-version-id']);
  }

  async beginUpload(key: string, signal: AbortSignal): Promise<ObjectUpload> {
    const { body } = await this.#client.send({ method: 'POST', key, query: { uploads: '' }, signal });
    const id = plainText(tagOf(body.toString('utf8'), 'UploadId'));
    if (id === '') throw new CheckError('io', 'the store began no upload');
    return { key, id };
  }

  async putPart({ key, id }: ObjectUpload, number: number, body: Uint8Array, signal: AbortSignal): Promise<string> {
    const query = { partNumber: String(number), uploadId: id };
    const { headers } = await this.#client.send({ method: 'PUT', key, query, body, signal });
    return headers.etag ?? '';
  }

  async completeUpload({ key, id }: ObjectUpload, tags: readonly string[], signal: AbortSignal): Promise<string | null> {
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const query = { uploadId: id };
    const { headers } = await this.#client.send({ method: 'POST', key, query, body, signal, mayRefuseLate: true });
    return versionOf(headers['x-amz-version-id']);
  }

  async abortUpload({ key, id }: ObjectUpload, signal: AbortSignal): Promise<void> {
    await this.#delete(key, { uploadId: id }, signal);
  }

  async listUploads(prefix: string, signal: AbortSignal): Promise<ListedUpload[]> {
    const entries = await this.#list({ uploads: '', prefix }, 'Upload', signal);
    return entries.map((entry) => ({ key: keyOf(entry), id: plainText(tagOf(entry, 'UploadId')), heldBytes: null }));
  }

  async get(key: string, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
    return (await this.#client.send({ method: 'GET', key, signal, answerBytes: mostBytes })).body;
  }

  async getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    return (await this.#client.send({ method: 'GET', key, headers, signal, answerBytes: length })).body;
  }

  async list(prefix: string, signal: AbortSignal): Promise<{ key: string; sizeBytes: number }[]> {
    const entries = await this.#list({ 'list-type': '2', prefix }, 'Contents', signal);
    return entries.map((entry) => ({ key: keyOf(entry), sizeBytes: Number(tagOf(entry, 'Size')) || 0 }));
  }

  async listFolders(prefix: string, signal: AbortSignal): Promise<string[]> {
    const entries = await this.#list({ 'list-type': '2', delimiter: '/', prefix }, 'CommonPrefixes', signal);
    return entries.map((entry) => plainText(tagOf(entry, 'Prefix')).replace(/\/$/, ''));
  }

  async listVersions(prefix: string, signal: AbortSignal): Promise<{ key: string; version: string }[]> {
    const versions = await this.#list({ versions: '', prefix }, 'Version', signal);
    const marks = await this.#list({ versions: '', prefix }, 'DeleteMarker', signal);
    return [...versions, ...marks]
      .map((entry) => ({ key: keyOf(entry), version: plainText(tagOf(entry, 'VersionId')) }))
      .filter(({ version }) => version !== '');
  }

  async remove(key: string, versions: readonly string[], signal: AbortSignal): Promise<void> {
    // Without its version, a delete only hides an object in a bucket that keeps versions, which goes on to cost.
    for (const versionId of versions) await this.#delete(key, { versionId }, signal);
    if (versions.length === 0) await this.#delete(key, {}, signal);
  }

  /** Prefixes are no folders here. */
  removeFolder(): Promise<void> {
    return Promise.resolve();
  }

  #delete(key: string, query: Record<string, string>, signal: AbortSignal): Promise<void> {
    return unlessMissing(this.#client.send({ method: 'DELETE', key, query, signal }));
  }

  /** Elements of a list, page by page. */
  async #list(query: Record<string, string>, element: string, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    let next: Record<string, string> = {};
    for (let page = 0; page < listPages; page++) {
      const { body } = await this.#client.send({ method: 'GET', key: '', query: { ...query, ...next }, signal });
      const text = body.toString('utf8');
      for (const entry of tagsOf(text, element)) found.push(entry);
      if (tagOf(text, 'IsTruncated') !== 'true') break;
      next = nextPage(text);
    }
    return found;
  }
}

function versionOf(header: string | string[] | undefined): string | null {
  return typeof header !== 'string' || header === 'null' ? null : header;
}

function keyOf(entry: string): string {
  return plainText(tagOf(entry, 'Key'));
}

/** Where the next page begins; each kind of list has its own words for it. */
function nextPage(text: string): Record<string, string> {
  const markers = [
    ['continuation-token', 'NextContinuationToken'],
    ['key-marker', 'NextKeyMarker'],
    ['upload-id-marker', 'NextUploadIdMarker'],
    ['version-id-marker', 'NextVersionIdMarker'],
  ] as const;
  const next: Record<string, string> = {};
  for (const [name, tag] of markers) {
    const value = plainText(tagOf(text, tag));
    if (value !== '') next[name] = value;
  }
  return next;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
