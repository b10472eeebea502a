import { linkWithoutTarget, type FileEntry } from '../../files/fileTree.js';
import { baseName } from '../../files/paths.js';
import type { CachedRepository, CachedRevision } from './findHubCache.js';
import type { LinkTargets } from '../../files/linkTargets.js';

export interface RevisionFiles {
  /** By their names in the repository, with the size of the blob that a link ends at. */
  entries: FileEntry[];
  /** The listed path to open for each. */
  places: Map<string, string>;
}

/** The files of a revision as a loader sees them. A blob with two names counts at the first, the second is a link to it. */
export function revisionFiles({ root, files }: CachedRevision, targets: LinkTargets): RevisionFiles {
  const places = new Map<string, string>();
  const seen = new Set<string>();
  const entries = files.map((entry): FileEntry => {
    const path = root === '' ? entry.path : entry.path.slice(root.length + 1);
    if (entry.error !== undefined) return { ...entry, path, error: errorOf(entry) };
    if (entry.link?.isDirectory === true) return { ...entry, path };
    const key = targets.keyOf(entry);
    if (seen.has(key)) return { ...entry, path, sizeBytes: 0, link: { target: entry.link?.target ?? '', inside: true } };
    seen.add(key);
    const file = targets.fileOf(entry);
    places.set(path, file?.path ?? entry.path);
    return { ...(file ?? entry), path };
  });
  return { entries, places };
}

/** True for a link to a blob that is not there. */
export function isBrokenLink({ link, error }: FileEntry): boolean {
  return link !== undefined && error === linkWithoutTarget;
}

/** False where `_scan_cached_repo` of huggingface_hub/utils/_cache_manager.py raises, so that `hf cache` leaves the repository out. */
export function isConsistent({ missingRefs, revisions }: CachedRepository): boolean {
  return missingRefs.length === 0 && !revisions.some(({ files }) => files.some(isBrokenLink));
}

function errorOf(entry: FileEntry): string {
  return isBrokenLink(entry) ? `blob ${baseName(entry.link?.target ?? '')} is not there` : (entry.error ?? '');
}
