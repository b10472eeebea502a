import { randomBytes } from 'node:crypto';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { checkDirectoryName, markerName } from '../../../core/bandwidth/checkNames.js';
import { keyBelow } from '../../../core/bandwidth/objectStoreTarget.js';
import { limits } from '../../../core/bytes/limits.js';
import { StoreRefusal } from '../../objectStore/storeRefusal.js';
import { makeMarker, parseMarker, type CheckMarker } from '../checkMarker.js';
import { removedLater } from '../removedLater.js';
import { storeError } from './storeError.js';
import type { ObjectStore, ObjectUpload } from './stores/objectStore.js';

/** Removal is tried for so long: a store that refuses for a moment must not keep what was written. */
const removalMs = 60_000;
/** Requests of a removal that are on their way together; Node warns of more listeners to one signal. */
const removalsAtOnce = 8;

/** The objects of one check, all below a prefix of its own. A marker among them says which they are; nothing else is ever removed. */
export class ObjectDirectory {
  readonly #store: ObjectStore;
  /** Ends without a slash. */
  readonly prefix: string;
  readonly marker: CheckMarker;
  /** Versions that a bucket which keeps them has made of each object. */
  readonly #versions = new Map<string, string[]>();
  readonly #uploads = new Set<ObjectUpload>();

  private constructor(store: ObjectStore, prefix: string, marker: CheckMarker) {
    this.#store = store;
    this.prefix = prefix;
    this.marker = marker;
  }

  /** Writes the marker below a new prefix, before anything else. */
  static async make(store: ObjectStore, parent: string, names: string[], signal: AbortSignal): Promise<ObjectDirectory> {
    const prefix = keyBelow(parent, checkDirectoryName(randomBytes(16).toString('hex')));
    const directory = new ObjectDirectory(store, prefix, await makeMarker(names, 0));
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
  static async find(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<ObjectDirectory | null> {
    try {
      const body = await store.get(`${prefix}/${markerName}`, limits.checkMarkerBytes, signal);
      const marker = parseMarker(body.toString('utf8'));
      return marker === null ? null : new ObjectDirectory(store, prefix, marker);
    } catch (error) {
      if (signal.aborted) throw error;
      return null;
    }
  }

  async put(name: string, body: Uint8Array, signal: AbortSignal): Promise<void> {
    const key = this.#key(name);
    this.#noteVersion(key, await this.#store.put(key, body, signal));
  }

  async beginUpload(name: string, signal: AbortSignal): Promise<ObjectUpload> {
    const upload = await this.#store.beginUpload(this.#key(name), signal);
    this.#uploads.add(upload);
    return upload;
  }

  /** Answers the tag by which the part is named when the upload is completed. */
  putPart(upload: ObjectUpload, number: number, body: Uint8Array, signal: AbortSignal): Promise<string> {
    return this.#store.putPart(upload, number, body, signal);
  }

  async completeUpload(upload: ObjectUpload, tags: readonly string[], signal: AbortSignal): Promise<void> {
    const version = await this.#store.completeUpload(upload, tags, signal);
    this.#uploads.delete(upload);
    this.#noteVersion(upload.key, version);
  }

  async getRange(name: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const body = await this.#store.getRange(this.#key(name), offset, length, signal);
    if (body.length !== length) throw new CheckError('data-differ', `${body.length} bytes of ${name} came in place of ${length}`);
    return body;
  }

  /** Removes the objects of one repeat. */
  async removeObjects(names: readonly string[], signal: AbortSignal): Promise<void> {
    for (let next = 0; next < names.length; next += removalsAtOnce) {
      const some = names.slice(next, next + removalsAtOnce);
      // All have ended before an error is thrown, so no request is in flight after it.
      const settled = await Promise.allSettled(some.map((name) => this.#removeObject(this.#key(name), signal)));
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
      const reason = signal.aborted
        ? `not done after ${removalMs / 1000} s`
        : storeError(error, this.#store.connection.host).detail;
      throw new CheckError('not-removed', `${this.prefix}: ${reason}; ${removedLater}`, { cause: error });
    }
    const [other] = await this.#whereAllowed(this.#store.list(this.#key(''), signal));
    if (other !== undefined) throw new CheckError('not-removed', `${other.key} is not of the check, and stays`);
    // An empty folder has no data, and costs nothing.
    await this.#store.removeFolder(this.prefix, signal).catch(() => undefined);
  }

  /** What there is now: objects, and uploads that were not completed; their bytes where the store lists them. */
  async contents(signal: AbortSignal): Promise<{ files: number; bytes: number; uploads: number }> {
    const own = this.#keysOf(this.marker.files);
    const objects = (await this.#store.list(this.#key(''), signal)).filter(({ key }) => own.has(key));
    const listed = await this.#whereAllowed(this.#store.listUploads(this.#key(''), signal));
    const uploads = listed.filter(({ key }) => own.has(key));
    const sizes = [...objects.map(({ sizeBytes }) => sizeBytes), ...uploads.map(({ heldBytes }) => heldBytes ?? 0)];
    return { files: objects.length, bytes: sizes.reduce((sum, size) => sum + size, 0), uploads: uploads.length };
  }

  #key(name: string): string {
    return `${this.prefix}/${name}`;
  }

  #keysOf(names: readonly string[]): Set<string> {
    return new Set(names.map((name) => this.#key(name)));
  }

  #noteVersion(key: string, version: string | null): void {
    if (version !== null) this.#versions.set(key, [...(this.#versions.get(key) ?? []), version]);
  }

  /** Without an error also where there is no such object: stores answer so themselves. */
  async #removeObject(key: string, signal: AbortSignal): Promise<void> {
    await this.#store.remove(key, this.#versions.get(key) ?? [], signal);
    this.#versions.delete(key);
  }

  async #abortUploads(signal: AbortSignal): Promise<void> {
    const own = this.#keysOf(this.marker.files);
    const listed = await this.#whereAllowed(this.#store.listUploads(this.#key(''), signal));
    const uploads = new Map<string, ObjectUpload>();
    for (const upload of [...this.#uploads, ...listed])
      if (own.has(upload.key)) uploads.set(JSON.stringify([upload.key, upload.id]), upload);
    for (const upload of uploads.values()) await this.#store.abortUpload(upload, signal);
    this.#uploads.clear();
  }

  /** With all versions, also those whose numbers never came back, as of an answer that was lost or a check that was killed. */
  async #removeForGood(names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.removeObjects(names, signal);
    const own = this.#keysOf(names);
    for (const { key, version } of await this.#whereAllowed(this.#store.listVersions(this.#key(''), signal)))
      if (own.has(key)) await this.#store.remove(key, [version], signal);
  }

  /** Empty where the key may not list, or the store has no such list: then only what is known is removed. */
  async #whereAllowed<T>(list: Promise<T[]>): Promise<T[]> {
    try {
      return await list;
    } catch (error) {
      if (error instanceof StoreRefusal && [400, 403, 404, 405, 501].includes(error.status)) return [];
      throw error;
    }
  }
}
