import type { FileEntry, FileListing } from '../core/files/fileTree.js';

/** The entries of a listing by their paths: one map, however many files are opened at once before it is there. */
export class ListedEntries {
  private entries: Promise<Map<string, FileEntry>> | undefined;

  constructor(private readonly list: (signal?: AbortSignal) => Promise<FileListing>) {}

  /** @throws FormatError as the listing does; the next call lists again */
  byPath(signal: AbortSignal | undefined): Promise<Map<string, FileEntry>> {
    this.entries ??= this.list(signal).then(
      ({ entries }) => new Map(entries.map((entry) => [entry.path, entry])),
      (error: unknown) => {
        this.entries = undefined;
        throw error;
      },
    );
    return this.entries;
  }
}
