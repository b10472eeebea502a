import type { FileEntry } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import type { LayoutId } from '../report/checkpointReport.js';
import type { ReadContext, ReadResult } from './readFiles.js';

/** The listing as layouts look at it. */
export class Listing {
  private readonly atRoot: ReadonlySet<string>;

  constructor(
    /** Last part of the inspected path. */
    readonly rootName: string,
    readonly entries: readonly FileEntry[],
  ) {
    this.atRoot = new Set(entries.filter((entry) => parentPath(entry.path) === '').map((entry) => entry.path));
  }

  /** True where a file was inspected, not a directory. */
  get isSingleFile(): boolean {
    return this.entries.length === 1 && this.entries[0]?.path === this.rootName;
  }

  /** A file directly in the inspected directory. */
  has(name: string): boolean {
    return this.atRoot.has(name);
  }

  /** Any file directly in the inspected directory whose name matches. */
  hasMatch(pattern: RegExp): boolean {
    return [...this.atRoot].some((name) => pattern.test(name));
  }

  /** Base names of all files, below the root too. */
  baseNames(): string[] {
    return this.entries.map((entry) => baseName(entry.path));
  }
}

/** A directory layout: which files a framework writes and what each means. Opens them through formats only. */
export interface Layout {
  readonly id: LayoutId;
  /** How sure the names make it: 0 not this layout, 1 beyond doubt. The most specific of the highest wins. */
  match(listing: Listing): number;
  read(context: ReadContext, listing: Listing): Promise<ReadResult>;
}
