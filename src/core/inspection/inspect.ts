/** Inspection from end to end: list, detect the layout, read headers, account for every byte, assess. */
import { appendAll } from '../bytes/appendAll.js';
import type { ReadCounter } from '../bytes/countingSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { buildReport } from '../checkpoints/buildReport.js';
import type { Layout } from '../checkpoints/layout.js';
import { detectLayout } from '../frameworks/detectLayout.js';
import { fileRoles } from '../frameworks/layouts.js';
import { Listing } from '../files/listing.js';
import type { ReadContext } from '../checkpoints/readFiles.js';
import { readRun } from './runs/readRun.js';
import { onlyDirectory } from '../checkpoints/runs/onlyDirectory.js';
import { findRun } from './runs/run.js';
import type { FileListing, FileTree } from '../files/fileTree.js';
import { joinPath } from '../files/paths.js';
import { subTree } from '../files/subTree.js';
import { buildDatasetReport } from '../datasets/buildDatasetReport.js';
import { areMostOf, claimDatasets, type Claim } from '../datasets/detectDataset.js';
import type { TokenizerFile } from '../datasets/tokenizerFile.js';
import { usualSampling, type SamplingOptions } from '../datasets/text/estimateText.js';
import { createProbe, readDataset, type DatasetContext } from '../datasets/readDataset.js';
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { DatasetReport } from '../datasets/datasetReport.js';
import type { Report } from './report.js';
import type { Finding } from '../findings/finding.js';
import { describeFinding } from '../findings/describeFindings.js';
import { placeReport } from '../checkpoints/placeReport.js';
import { TensorTable } from '../tensors/tensorTable.js';

export interface InspectProgress {
  filesDone: number;
  filesTotal: number;
  bytesRead: number;
  /** The file that was finished last. */
  file: string;
  /** While raw text is sampled: places that were looked at, and how many there are. */
  sampling?: { placesDone: number; placesTotal: number };
}

export interface InspectOptions {
  /** The inspected path as the report shows it. */
  path: string;
  signal?: AbortSignal;
  onProgress?: (progress: InspectProgress) => void;
  /** Milliseconds of a monotonic clock; for the report's elapsed time. */
  now?: () => number;
  /** For a dataset: read all lengths, however many there are. */
  allLengths?: boolean;
  /** For raw text: how it is sampled, where that differs from `usualSampling`. */
  sampling?: Partial<SamplingOptions>;
  /** For raw text: a tokenizer.json in place of the one beside the data. */
  tokenizer?: TokenizerFile;
  /** Lets other work run while text is sampled, so that a user can cancel. */
  pause?: () => Promise<void>;
}

export interface Inspection {
  report: Report;
  /** Empty for a dataset. */
  tensors: TensorTable;
}

/**
 * Inspects what lies below a tree. Damage is a finding, never an exception.
 * @throws FormatError `io` when the root cannot be listed at all, `cancelled` when the signal was aborted
 */
export async function inspect(tree: FileTree, options: InspectOptions): Promise<Inspection> {
  const now = options.now ?? (() => performance.now());
  const startMs = now();
  const files = await tree.list(options.signal);
  if (files.entries.length === 0 && files.errors.some((error) => error.path === '')) {
    throw new FormatError('io', files.errors.find((error) => error.path === '')?.detail ?? 'the path cannot be read');
  }
  const counter: ReadCounter = { bytesRead: 0, reads: 0 };
  const listing = new Listing(tree.rootName, files.entries);
  let progress = { filesDone: 0, filesTotal: files.entries.length, file: '' };
  const context: ReadContext = {
    tree,
    roles: fileRoles,
    entries: files.entries,
    counter,
    signal: options.signal,
    onFile(file, filesDone, filesTotal) {
      progress = { file, filesDone, filesTotal };
      options.onProgress?.({ ...progress, bytesRead: counter.bytesRead });
    },
  };
  const onSample = (file: string, placesDone: number, placesTotal: number): void =>
    options.onProgress?.({ ...progress, file, bytesRead: counter.bytesRead, sampling: { placesDone, placesTotal } });
  const found = listingFindings(files);
  const dataset = await readIfDataset({ ...context, onSample }, listing, found, options);
  const { report, tensors } = dataset ?? (await readListing(context, listing, found, options.path));
  report.io.elapsedMs = Math.round((now() - startMs) * 10) / 10;
  return { report, tensors };
}

interface Read<R extends Report = Report> {
  report: R;
  tensors: TensorTable;
}

/**
 * Reads the listing as a dataset, where it is one: no framework's checkpoint, and most of its bytes claimed by dataset layouts.
 * Undefined for all others.
 */
async function readIfDataset(
  context: ReadContext & Pick<DatasetContext, 'onSample'>,
  listing: Listing,
  found: readonly Finding[],
  options: InspectOptions,
): Promise<Read<DatasetReport> | undefined> {
  if (!mayBeDataset(detectLayout(listing), listing) || findRun(listing) !== undefined) return undefined;
  const reading: DatasetContext = {
    ...context,
    options: {
      allLengths: options.allLengths === true,
      sampling: { ...usualSampling, ...options.sampling },
      ...(options.tokenizer === undefined ? {} : { tokenizer: options.tokenizer }),
    },
    now: options.now ?? (() => performance.now()),
    pause: options.pause ?? (() => Promise.resolve()),
  };
  const claims = await claimDatasets(listing, createProbe(reading, listing));
  if (!hasClaims(claims) || !areMostOf(claims, listing)) return undefined;
  const parts = await readDataset(reading, listing, claims);
  appendAll(parts.findings, found);
  return { report: buildDatasetReport(parts, options.path, context.counter), tensors: new TensorTable() };
}

/** Layouts that say no more than what kind of files there are: a dataset may have the same. */
const looseLayouts = new Set<LayoutId>(['unknown', 'torch-file', 'numpy']);
/** A layout that is no surer than this has seen settings and no weights: those lie beside datasets too, for the size of the vocabulary. */
const SETTINGS_ALONE = 0.3;

function mayBeDataset(layout: Layout, listing: Listing): boolean {
  return looseLayouts.has(layout.id) || layout.match(listing) <= SETTINGS_ALONE;
}

function hasClaims(claims: Claim[]): claims is [Claim, ...Claim[]] {
  return claims.length > 0;
}

/** Reads a run, a checkpoint, or what lies in the only directory of one that has nothing else. */
async function readListing(
  context: ReadContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<CheckpointReport>> {
  const run = findRun(listing);
  const inner = onlyDirectory(listing);
  if (inner !== undefined && (run?.members.length ?? 0) < 2) {
    const own = { ...context, tree: subTree(context.tree, inner.root, inner.listing.entries), entries: inner.listing.entries };
    const { report, tensors } = await readListing(own, inner.listing, [], path);
    const placed = placeReport(report, (name) => (name === '' ? inner.root : joinPath(inner.root, name)));
    return { report: { ...placed, findings: [...found.map(describeFinding), ...placed.findings] }, tensors };
  }
  return run === undefined ? await readCheckpoint(context, listing, found, path) : await readRun(context, run, found, path);
}

async function readCheckpoint(
  context: ReadContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
): Promise<Read<CheckpointReport>> {
  const result = await detectLayout(listing).read(context, listing);
  throwIfCancelled(context.signal);
  appendAll(result.parts.findings, found);
  return { report: buildReport(result, path, context.counter), tensors: result.parts.tensors };
}

function listingFindings({ errors, truncated }: FileListing): Finding[] {
  const findings: Finding[] = errors.map(({ path, detail }) => ({ code: 'listing-incomplete', path, facts: { detail } }));
  if (truncated)
    findings.push({ code: 'listing-incomplete', facts: { detail: `there are more than ${limits.listedFiles} files` } });
  return findings;
}
