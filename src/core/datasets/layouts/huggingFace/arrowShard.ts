import type { ArrowContents } from '../../../formats/arrow/arrowContents.js';
import type { Shard } from '../../datasetParts.js';

/** An Arrow file that holds rows. */
export interface ArrowShard {
  contents: ArrowContents;
  shard: Shard;
}
