/** Data sets whose index lies above the directories of their shards: a merged index of MDS, a dictionary of datasets. */
import { decodeText } from '../../bytes/text.js';
import type { Claim } from '../../datasets/detectDataset.js';
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { Probe } from '../../datasets/datasetLayout.js';
import type { Listing } from '../../files/listing.js';

/** The file that names the directories, by the layout. */
const indexNames: Partial<Record<DatasetLayoutId, string>> = { mds: 'index.json', 'huggingface-dataset': 'dataset_dict.json' };

/** Whether a listing may have such an index: most have none, and their data sets need not be known. */
export function mayHaveMergedIndex(listing: Listing): boolean {
  return Object.values(indexNames).some((name) => listing.has(name));
}

/**
 * Of the claims the files of such data sets: the index, and what is claimed below the directories that its beginning names, or that differ
 * from one of these in a number alone.
 */
export async function mergedDatasets(listing: Listing, claims: readonly Claim[], probe: Probe): Promise<Claim[]> {
  const merged: Claim[] = [];
  for (const claim of claims) {
    const index = indexNames[claim.layout.id];
    if (index === undefined || !claim.paths.includes(index)) continue;
    const text = decodeText(await probe.head(index));
    const directories = new Set(claim.paths.flatMap((path) => topOf(path) ?? []));
    const named = [...directories].filter((name) => text.includes(`"${name}/`) || text.includes(`"${name}"`));
    const forms = new Set(named.map(formOf));
    const isOfIndex = (path: string): boolean => path === index || forms.has(formOf(topOf(path) ?? ''));
    const paths = claim.paths.filter(isOfIndex);
    if (named.length > 0) merged.push({ ...claim, paths, sizeBytes: bytesOf(listing, paths) });
  }
  return merged;
}

function topOf(path: string): string | undefined {
  const slash = path.indexOf('/');
  return slash === -1 ? undefined : path.slice(0, slash);
}

function formOf(name: string): string {
  return name.replace(/\d+/g, '#');
}

function bytesOf(listing: Listing, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (listing.entry(path)?.sizeBytes ?? 0), 0);
}
