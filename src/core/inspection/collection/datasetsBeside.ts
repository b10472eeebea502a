/** Which files beside a checkpoint are data sets, and which of them are worth a row. */
import type { Probe } from '../../datasets/datasetLayout.js';
import { claimDatasets, type Claim } from '../../datasets/detectDataset.js';
import { isBareName, isNamedAsTokens, statedDtype } from '../../datasets/layouts/tokenArray/tokenNames.js';
import { findFileSets } from '../../checkpoints/fileSets/fileSets.js';
import { asyncFilter } from '../../files/asyncFilter.js';
import { firstArrayOf } from '../../formats/numpy/numpyArchive.js';
import type { RoleId } from '../../files/roleLabels.js';
import { Listing } from '../../files/listing.js';
import { logName } from '../../files/logNames.js';
import { baseName } from '../../files/paths.js';
import { fileRoles } from '../../frameworks/layouts.js';
import { PLAIN_BYTES, RECORD_BYTES } from './heldDirectories.js';

/** What evaluations write as records: it stays with the checkpoint. */
const outputName = /(predictions?|generations?|samples|outputs|completions|responses)[^/]*$/i;

export function isWorthARow({ layout, paths, sizeBytes }: Claim): boolean {
  if (paths.every((path) => logName.test(baseName(path)))) return false;
  return sizeBytes >= (layout.id === 'text' ? PLAIN_BYTES : layout.id === 'jsonl' ? RECORD_BYTES : 0);
}

/** Roles that say nothing of what a file is part of: every other is one that a framework gives its files. */
const freeRoles: ReadonlySet<RoleId> = new Set<RoleId>([
  'unrecognised',
  'log',
  'table',
  'records',
  'configuration',
  'torch-file',
  'array',
  'arrays',
]);

/** The files of a directory that are no checkpoint's by their names. */
export function filesBesideCheckpoint(listing: Listing): Listing {
  const inSets = new Set(findFileSets(listing, fileRoles).flatMap(({ set }) => set.paths));
  return new Listing(
    listing.rootName,
    listing.entries.filter(({ path }) => !inSets.has(path) && freeRoles.has(fileRoles.of(path).role)),
  );
}

/** What is left of the claims beside a checkpoint: notes and logs of its own are no data set. */
export async function claimsBeside(free: Listing, probe: Probe): Promise<Claim[]> {
  const claims = await claimDatasets(free, probe);
  const named = await asyncFilter(
    claims.flatMap(({ layout, paths }) => (layout.id === 'token-array' ? paths : [])),
    (path) => isNamedForTokens(path, probe),
  );
  return claims.flatMap((claim) => worthBeside(claim, free, new Set(named)));
}

/** Whether the name of a file, or that of the first array in an archive, says that there are tokens. */
async function isNamedForTokens(path: string, probe: Probe): Promise<boolean> {
  if (isBareName(path) || statedDtype(path) !== undefined) return true;
  const first = path.endsWith('.npz') ? firstArrayOf(await probe.head(path)) : undefined;
  return first !== undefined && isNamedAsTokens(first.name);
}

function worthBeside(claim: Claim, { entries }: Listing, named: ReadonlySet<string>): Claim[] {
  const { id } = claim.layout;
  const sizes = new Map(entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const bytesOf = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  const keep = (paths: string[]): Claim[] => (paths.length === 0 ? [] : [{ ...claim, paths, sizeBytes: bytesOf(paths) }]);
  if (id === 'token-array') return keep(claim.paths.filter((path) => named.has(path)));
  if (id !== 'jsonl' && id !== 'text') return keep(claim.paths);
  const data = claim.paths.filter((path) => !logName.test(baseName(path)));
  if (bytesOf(data) >= PLAIN_BYTES) return keep(data);
  // A bare `.json` is mostly what a program notes of itself, as the list of its modules.
  const records = data.filter((path) => id === 'jsonl' && !/\.json$/i.test(path) && !outputName.test(baseName(path)));
  return bytesOf(records) >= RECORD_BYTES ? keep(records) : [];
}
