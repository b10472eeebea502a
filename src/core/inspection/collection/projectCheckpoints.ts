/** Checkpoints that lie in directories of a project, among its source code. */
import { findFileSets } from '../../checkpoints/fileSets/fileSets.js';
import { plainReaders } from '../../checkpoints/roles/fileRule.js';
import type { Listing } from '../../files/listing.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { isPipeline } from '../../frameworks/huggingFace/pipeline.js';
import { fileRoles } from '../../frameworks/layouts.js';

/**
 * True where every file of a checkpoint lies in a directory that is as surely one by itself, and source code lies beside these: then the
 * directories are checkpoints, and the listing is a project.
 * @param below what lies in a directory of the listing, by its name
 */
export function isProject(listing: Listing, below: (name: string) => Listing): boolean {
  const code = new Set(
    listing.entries.filter(({ path }) => fileRoles.of(path).role === 'source-code').map(({ path }) => topOf(path)),
  );
  if (code.size === 0 || isPipeline(listing)) return false;
  const inSets = new Set(findFileSets(listing, fileRoles).flatMap(({ set }) => set.paths));
  const isOfCheckpoint = (path: string): boolean => inSets.has(path) || !plainReaders.has(fileRoles.of(path).reader);
  const names = new Set(listing.entries.filter(({ path }) => isOfCheckpoint(path)).map(({ path }) => topOf(path)));
  const hasCode = [...code].some((name) => !names.has(name));
  if (names.size === 0 || names.has('') || !hasCode) return false;
  const confidence = detectLayout(listing).match(listing.withoutSideFiles);
  return [...names].every((name) => confidenceOf(below(name)) >= confidence);
}

function confidenceOf(listing: Listing): number {
  return detectLayout(listing).match(listing.withoutSideFiles);
}

/** The first directory of a path; empty for a file of the listing itself. */
function topOf(path: string): string {
  const slash = path.indexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}
