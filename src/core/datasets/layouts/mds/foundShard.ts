import type { MdsShardEntry } from '../../../formats/mds/mdsIndex.js';

/** A shard of an index with the files of it that are here. */
export interface FoundShard {
  index: string;
  entry: MdsShardEntry;
  /** What is read: the uncompressed file, or else the compressed one. */
  path: string;
  isZip: boolean;
  /** The compressed file beside an uncompressed one. */
  copy: string | undefined;
  meta: string | undefined;
  zipMeta: string | undefined;
}
