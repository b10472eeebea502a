/**
 * Files of a dataset that repeat others of it: a directory or a set of shards that was copied beside itself. Names and sizes choose what
 * is compared, and the bytes at some places decide.
 */
import { throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { evenly } from '../bytes/sampledBytes.js';
import type { Listing } from '../files/listing.js';
import { FEWEST_PLACES, MOST_PLACES, PLACES_OF_ALL, repeatsBeginning, type FilePair } from '../files/comparedFiles.js';
import type { OpenContext } from '../files/openFiles.js';
import { runOrdered } from '../files/orderedPool.js';
import { baseName, parentPath } from '../files/paths.js';
import { possibleOriginals } from '../files/secondCopies.js';
import { parseShardName } from './shardNames.js';
import { isSplitName } from './splitName.js';
import type { DatasetLayoutId } from './datasetReport.js';
import type { Claim } from './detectDataset.js';
import type { Finding } from '../findings/finding.js';

/** A file and the one that it repeats. */
export interface CopiedFile {
  path: string;
  original: string;
  sizeBytes: number;
  /** False for one of too many, which goes with those that were copied together with it. */
  isCompared: boolean;
}

/** Layouts whose shards need an index: a copied index without its shards is none of these, nor are the shards a data set without it. */
const indexedLayouts: ReadonlySet<DatasetLayoutId> = new Set<DatasetLayoutId>([
  'mds',
  'litdata',
  'megatron-indexed',
  'huggingface-dataset',
  'datatrove',
]);

/**
 * The files of one layout that are copies of others of it, whole or as far as a copy came. Reads at most `limits.allCopiesBytes`. A file
 * that cannot be read is no copy.
 * @throws FormatError `cancelled`
 */
export async function findCopiedFiles(context: OpenContext, listing: Listing, { layout, paths }: Claim): Promise<CopiedFile[]> {
  const candidates = candidatesIn(listing, paths);
  const chosen = evenly(candidates, Math.floor(PLACES_OF_ALL / FEWEST_PLACES));
  const places = Math.min(MOST_PLACES, Math.floor(PLACES_OF_ALL / Math.max(1, chosen.length)));
  const equal = new Map<Candidate, boolean>();
  await runOrdered(chosen, limits.concurrentReads, async (file) => {
    throwIfCancelled(context.signal);
    equal.set(file, await repeatsBeginning(context, file, places));
  });
  const differing = new Set(chosen.filter((file) => equal.get(file) !== true).map(setOf));
  const compared = new Set(chosen.map(setOf));
  const isCopy = (file: Candidate): boolean => {
    const isOfEqualSet = compared.has(setOf(file)) && !differing.has(setOf(file));
    return isOfEqualSet || (equal.get(file) === true && !indexedLayouts.has(layout.id));
  };
  return candidates.filter(isCopy).map((file) => ({ ...file, isCompared: equal.has(file) }));
}

type Candidate = FilePair;

/** What was copied together: a directory, or the files of one name in the directory of the originals. */
function setOf({ path, original }: Candidate): string {
  const directory = parentPath(path);
  return directory === parentPath(original) ? path.replace(/\.[^/]*$/, '') : `${directory}/`;
}

function candidatesIn(listing: Listing, paths: readonly string[]): Candidate[] {
  const own = new Set(paths);
  const inDirectories = originalsInDirectories(listing, paths);
  return paths.flatMap((path) => {
    const original = possibleOriginals(path).find((each) => own.has(each)) ?? inDirectories.get(path);
    const [file, first] = [path, original].map((each) => (each === undefined ? undefined : listing.entry(each)));
    if (original === undefined || file?.error !== undefined || first?.error !== undefined) return [];
    return [{ path, original, sizeBytes: file?.sizeBytes ?? 0, originalBytes: first?.sizeBytes ?? 0 }];
  });
}

/**
 * What the files of a directory may be copies of where another directory has each of them, with the same name and size (`backup`): that
 * with the most files, and the first of equals. Splits may have shards of the same names.
 */
function originalsInDirectories(listing: Listing, paths: readonly string[]): ReadonlyMap<string, string> {
  const directories = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const directory = parentPath(path);
    const files = directories.get(directory) ?? new Map<string, string>();
    directories.set(directory, files.set(`${baseName(path)}\n${listing.entry(path)?.sizeBytes ?? 0}`, path));
  }
  const originals = new Map<string, string>();
  const inOrder = [...directories].sort(([a, own], [b, others]) => others.size - own.size || a.length - b.length);
  const placesOf = new Map<string, string[]>();
  for (const [directory, files] of inOrder) {
    const [key = ''] = files.keys();
    const holdsAll = (place: string): boolean => [...files.keys()].every((each) => directories.get(place)?.has(each) === true);
    const place = mayHoldCopies(directory, files.values()) ? placesOf.get(key)?.find(holdsAll) : undefined;
    for (const [each, path] of files) {
      const original = place === undefined ? undefined : directories.get(place)?.get(each);
      if (original !== undefined) originals.set(path, original);
      placesOf.set(each, [...(placesOf.get(each) ?? []), directory]);
    }
  }
  return originals;
}

const backupName = /^\.?(?:back-?ups?|baks?|old|copy|copies|archived?|previous|prev|tmp|temp|trash)(?:[-_.]?\d+)?$/i;

/** Directories that are called as backups are, and those of numbered shards of which each is complete by its name. */
function mayHoldCopies(directory: string, files: Iterable<string>): boolean {
  const names = directory.split('/');
  if (names.some((name) => backupName.test(name))) return true;
  return !names.some((name) => isSplitName(name)) && [...files].every((path) => parseShardName(path) !== undefined);
}

/** One finding for the copies in each directory. */
export function findingsOfCopies(copies: readonly CopiedFile[]): Finding[] {
  const directories = new Map<string, CopiedFile[]>();
  for (const copy of copies) {
    if (copy.sizeBytes === 0) continue;
    const directory = parentPath(copy.path);
    directories.set(directory, [...(directories.get(directory) ?? []), copy]);
  }
  return [...directories.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const repeatedBytes = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const compared = own.filter(({ isCompared }) => isCompared).length;
    const facts = { files: own.length, repeatedBytes, original: first.original, compared };
    return [{ code: 'shard-copied' as const, path: first.path, facts }];
  });
}
