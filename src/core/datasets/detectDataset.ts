/** Which datasets lie below a root: each layout claims its files, the most specific first. */
import type { FileEntry } from '../files/fileTree.js';
import type { Listing } from '../files/listing.js';
import { baseName, parentPath } from '../files/paths.js';
import { projectName } from '../files/projectFiles.js';
import { isRepositoryInternal } from '../files/repositoryInternals.js';
import { isSideFile } from '../files/sideFiles.js';
import type { DatasetLayout, Probe } from './datasetLayout.js';
import { holdsContent } from './holdsContent.js';
import { isIndexCache } from './layouts/megatron/indexCache.js';
import { arrayRecord } from './layouts/arrayRecord.js';
import { dataTrove } from './layouts/dataTrove.js';
import { huggingFaceDataset } from './layouts/huggingFaceDataset.js';
import { jsonLines } from './layouts/jsonLines.js';
import { litData } from './layouts/litData.js';
import { mds } from './layouts/mds.js';
import { megatronIndexed } from './layouts/megatronIndexed.js';
import { parquet } from './layouts/parquet.js';
import { textFiles } from './layouts/textFiles.js';
import { tfRecord } from './layouts/tfRecord.js';
import { tokenArray } from './layouts/tokenArray.js';
import { webDataset } from './layouts/webDataset.js';

/** The most specific first: what one claims is not offered to those after it. */
export const datasetLayouts: readonly DatasetLayout[] = [
  megatronIndexed,
  mds,
  litData,
  dataTrove,
  huggingFaceDataset,
  webDataset,
  parquet,
  arrayRecord,
  tfRecord,
  tokenArray,
  jsonLines,
  textFiles,
];

export interface Claim {
  layout: DatasetLayout;
  paths: string[];
  sizeBytes: number;
}

/** Answers by listing: these never change, and are asked for again at each step of an inspection. */
const claimed = new WeakMap<Listing, { probe: Probe; claims: Promise<Claim[]> }>();

/** The claims on a listing, the largest first; empty where nothing is a dataset. */
export function claimDatasets(listing: Listing, probe: Probe): Promise<Claim[]> {
  const known = claimed.get(listing);
  if (known?.probe === probe) return known.claims;
  const claims = findClaims(listing, probe);
  claimed.set(listing, { probe, claims });
  return claims;
}

async function findClaims(listing: Listing, probe: Probe): Promise<Claim[]> {
  const claims: Claim[] = [];
  let free: readonly FileEntry[] = listing.entries.filter(
    (entry) =>
      isOpen(entry) &&
      !isRepositoryInternal(entry.path) &&
      !isSideFile(entry.path) &&
      !listing.isLeftover(entry.path) &&
      !projectName.test(entry.path),
  );
  for (const layout of datasetLayouts) {
    const own = await layout.claim(free, listing, probe);
    if (own.length > 0) {
      const paths = [...own, ...(await unreadSiblings(layout, own, free, probe))];
      const taken = new Set(paths);
      const sizeBytes = free.reduce((sum, entry) => sum + (taken.has(entry.path) ? entry.sizeBytes : 0), 0);
      free = free.filter(({ path }) => !taken.has(path));
      claims.push({ layout, paths, sizeBytes });
    }
    // The index cache of a corpus belongs to no other dataset.
    if (layout === megatronIndexed) free = free.filter(({ path }) => !isIndexCache(path));
  }
  return claims.sort((a, b) => b.sizeBytes - a.sizeBytes);
}

/** Files beside those that are claimed, called as the layout's are, of which nothing can be known. */
async function unreadSiblings(
  { mayBeNamed }: DatasetLayout,
  own: readonly string[],
  free: readonly FileEntry[],
  probe: Probe,
): Promise<string[]> {
  if (mayBeNamed === undefined) return [];
  const claimed = new Set(own);
  const places = new Set(own.filter(mayBeNamed).map(parentPath));
  const found: string[] = [];
  for (const { path, sizeBytes } of free) {
    if (claimed.has(path) || !mayBeNamed(path) || !places.has(parentPath(path)) || !probe.isSampled(path)) continue;
    if (sizeBytes === 0 || !holdsContent(await probe.head(path))) found.push(path);
  }
  return found;
}

/** A tree of so many files, most of them something else than text and JSON lines, is a project and no corpus. */
const MANY_FILES = 100;

/**
 * True where the claims are most of what is there. Settings, tokenizers and notes lie beside datasets and beside checkpoints alike:
 * they decide nothing.
 */
export function areMostOf(claims: readonly Claim[], listing: Listing): boolean {
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  if (claimed.size === 0) return false;
  const isPlain = claims.every(({ layout }) => layout.id === 'text' || layout.id === 'jsonl');
  if (isPlain && listing.entries.length > MANY_FILES && claimed.size < listing.entries.length / 2) return false;
  let claimedBytes = 0;
  let otherBytes = 0;
  for (const { path, sizeBytes } of listing.entries) {
    if (claimed.has(path)) claimedBytes += sizeBytes;
    else if (!isBeside(path)) otherBytes += sizeBytes;
  }
  return claimedBytes >= otherBytes;
}

/** Files that say nothing about what they lie beside. */
export function isBeside(path: string): boolean {
  if (isRepositoryInternal(path) || isSideFile(path) || isIndexCache(path)) return true;
  return /(^|\/)\.|\.(json|ya?ml|toml|md|py|sh|lock|log|model|vocab|pkl|txt|html?)$|^(LICENSE|README)/i.test(baseName(path));
}

/** Links count where they point to. A file that cannot be opened is claimed by its name, and counts as unread. */
function isOpen({ link }: FileEntry): boolean {
  return link?.isDirectory !== true && link?.inside !== true;
}
