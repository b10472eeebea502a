import { randomBytes } from 'node:crypto';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { checkDirectoryName, markerName } from '../../../core/bandwidth/checkNames.js';
import { limits } from '../../../core/bytes/limits.js';
import { plainText, tagOf, tagsOf } from '../../objectStore/answerText.js';
import { keyBelow } from '../../objectStore/objectStoreTarget.js';
import type { S3Client } from '../../objectStore/s3Client.js';
import { S3Error } from '../../objectStore/s3Error.js';
import { makeMarker, parseMarker, type CheckMarker } from '../checkMarker.js';

/** Removal is tried for so long: a store that refuses for a moment must not keep what was written. */
const removalMs = 60_000;
/** Requests of a removal that are on their way together; Node warns of more listeners to one signal. */
const removalsAtOnce = 8;
/** Pages of a list that are followed; a check writes no more objects than one page has. */
const listPages = 20;

/** The objects of one check, all below a prefix of its own. A marker among them says which they are; nothing else is ever removed. */
export class ObjectDirectory {
  readonly #client: S3Client;
  /** Ends without a slash. */
  readonly prefix: string;
  readonly marker: CheckMarker;
  /** Versions that a bucket which keeps them has made of each object. */
  readonly #versions = new Map<string, string[]>();
  readonly #uploads = new Map<string, string>();

  private constructor(client: S3Client, prefix: string, marker: CheckMarker) {
    this.#client = client;
    this.prefix = prefix;
    this.marker = marker;
  }

  /** Writes the marker below a new prefix, before anything else. */
  static async make(client: S3Client, parent: string, names: string[], signal: AbortSignal): Promise<ObjectDirectory> {
    const prefix = keyBelow(parent, checkDirectoryName(randomBytes(16).toString('hex')));
    const directory = new ObjectDirectory(client, prefix, await makeMarker(names, 0));
    try {
      await directory.put(markerName, Buffer.from(JSON.stringify(directory.marker)), signal);
      return directory;
    } catch (error) {
      // It may have arrived although no answer came.
      await directory.#removeForGood([markerName], AbortSignal.timeout(removalMs)).catch(() => undefined);
      throw error;
    }
  }

  /** What a check left below a prefix; null where there is no marker that this program wrote. */
  static async find(client: S3Client, prefix: string, signal: AbortSignal): Promise<ObjectDirectory | null> {
    try {
      const key = `${prefix}/${markerName}`;
      const { body } = await client.send({ method: 'GET', key, signal, answerBytes: limits.checkMarkerBytes });
      const marker = parseMarker(body.toString('utf8'));
      return marker === null ? null : new ObjectDirectory(client, prefix, marker);
    } catch (error) {
      if (signal.aborted) throw error;
      return null;
    }
  }

  async put(name: string, body: Uint8Array, signal: AbortSignal): Promise<void> {
    const { headers } = await this.#client.send({ method: 'PUT', key: this.#key(name), body, signal });
    this.#noteVersion(name, headers['x-amz-version-id']);
  }

  /** Begins an upload in parts; answers its id. */
  async beginUpload(name: string, signal: AbortSignal): Promise<string> {
    const { body } = await this.#client.send({ method: 'POST', key: this.#key(name), query: { uploads: '' }, signal });
    const id = plainText(tagOf(body.toString('utf8'), 'UploadId'));
    if (id === '') throw new CheckError('io', 'the store began no upload');
    this.#uploads.set(id, name);
    return id;
  }

  /** Answers the tag by which the part is named when the upload is completed. */
  async putPart(name: string, id: string, number: number, body: Uint8Array, signal: AbortSignal): Promise<string> {
    const query = { partNumber: String(number), uploadId: id };
    const { headers } = await this.#client.send({ method: 'PUT', key: this.#key(name), query, body, signal });
    return headers.etag ?? '';
  }

  async completeUpload(name: string, id: string, tags: readonly string[], signal: AbortSignal): Promise<void> {
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const query = { uploadId: id };
    const { headers, body: answer } = await this.#client.send({ method: 'POST', key: this.#key(name), query, body, signal });
    // The answer begins before the store is done, and may be a refusal in spite of its status (Amazon S3, CompleteMultipartUpload).
    const text = answer.toString('utf8');
    if (text.includes('<Error>')) throw new S3Error(500, tagOf(text, 'Code'), plainText(tagOf(text, 'Message')), null);
    this.#uploads.delete(id);
    this.#noteVersion(name, headers['x-amz-version-id']);
  }

  /** Bytes `from` to `to`, the last one included. */
  async getRange(name: string, from: number, to: number, signal: AbortSignal): Promise<Buffer> {
    const headers = { range: `bytes=${from}-${to}` };
    const answerBytes = to - from + 1;
    const { body } = await this.#client.send({ method: 'GET', key: this.#key(name), headers, signal, answerBytes });
    if (body.length !== answerBytes)
      throw new CheckError('data-differ', `${body.length} bytes of ${name} came in place of ${answerBytes}`);
    return body;
  }

  /** Removes the objects of one repeat. */
  async removeObjects(names: readonly string[], signal: AbortSignal): Promise<void> {
    for (let next = 0; next < names.length; next += removalsAtOnce) {
      const some = names.slice(next, next + removalsAtOnce);
      // All have ended before an error is thrown, so no request is in flight after it.
      const settled = await Promise.allSettled(some.map((name) => this.#deleteObject(name, signal)));
      for (const result of settled) if (result.status === 'rejected') throw result.reason;
    }
  }

  /**
   * Removes all that the marker names, unfinished uploads and older versions included, and the marker last.
   * @throws CheckError `not-removed`
   */
  async remove(): Promise<void> {
    const signal = AbortSignal.timeout(removalMs);
    try {
      await this.#abortUploads(signal);
      await this.#removeForGood(this.marker.files, signal);
      await this.#removeForGood([markerName], signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CheckError('not-removed', `${this.prefix}: ${reason}`, { cause: error });
    }
    const others = await this.#allKeys(signal);
    if (others.length > 0) throw new CheckError('not-removed', `${others[0]} is not of the check, and stays`);
  }

  /** What there is now. */
  async contents(signal: AbortSignal): Promise<{ files: number; bytes: number }> {
    const own = new Set(this.marker.files.map((name) => this.#key(name)));
    let files = 0;
    let bytes = 0;
    for (const entry of await this.#list({ 'list-type': '2' }, 'Contents', signal)) {
      if (!own.has(plainText(tagOf(entry, 'Key')))) continue;
      files += 1;
      bytes += Number(tagOf(entry, 'Size')) || 0;
    }
    return { files, bytes };
  }

  #key(name: string): string {
    return `${this.prefix}/${name}`;
  }

  #noteVersion(name: string, version: string | string[] | undefined): void {
    if (typeof version !== 'string' || version === 'null') return;
    this.#versions.set(name, [...(this.#versions.get(name) ?? []), version]);
  }

  /** Without an error also where there is no such object: stores answer so themselves. */
  async #deleteObject(name: string, signal: AbortSignal): Promise<void> {
    const versions = this.#versions.get(name) ?? [];
    // Without its version, a delete only hides an object in a bucket that keeps versions, which goes on to cost.
    for (const version of versions) await this.#delete(name, { versionId: version }, signal);
    if (versions.length === 0) await this.#delete(name, {}, signal);
    this.#versions.delete(name);
  }

  async #delete(name: string, query: Record<string, string>, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.send({ method: 'DELETE', key: this.#key(name), query, signal });
    } catch (error) {
      if (!(error instanceof S3Error) || error.status !== 404) throw error;
    }
  }

  async #abortUploads(signal: AbortSignal): Promise<void> {
    const uploads = new Map(this.#uploads);
    for (const entry of await this.#listWhereAllowed({ uploads: '' }, 'Upload', signal)) {
      const name = this.#nameAmong(this.marker.files, entry);
      if (name !== null) uploads.set(plainText(tagOf(entry, 'UploadId')), name);
    }
    for (const [uploadId, name] of uploads) await this.#delete(name, { uploadId }, signal);
    this.#uploads.clear();
  }

  /** With all versions, also those whose numbers never came back, as of an answer that was lost or a check that was killed. */
  async #removeForGood(names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.removeObjects(names, signal);
    for (const kind of ['Version', 'DeleteMarker']) {
      for (const entry of await this.#listWhereAllowed({ versions: '' }, kind, signal)) {
        const name = this.#nameAmong(names, entry);
        const versionId = plainText(tagOf(entry, 'VersionId'));
        if (name !== null && versionId !== '') await this.#delete(name, { versionId }, signal);
      }
    }
  }

  /** The name of a listed object; null for one of another. */
  #nameAmong(names: readonly string[], entry: string): string | null {
    const key = plainText(tagOf(entry, 'Key'));
    return names.find((name) => this.#key(name) === key) ?? null;
  }

  async #allKeys(signal: AbortSignal): Promise<string[]> {
    const entries = await this.#listWhereAllowed({ 'list-type': '2' }, 'Contents', signal);
    return entries.map((entry) => plainText(tagOf(entry, 'Key')));
  }

  /** Empty where the key may not list, or the store has no such list: then only what is known is removed. */
  async #listWhereAllowed(query: Record<string, string>, element: string, signal: AbortSignal): Promise<string[]> {
    try {
      return await this.#list(query, element, signal);
    } catch (error) {
      if (error instanceof S3Error && [400, 403, 404, 405, 501].includes(error.status)) return [];
      throw error;
    }
  }

  /** Elements of a list of what is below the prefix, page by page. */
  async #list(query: Record<string, string>, element: string, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    let next: Record<string, string> = {};
    for (let page = 0; page < listPages; page++) {
      const all = { ...query, prefix: `${this.prefix}/`, ...next };
      const { body } = await this.#client.send({ method: 'GET', key: '', query: all, signal });
      const text = body.toString('utf8');
      for (const entry of tagsOf(text, element)) found.push(entry);
      if (tagOf(text, 'IsTruncated') !== 'true') break;
      next = nextPage(text);
    }
    return found;
  }
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
