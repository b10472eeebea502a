/** A file of a store, as its listing has it. */
export interface StoredObject {
  /** Relative to the root of the store, with forward slashes, as the store names it. */
  path: string;
  sizeBytes: number;
  modifiedMs: number | null;
  /** What tells this content from a later one under the same name: an ETag, a generation; null where nothing does. */
  version: string | null;
}

/** A bucket, a container, a repository of a Hub: names with bytes behind them, of which ranges can be had. */
export interface RemoteStore {
  /**
   * The files below a folder and its folders, page by page; none where there is no such folder.
   * @param folder relative to the root of the store, which is the empty path
   * @throws FormatError `io` where it may not be listed
   */
  folder(folder: string, signal?: AbortSignal): AsyncIterable<readonly StoredObject[]>;
  /**
   * Those of some names in a folder that there are.
   * @throws FormatError as `folder`
   */
  named(folder: string, names: ReadonlySet<string>, signal?: AbortSignal): Promise<readonly StoredObject[]>;
  /**
   * Bytes of the version that was listed.
   * @throws FormatError `io` where there is another one by now, `cancelled`, `limit-exceeded`
   */
  read(object: StoredObject, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** What a read throws once a file is another one than was listed. */
export const changedWords = 'it was replaced while it was inspected: inspect it again';
