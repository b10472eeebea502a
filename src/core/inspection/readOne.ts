/** Reads a listing that is one thing: a data set, a checkpoint, or a run of them. */
import { loadChecker } from '../loading/checkLoad.js';
import { appendAll } from '../bytes/appendAll.js';
import { throwIfCancelled } from '../bytes/formatError.js';
import { buildReport } from '../checkpoints/buildReport.js';
import { compareCopies } from '../checkpoints/compareCopies.js';
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { placeReport } from '../checkpoints/placeReport.js';
import type { LoadContext } from '../loading/loadContext.js';
import { onlyDirectories, type InnerDirectory } from '../checkpoints/runs/onlyDirectory.js';
import { buildDatasetReport } from '../datasets/buildDatasetReport.js';
import type { DatasetReport } from '../datasets/datasetReport.js';
import { areMostOf, claimDatasets, type Claim } from '../datasets/detectDataset.js';
import { readDataset, type DatasetContext } from '../datasets/readDataset.js';
import type { Listing } from '../files/listing.js';
import { joinPath } from '../files/paths.js';
import { subTree } from '../files/subTree.js';
import { describeFindings, limitFindings } from '../findings/describeFindings.js';
import type { Finding } from '../findings/finding.js';
import { detectLayout } from '../frameworks/detectLayout.js';
import { TensorTable } from '../tensors/tensorTable.js';
import { mayBeDataset } from './kindOfListing.js';
import { withSystemFiles } from './readSystemFiles.js';
import { readRun } from './runs/readRun.js';
import { findRun } from './runs/run.js';

/** What reading needs, whatever it turns out to be. */
export interface InspectContext extends LoadContext, DatasetContext {}

export interface Read<R> {
  report: R;
  /** Empty for a data set. */
  tensors: TensorTable;
  /** Paths of files that hold another model than the one of the checkpoint, which only their headers tell. */
  otherModels?: readonly string[];
}

/** The report of one thing. `io.elapsedMs` is left to the caller. */
export async function readOne(
  context: InspectContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<CheckpointReport | DatasetReport>> {
  const own = listing.withoutSystemFiles;
  const data = await readIfDataset(context, listing, found, path);
  if (data !== undefined) return data;
  const read = await readListing({ ...context, entries: own.entries }, own, found, path);
  if (own === listing) return read;
  const kept = new Set(own.entries);
  const others = listing.entries.filter((entry) => !kept.has(entry));
  return { ...read, ...(await withSystemFiles(context, others, read)) };
}

/**
 * Reads the listing as a data set, where it is one: no framework's checkpoint, and most of its bytes claimed by dataset layouts.
 * Undefined for all others.
 */
async function readIfDataset(
  context: InspectContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<DatasetReport> | undefined> {
  const own = listing.withoutSystemFiles;
  if (!mayBeDataset(detectLayout(own), own) || findRun(own) !== undefined) return undefined;
  const claims = await claimDatasets(own, context.probe);
  if (!hasClaims(claims) || !areMostOf(claims, own)) return undefined;
  const parts = await readDataset(context, listing, claims);
  appendAll(parts.findings, found);
  return { report: buildDatasetReport(parts, path, context.counter), tensors: new TensorTable() };
}

function hasClaims(claims: Claim[]): claims is [Claim, ...Claim[]] {
  return claims.length > 0;
}

/** Reads a run, a checkpoint, or what lies in the only directory of one that has nothing else. */
async function readListing(
  context: LoadContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<CheckpointReport>> {
  const run = findRun(listing);
  const inner = directoryOfLayout(listing);
  if (inner !== undefined && (run?.members.length ?? 0) < 2) {
    const own = { ...context, tree: subTree(context.tree, inner.root, inner.listing.entries), entries: inner.listing.entries };
    const { report, tensors, otherModels = [] } = await readListing(own, inner.listing, [], path);
    const placed = placeReport(report, (name) => (name === '' ? inner.root : joinPath(inner.root, name)));
    return {
      report: { ...placed, findings: limitFindings([...describeFindings(found), ...placed.findings]) },
      tensors,
      otherModels: otherModels.map((name) => joinPath(inner.root, name)),
    };
  }
  return run === undefined ? await readCheckpoint(context, listing, found, path) : await readRun(context, run, found, path);
}

/**
 * Of the directories that have nothing but the next one, that which a layout knows best, and the innermost of equals: the name of the
 * last may say what only the one around it can read (`iter_0000005/mp_rank_00`). Undefined for the listing itself.
 */
function directoryOfLayout(listing: Listing): InnerDirectory | undefined {
  const confidenceOf = (candidate: Listing): number => detectLayout(candidate).match(candidate);
  let best: InnerDirectory | undefined;
  let confidence = confidenceOf(listing);
  for (const inner of onlyDirectories(listing)) {
    const own = confidenceOf(inner.listing);
    if (own >= confidence) [best, confidence] = [inner, own];
  }
  return best;
}

async function readCheckpoint(
  context: LoadContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<CheckpointReport>> {
  const result = await detectLayout(listing).read(context, listing);
  throwIfCancelled(context.signal);
  appendAll(result.parts.findings, found);
  const copies = await compareCopies(context, result.parts);
  const { tensors, files, otherModels = [] } = result.parts;
  return {
    report: await buildReport(result, path, context.counter, copies, loadChecker(context)),
    tensors,
    otherModels: [...otherModels].flatMap((at) => files[at]?.path ?? []),
  };
}
