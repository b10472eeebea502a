/** What a distributed save holds, by its metadata. */
import type { DistributedMetadata } from '../../formats/torch/distributedMetadata.js';

/** One metadata file, and where its items' files are in the listing. */
export interface Saved {
  path: string;
  metadata: DistributedMetadata;
  /** Paths of `metadata.files` from the root of the listing. */
  paths: string[];
  /** Positions in the listing; undefined for a file that is not there. */
  files: (number | undefined)[];
  /** Where the items of each file end, and whether its outer items are in frames of their own. */
  extents: FileExtent[];
}

export interface FileExtent {
  end: number;
  isFirstCompressed: boolean;
  isLastCompressed: boolean;
}
