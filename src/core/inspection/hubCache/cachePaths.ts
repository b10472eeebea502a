/**
 * Paths in the cache of the Hugging Face Hub (huggingface_hub 2.4: constants.py, file_download.py, utils/_cache_manager.py):
 * `models--<owner>--<name>/` with `blobs/<etag>`, `refs/<ref>`, `snapshots/<commit>/<file>` and `.no_exist/<commit>/<file>`.
 */

import { repositoryTypes, type RepositoryType } from '../../text/hubRevision.js';

export interface RepositoryName {
  type: RepositoryType;
  /** `owner/name`, or the name alone. */
  id: string;
}

/** Ids on the Hub have letters, digits, `.`, `_` and `-` (utils/_validators.py); `--` takes the place of the slash. */
const directoryName = /^(model|dataset|space|kernel)s--([A-Za-z0-9][A-Za-z0-9._-]*)$/;
/** What tells a repository from a directory that has the name alone. */
const structure: ReadonlySet<string> = new Set(['blobs', 'refs', 'snapshots', '.no_exist']);

/** The repository that a directory of the cache is called after; undefined for any other name. */
export function repositoryOf(directory: string): RepositoryName | undefined {
  const [, type, id = ''] = directoryName.exec(directory) ?? [];
  const known = repositoryTypes.find((each) => each === type);
  return known === undefined ? undefined : { type: known, id: id.replaceAll('--', '/') };
}

/** A path within a repository of the cache. */
export interface CachePath {
  /** The repository's directory, relative to the inspected one; empty where that is the repository or lies in it. */
  root: string;
  name: RepositoryName;
  /** Names of directories and the file below the repository: `['refs', 'main']`. */
  inside: readonly string[];
  /** How many of them belong to the inspected directory itself: 2 for `snapshots/<commit>`. */
  above: number;
}

/**
 * Finds the repository that a listed path lies in.
 * @param above names of the inspected directory and of the two around it, that one last
 */
export function cachePathOf(above: readonly string[], path: string): CachePath | undefined {
  // Nearly all paths of other directories end here.
  if (!path.includes('s--') && !above.some((name) => name.includes('s--'))) return undefined;
  const names = [...above, ...path.split('/')];
  for (let at = 0; at < names.length - 2; at++) {
    // Locks lie in directories of the same names.
    if (names[at] === '.locks') return undefined;
    const name = repositoryOf(names[at] ?? '');
    if (name === undefined || !structure.has(names[at + 1] ?? '')) continue;
    const inside = names.slice(at + 1);
    const inAbove = Math.max(0, above.length - at - 1);
    // Deeper than a revision there is nothing that the cache itself has laid out.
    if (inAbove > 1 && inside[0] !== 'snapshots') return undefined;
    return { root: names.slice(above.length, at + 1).join('/'), name, inside, above: inAbove };
  }
  return undefined;
}

/** Names of a directory and of the two around it, for `cachePathOf`. */
export function namesAbove(location: string): string[] {
  return location
    .split(/[\\/]+/)
    .filter((name) => name !== '' && name !== '.')
    .slice(-3);
}
