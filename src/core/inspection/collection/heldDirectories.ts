/** Directories that may hold a part, by the names and sizes of what lies below them: a repository has thousands that hold none. */
import type { FileEntry } from '../../files/fileTree.js';
import { baseName, parentPath } from '../../files/paths.js';
import { isInstalledPackage } from '../../files/installedPackages.js';
import { projectName } from '../../files/projectFiles.js';

/** Text and tables are in every project: fewer bytes of them are no data set. */
export const PLAIN_BYTES = 1_000_000;
/** A few records are settings or an example. */
export const RECORD_BYTES = 4_000;
/** Fewer bytes than this under a name that says nothing are no state: pointers and marks, which lie beside it. */
const NAMELESS_BYTES = 1_000;

/** Settings and notes of tools. */
const otherName =
  /^(package(-lock)?|tsconfig.*|.*config)\.json$|\.(ini|lock|ipynb)$|^(LICENSE|NOTICE|README|CHANGELOG|Makefile|Dockerfile|\.git(ignore|attributes|keep)|\.npmignore)$/is;
const objectsOfGit = /(^|\/)\.git\//;
const recordName = /\.json$/i;
const textName = /\.(txt|text|csv|tsv)$/i;
/** Neither an extension nor a number: scripts, pointers and notes; state too. */
const namelessName = /^[A-Za-z][\w-]*$/;
/** Files that lead to others, whatever their size. */
const indexName = /(^|\.)(index|state|metadata|dataset_(info|dict)s?|manifest|zarr)\.json$|^_/i;

/**
 * The paths of these directories, each with those around it; the root is the empty path.
 * @param mayHold false for a path that is known to be no file of a part, whatever its name leaves open
 */
export function heldDirectories(
  entries: readonly FileEntry[],
  mayHold: (path: string) => boolean = () => true,
): ReadonlySet<string> {
  const held = new Set<string>();
  const records = new Map<string, number>();
  const texts = new Map<string, number>();
  const nameless = new Map<string, number>();
  for (const { path, sizeBytes } of entries) {
    const name = baseName(path);
    if (projectName.test(name) || otherName.test(name)) continue;
    if (objectsOfGit.test(path) || isInstalledPackage(path)) continue;
    const directory = parentPath(path);
    if (recordName.test(name) && !indexName.test(name)) addBytes(records, directory, sizeBytes);
    else if (textName.test(name)) addBytes(texts, directory, sizeBytes);
    else if (namelessName.test(name)) addBytes(nameless, directory, sizeBytes);
    else if (!held.has(directory) && mayHold(path)) addWithParents(held, directory);
  }
  addLarge(held, records, RECORD_BYTES);
  addLarge(held, texts, PLAIN_BYTES);
  addLarge(held, nameless, NAMELESS_BYTES);
  return held;
}

function addBytes(bytesOf: Map<string, number>, directory: string, sizeBytes: number): void {
  bytesOf.set(directory, (bytesOf.get(directory) ?? 0) + sizeBytes);
}

function addWithParents(held: Set<string>, directory: string): void {
  for (let each = directory; !held.has(each); each = parentPath(each)) held.add(each);
}

/** Directories with so many bytes in all that lies below them. */
function addLarge(held: Set<string>, bytesOf: ReadonlyMap<string, number>, least: number): void {
  const sums = new Map<string, number>();
  for (const [directory, bytes] of bytesOf) {
    for (let each = directory; ; each = parentPath(each)) {
      sums.set(each, (sums.get(each) ?? 0) + bytes);
      if (each === '') break;
    }
  }
  for (const [directory, bytes] of sums) if (bytes >= least) held.add(directory);
}
