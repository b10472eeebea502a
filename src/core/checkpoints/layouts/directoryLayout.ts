import type { LayoutId } from '../../text/frameworkLabels.js';
import type { Rule } from '../roles/fileRule.js';
import type { Layout } from '../layout.js';
import type { Listing } from '../../files/listing.js';
import { readFiles, type ReadResult } from '../readFiles.js';

/** A layout whose files are all read by their roles, `rules` first; `describe` then fills in what they say together. */
export function directoryLayout(
  id: LayoutId,
  match: (listing: Listing) => number,
  describe: (result: ReadResult, listing: Listing) => void,
  rules: readonly Rule[] = [],
): Layout {
  return {
    id,
    match,
    async read(context, listing) {
      const result = await readFiles(context, listing, context.roles.within(rules));
      result.parts.layout = id;
      describe(result, listing);
      return result;
    },
  };
}

/**
 * Confidence for saves found by their directories: sure of one here, nearly of one in a directory below, and of several rather not, as
 * these are a run.
 */
export function confidenceOfSaves(directories: ReadonlySet<string>): number {
  if (directories.has('')) return 0.92;
  const below = [...directories].filter((directory) => !directory.includes('/')).length;
  return below === 0 ? 0 : below === 1 ? 0.9 : 0.6;
}
