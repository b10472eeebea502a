import type { StoreConnection } from '../../../objectStore/storeConnection.js';

/** An upload in parts that was begun and is not completed. */
export interface ObjectUpload {
  key: string;
  /** Empty where a store has one upload of a key at most. */
  id: string;
}

/** An upload of before, as a list of the store has it. */
export interface ListedUpload extends ObjectUpload {
  /** Of its parts; null where the list does not say. */
  heldBytes: number | null;
}

/**
 * What a check asks of a bucket or a container. Keys are whole. Versions are those of stores that keep what was replaced or deleted. All methods throw
 * StoreRefusal for what the store refuses, CheckError, or the network's error.
 */
export interface ObjectStore {
  /** As reports have it. */
  readonly type: 's3' | 'gs' | 'az';
  readonly connection: StoreConnection;
  /** Null where requests name none. */
  readonly region: string | null;
  /** Of a part that is not the last of its object. */
  readonly leastPartBytes: number;

  /** Writes an object at once; answers its version. */
  put(key: string, body: Uint8Array, signal: AbortSignal): Promise<string | null>;
  beginUpload(key: string, signal: AbortSignal): Promise<ObjectUpload>;
  /**
   * Writes a part, in any order and several at a time. Answers the tag by which it is named when the upload is completed.
   * @param number from 1
   */
  putPart(upload: ObjectUpload, number: number, body: Uint8Array, signal: AbortSignal): Promise<string>;
  /** Makes the object of its parts; answers its version. */
  completeUpload(upload: ObjectUpload, tags: readonly string[], signal: AbortSignal): Promise<string | null>;
  /** Removes the parts. */
  abortUpload(upload: ObjectUpload, signal: AbortSignal): Promise<void>;
  /** Uploads that were begun and not completed, also by others, of keys that begin so. */
  listUploads(prefix: string, signal: AbortSignal): Promise<ListedUpload[]>;

  /** All of an object. */
  get(key: string, mostBytes: number, signal: AbortSignal): Promise<Buffer>;
  /** These bytes, or fewer where the store answers fewer. */
  getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer>;

  /** Objects whose keys begin so. */
  list(prefix: string, signal: AbortSignal): Promise<{ key: string; sizeBytes: number }[]>;
  /** What is in front of the next slash of keys that begin so. */
  listFolders(prefix: string, signal: AbortSignal): Promise<string[]>;
  /** Also the marks of S3 that hide an object. Empty in a store without versions. */
  listVersions(prefix: string, signal: AbortSignal): Promise<{ key: string; version: string }[]>;

  /** Removes an object with these versions of it. Without an error where there is none. */
  remove(key: string, versions: readonly string[], signal: AbortSignal): Promise<void>;
  /** Removes the folder that some stores make for what is below a prefix, once it is empty. */
  removeFolder(prefix: string, signal: AbortSignal): Promise<void>;
}

/** Pages of a list that are followed; a check writes no more objects than one page has, and no more parts of them than these. */
export const listPages = 20;
