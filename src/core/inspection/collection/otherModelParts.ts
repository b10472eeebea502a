/** Models among the files of another one: headers decide which these are, after all of them were read as one. */
import { otherModelOf } from '../../checkpoints/exports.js';
import type { FileEntry } from '../../files/fileTree.js';
import type { Listing } from '../../files/listing.js';
import { isPipeline } from '../../frameworks/huggingFace/pipeline.js';
import { joinPath } from '../../files/paths.js';
import { partOf } from './makeParts.js';
import type { Part } from './part.js';

/**
 * The model of a listing, and each of the others; undefined where there is no other one, and in a pipeline, whose models are parts of one.
 * @param others paths of the files of other models
 * @param root of the listing, below the inspected directory
 */
export function otherModelParts(
  listing: Listing,
  others: readonly string[] | undefined,
  root = '',
): [Part, ...Part[]] | undefined {
  if (others === undefined || others.length === 0 || isPipeline(listing)) return undefined;
  const apart = new Set(others);
  const own = listing.entries.filter(({ path }) => !apart.has(path));
  if (own.length === 0) return undefined;
  const models = new Map<string, FileEntry[]>();
  for (const entry of listing.entries) {
    if (!apart.has(entry.path)) continue;
    const model = otherModelOf(entry.path);
    models.set(model, [...(models.get(model) ?? []), entry]);
  }
  return [
    partOf(own, root, listing.rootName),
    ...[...models.values()].map((entries) => ({
      ...partOf(entries, root, listing.rootName),
      path: joinPath(root, entries[0]?.path ?? ''),
    })),
  ];
}
