import type { StatedDigest } from '../../core/files/fileTree.js';

/** A file of a store, as its listing has it. */
export interface StoredObject {
  /** Relative to the root of the store, with forward slashes, as the store names it. */
  path: string;
  sizeBytes: number;
  modifiedMs: number | null;
  /** What tells this content from a later one under the same name: an ETag, a generation; null where nothing does. */
  version: string | null;
  digest?: StatedDigest | undefined;
}

/** A page of a listing. */
export interface StoredPage {
  files: readonly StoredObject[];
  /** Paths of folders, without a slash at their ends; none where files below them are listed too. */
  folders: readonly string[];
}

/** A bucket, a container, a repository of a Hub: names with bytes behind them, of which ranges can be had. */
export interface RemoteStore {
  /** What tells its files from those of other stores. Nothing secret is in it. */
  readonly id: string;
  /**
   * What is in a folder, page by page; none where there is no such folder.
   * @param folder relative to the root of the store, which is the empty path
   * @param isDeep all files below the folder, or those in it alone with the folders in it
   * @throws FormatError `io` where it may not be listed
   */
  list(folder: string, isDeep: boolean, signal?: AbortSignal): AsyncIterable<StoredPage>;
  /**
   * Those of some names in a folder that there are, of a store without listings.
   * @throws FormatError as `list`
   */
  look?(folder: string, names: ReadonlySet<string>, signal?: AbortSignal): Promise<readonly StoredObject[]>;
  /**
   * A file by its name, where its folder may not be listed: what was shared may be that file alone. Null where there is none. Absent of a store whose lists
   * need no right of their own.
   * @throws FormatError `io` where it may not be read
   */
  find?(path: string, signal?: AbortSignal): Promise<StoredObject | null>;
  /**
   * Bytes of the version that was listed.
   * @throws FormatError `io` where there is another one by now, `cancelled`, `limit-exceeded`
   */
  read(object: StoredObject, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** What a read throws once a file is another one than was listed. */
export const changedWords = 'it was replaced while it was inspected: inspect it again';
