import type { Layout } from '../checkpoints/layout.js';
import type { Listing } from '../files/listing.js';
import type { LayoutId } from '../text/frameworkLabels.js';

/** Layouts that say no more than what kind of files there are: a dataset may have the same. */
const looseLayouts = new Set<LayoutId>(['unknown', 'torch-file', 'numpy']);
/** A layout that is no surer than this has seen settings and no weights: those lie beside datasets too, for the size of the vocabulary. */
const SETTINGS_ALONE = 0.3;

/** False where names make sure that a framework saved a checkpoint. */
export function mayBeDataset(layout: Layout, listing: Listing): boolean {
  return looseLayouts.has(layout.id) || layout.match(listing.withoutSideFiles) <= SETTINGS_ALONE;
}
