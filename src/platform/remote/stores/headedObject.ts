import type { StoredObject } from '../remoteStore.js';

/** A file by the headers of an answer without its bytes; null where they state no size. */
export function headedObject(path: string, headers: Headers): StoredObject | null {
  const length = headers.get('content-length') ?? '';
  const sizeBytes = Number(length);
  if (length === '' || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return null;
  const modifiedMs = Date.parse(headers.get('last-modified') ?? '');
  return { path, sizeBytes, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs, version: headers.get('etag') };
}
