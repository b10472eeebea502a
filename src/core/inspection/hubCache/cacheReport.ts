import type { HubRevision, RepositoryType } from '../../text/hubRevision.js';

/**
 * What the bytes of a cache are. `revision`: exactly one revision has them. `shared`: several do. `unlinked`: blobs that no snapshot
 * links. `parts`: things that are listed beside the repositories. `other`: all that is left.
 */
export const cacheByteKinds = [
  'revision',
  'shared',
  'unlinked',
  'incomplete',
  'xet',
  'locks',
  'metadata',
  'parts',
  'other',
] as const;

export type CacheByteKind = (typeof cacheByteKinds)[number];

export interface CacheUsage {
  kind: CacheByteKind;
  bytes: number;
  files: number;
}

export interface CacheRepositoryReport {
  type: RepositoryType;
  /** `owner/name`. */
  id: string;
  /** Relative to the inspected path. */
  path: string;
  revisions: number;
  /** Blobs, or files in place of links, that revisions have: each once. */
  files: number;
  /** Their bytes. */
  bytes: number;
  /** False where huggingface_hub leaves the repository out of `hf cache`: a broken link, or a ref without its revision. */
  isConsistent: boolean;
}

/** The cache of the Hugging Face Hub below a directory. */
export interface CacheReport {
  /** Which revisions share bytes is known by links; blobs are not compared. */
  basis: 'names';
  /** Sum to `totalBytes`, and to all files that are no links. */
  usage: CacheUsage[];
  /** The largest first. */
  repositories: CacheRepositoryReport[];
  /** What `hf cache prune` removes and frees (`storeFiles`: of the store that repositories share); null where the listing is incomplete, or refs are not part of it. */
  prune: { revisions: string[]; incompleteFiles: number; storeFiles: number; bytes: number } | null;
}

/** What the row of a revision says of it besides its report. */
export interface RevisionReport extends HubRevision {
  /** Files that no other revision has. */
  ownFiles: number;
  /** Their bytes: freed when this revision is removed. */
  ownBytes: number;
  /** Bytes that other revisions have, too. */
  sharedBytes: number;
  /** Models, data sets and runs in it: of several, the row has the layout and the numbers of the largest, and the gravest verdict. */
  parts: number;
  /** Links to blobs that are not there. */
  brokenLinks: number;
}
