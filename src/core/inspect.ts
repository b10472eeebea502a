/** Inspection from end to end: list, detect the layout, read headers, account for every byte, assess. */
import { appendAll } from './bytes/appendAll.js';
import type { ReadCounter } from './bytes/countingSource.js';
import { FormatError, throwIfCancelled } from './bytes/formatError.js';
import { limits } from './bytes/limits.js';
import { buildReport } from './checkpoints/buildReport.js';
import { detectLayout } from './checkpoints/layouts/detect.js';
import { Listing } from './checkpoints/layout.js';
import type { ReadContext } from './checkpoints/readFiles.js';
import { readRun } from './checkpoints/runs/readRun.js';
import { onlyDirectory } from './checkpoints/runs/onlyDirectory.js';
import { findRun } from './checkpoints/runs/run.js';
import type { FileListing, FileTree } from './files/fileTree.js';
import { joinPath } from './files/paths.js';
import { subTree } from './files/subTree.js';
import type { CheckpointReport } from './report/checkpointReport.js';
import type { Finding } from './report/finding.js';
import { describeFinding } from './report/findingText.js';
import { placeReport } from './report/placeReport.js';
import type { TensorTable } from './tensors/tensorTable.js';

export interface InspectProgress {
  filesDone: number;
  filesTotal: number;
  bytesRead: number;
  /** The file that was finished last. */
  file: string;
}

export interface InspectOptions {
  /** The inspected path as the report shows it. */
  path: string;
  signal?: AbortSignal;
  onProgress?: (progress: InspectProgress) => void;
  /** Milliseconds of a monotonic clock; for the report's elapsed time. */
  now?: () => number;
}

export interface Inspection {
  report: CheckpointReport;
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
  const context: ReadContext = {
    tree,
    entries: files.entries,
    counter,
    signal: options.signal,
    onFile: (file, filesDone, filesTotal) => options.onProgress?.({ file, filesDone, filesTotal, bytesRead: counter.bytesRead }),
  };
  const { report, tensors } = await readListing(context, listing, listingFindings(files), options.path);
  report.io.elapsedMs = Math.round((now() - startMs) * 10) / 10;
  return { report, tensors };
}

interface Read {
  report: CheckpointReport;
  tensors: TensorTable;
}

/** Reads a run, a checkpoint, or what lies in the only directory of one that has nothing else. */
async function readListing(context: ReadContext, listing: Listing, found: readonly Finding[], path: string): Promise<Read> {
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

async function readCheckpoint(context: ReadContext, listing: Listing, found: readonly Finding[], path: string): Promise<Read> {
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
