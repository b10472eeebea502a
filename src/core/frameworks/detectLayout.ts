import type { Layout } from '../checkpoints/layout.js';
import type { Listing } from '../files/listing.js';
import { layouts, singleFileLayouts } from './layouts.js';
import { unknownLayout } from './looseFiles/layout.js';

/** The layout that claims the listing with the most confidence. There is always one: `unknown` claims everything, a little. */
export function detectLayout(listing: Listing): Layout {
  let best: Layout = unknownLayout;
  let confidence = 0;
  for (const layout of listing.isSingleFile ? singleFileLayouts : layouts) {
    const match = layout.match(listing);
    if (match > confidence) [best, confidence] = [layout, match];
  }
  return best;
}
