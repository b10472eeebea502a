import type { RangeReader } from './rangeSource.js';
import type { RemoteStore, StoredObject } from './remoteStore.js';

/** Headers of files in stores that earlier inspections have fetched. What is found is what was kept of the same version, or it is not found. */
export interface HeaderCache {
  /** @returns null for what was not kept, or is not whole any more */
  find(file: string, offset: number, length: number): Promise<Uint8Array | null>;
  /** Never throws: what cannot be kept is fetched again. */
  keep(file: string, offset: number, bytes: Uint8Array): Promise<void>;
}

/** Reads a file of a store out of a cache, as far as it is there. A file without a version is fetched each time. */
export function cachedReader(cache: HeaderCache, store: RemoteStore, object: StoredObject, fetched: RangeReader): RangeReader {
  const { path, sizeBytes, version } = object;
  // A weak tag does not say that bytes are equal (RFC 9110, 8.8.1).
  if (version === null || version.startsWith('W/')) return fetched;
  const file = JSON.stringify([store.id, path, sizeBytes, version]);
  return async (offset, length, signal) => {
    const kept = await cache.find(file, offset, length);
    if (kept !== null) return kept;
    const bytes = await fetched(offset, length, signal);
    await cache.keep(file, offset, bytes);
    return bytes;
  };
}
