import type { Listing } from '../files/listing.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { ReadResult } from './readFiles.js';
import type { ReadContext } from './reading/readContext.js';

/** A directory layout: which files a framework writes and what each means. Opens them through formats only. */
export interface Layout {
  readonly id: LayoutId;
  /** How sure the names make it: 0 not this layout, 1 beyond doubt. The most specific of the highest wins. */
  match(listing: Listing): number;
  read(context: ReadContext, listing: Listing): Promise<ReadResult>;
}
