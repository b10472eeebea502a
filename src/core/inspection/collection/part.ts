/** One of several things below a directory, with its files. */
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import type { Listing } from '../../files/listing.js';
import { baseName, joinPath } from '../../files/paths.js';
import type { PartName } from './partName.js';
import type { CacheReport, RevisionReport } from '../hubCache/cacheReport.js';

export interface Part {
  /** What to inspect for it alone: a directory or a file. */
  path: string;
  /** Where its files are. */
  root: string;
  /** Its files, relative to the root; of a single file its name. */
  listing: Listing;
  /** Of a data set whose files lie among those of other parts. */
  layout?: DatasetLayoutId;
  /** Of a checkpoint whose files lie among those of another one. */
  name?: PartName;
  /** Opens its files where these do not lie at their paths below the root. */
  tree?: FileTree;
  /** Of a revision in the cache of the Hub. */
  revision?: RevisionReport;
}

export interface Parts {
  parts: Part[];
  /** Files that belong to none of them. */
  other: FileEntry[];
  cache?: CacheOfParts;
}

/** The cache that parts are of: its files are no plain sum, as revisions share blobs. */
export interface CacheOfParts {
  report: CacheReport;
  /** True where the whole directory is one cache. */
  isAll: boolean;
  /** What counts, each file once. */
  counted: readonly FileEntry[];
  checks: { done: string[]; notDone: string[] };
}

/** The paths of a part's files, relative to the inspected directory. */
export function pathsOf({ root, listing }: Part): string[] {
  return listing.isSingleFile && baseName(root) === listing.rootName
    ? [root]
    : listing.entries.map(({ path }) => joinPath(root, path));
}
