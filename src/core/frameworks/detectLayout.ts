import type { Layout } from '../checkpoints/layout.js';
import type { Listing } from '../files/listing.js';
import { layouts, singleFileLayouts } from './layouts.js';
import { unknownLayout } from './looseFiles/layout.js';

/** Answers by listing: these never change, and the search for what lies below a directory asks again at each step. */
const detected = new WeakMap<Listing, Layout>();

/** The layout that claims the listing with the most confidence. There is always one: `unknown` claims everything, a little. */
export function detectLayout(listing: Listing): Layout {
  const known = detected.get(listing) ?? matchLayouts(listing);
  detected.set(listing, known);
  return known;
}

function matchLayouts(listing: Listing): Layout {
  let best: Layout = unknownLayout;
  let confidence = 0;
  for (const layout of listing.isSingleFile ? singleFileLayouts : layouts) {
    const match = layout.match(listing.withoutSideFiles);
    if (match > confidence) [best, confidence] = [layout, match];
  }
  return best;
}
