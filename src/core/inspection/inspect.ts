/** Inspection from end to end: list, detect the layout, read headers, account for every byte, assess. */
import { appendAll } from '../bytes/appendAll.js';
import type { ReadCounter } from '../bytes/countingSource.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { UnpackBudget } from '../bytes/unpackBudget.js';
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import type { ConfigSources } from '../configs/configAccess.js';
import { sampleNames } from '../datasets/nameSample.js';
import { createProbe } from '../datasets/readDataset.js';
import { usualSampling, type SamplingOptions } from '../datasets/text/estimateText.js';
import type { TokenizerFile } from '../datasets/tokenizerFile.js';
import type { FileListing, FileTree } from '../files/fileTree.js';
import { countedTree } from '../files/countedTree.js';
import { reachableFiles } from '../files/reachableFiles.js';
import { Listing } from '../files/listing.js';
import { otherFilesNotRead } from '../files/otherFiles.js';
import { roleLabels } from '../files/roleLabels.js';
import type { Finding } from '../findings/finding.js';
import { fileRoles } from '../frameworks/layouts.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { findParts } from './collection/findParts.js';
import { otherModelParts } from './collection/otherModelParts.js';
import { MissingPartError } from './collection/missingPart.js';
import { partNameOf } from './collection/partName.js';
import { readParts } from './collection/readCollection.js';
import { namesAbove } from './hubCache/cachePaths.js';
import { findHubCache } from './hubCache/findHubCache.js';
import { readHubCache } from './hubCache/readHubCache.js';
import { readOne, type InspectContext, type Read } from './readOne.js';
import type { Report } from './report.js';

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
  /** Of several things in one directory this one: see `partNames`. */
  part?: string;
  /** For a dataset: read all lengths, however many there are. */
  allLengths?: boolean;
  /** For raw text: how it is sampled, where that differs from `usualSampling`. */
  sampling?: Partial<SamplingOptions>;
  /** For raw text: a tokenizer.json in place of the one beside the data. */
  tokenizer?: TokenizerFile;
  /** Files that configs of a checkpoint name outside of it; without them none is looked for. */
  configs?: ConfigSources;
  /** Lets other work run while text is sampled, so that a user can cancel. */
  pause?: () => Promise<void>;
}

export interface Inspection {
  report: Report;
  /** Empty for a dataset. */
  tensors: TensorTable;
}

/**
 * Paths of the things below a tree, relative to it, where these are several; empty for one thing.
 * @throws FormatError as `inspect`
 */
export async function listParts(tree: FileTree, signal?: AbortSignal): Promise<{ path: string }[]> {
  const { entries } = await tree.list(signal);
  const listing = new Listing(tree.rootName, entries);
  const counter: ReadCounter = { bytesRead: 0, reads: 0 };
  const context = { tree, counter, signal, unpackBudget: new UnpackBudget(counter) };
  return (await findParts(listing, createProbe(context, listing)))?.parts ?? [];
}

/**
 * Inspects what lies below a tree. Damage is a finding, never an exception.
 * @throws FormatError `io` when the root cannot be listed at all, or a file of a store was not fetched, `cancelled` when the signal was aborted
 */
export async function inspect(tree: FileTree, options: InspectOptions): Promise<Inspection> {
  const now = options.now ?? (() => performance.now());
  const startMs = now();
  const files = await tree.list(options.signal);
  if (files.entries.length === 0 && files.errors.some((error) => error.path === '')) {
    throw new FormatError('io', files.errors.find((error) => error.path === '')?.detail ?? 'the path cannot be read');
  }
  const counter: ReadCounter = { bytesRead: 0, reads: 0 };
  const reachable = reachableFiles(tree.cached?.() ?? tree);
  const listing = new Listing(tree.rootName, files.entries);
  let progress = { filesDone: 0, filesTotal: files.entries.length, file: '' };
  const reading: Omit<InspectContext, 'probe'> = {
    tree: countedTree(tree, counter, reachable.open),
    roles: fileRoles,
    entries: files.entries,
    counter,
    signal: options.signal,
    unpackBudget: new UnpackBudget(counter),
    configs: options.configs,
    onFile(file, filesDone, filesTotal) {
      progress = { file, filesDone, filesTotal };
      options.onProgress?.({ ...progress, bytesRead: counter.bytesRead });
    },
    onSample: (file, placesDone, placesTotal) =>
      options.onProgress?.({ ...progress, file, bytesRead: counter.bytesRead, sampling: { placesDone, placesTotal } }),
    options: {
      allLengths: options.allLengths === true,
      sampling: { ...usualSampling, ...options.sampling },
      ...(options.tokenizer === undefined ? {} : { tokenizer: options.tokenizer }),
    },
    now,
    pause: options.pause ?? (() => Promise.resolve()),
  };
  const found = listingFindings(files);
  const sample = sampleNames(files.entries);
  const context = { ...reading, probe: createProbe(reading, listing, sample) };
  const { report, tensors } = await readListing(context, listing, found, options);
  reachable.check();
  if (report.kind === 'checkpoint') appendAll(report.checks.notDone, otherFilesNotRead(unrecognisedFiles(report)));
  appendAll(report.checks.notDone, sample.notDone);
  report.io.elapsedMs = Math.round((now() - startMs) * 10) / 10;
  return { report, tensors };
}

/** Files of which no byte is explained; one that could not be read has a check of its own. Those of a run are summed over all of it. */
function unrecognisedFiles({ files, findings }: CheckpointReport): { files: number; bytes: number } {
  const failed = new Set(findings.flatMap(({ code, path }) => (code === 'file-unreadable' && path !== undefined ? [path] : [])));
  const own = files.filter(
    ({ path, role, bytes, components }) =>
      role === roleLabels.unrecognised && bytes > 0 && components.unexplained === bytes && !failed.has(path),
  );
  return { files: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function readListing(
  context: InspectContext,
  listing: Listing,
  found: readonly Finding[],
  { path, part }: InspectOptions,
): Promise<Read<Report>> {
  const cache = part === undefined ? findHubCache(listing, namesAbove(context.tree.location ?? listing.rootName)) : undefined;
  const cached = cache && (await readHubCache(context, listing, cache, found, path));
  if (cached !== undefined) return cached;
  const parts = await findParts(listing, context.probe);
  const own =
    part === undefined ? undefined : parts?.parts.find((each) => each.path === '' && partNameOf(each) === part)?.listing;
  if (own !== undefined) return readOne({ ...context, entries: own.entries }, own, found, path);
  if (part !== undefined && parts !== undefined) throw new MissingPartError(part, parts.parts);
  if (part !== undefined) return readByName(context, listing, found, path, part);
  return readParts(context, listing, parts, found, path);
}

/** What is one thing, called by its name as a row of a collection around it calls it. */
async function readByName(
  context: InspectContext,
  listing: Listing,
  found: readonly Finding[],
  path: string,
  part: string,
): Promise<Read<Report>> {
  const read = await readOne(context, listing, found, path);
  const name = partNameOf(read.report.kind === 'dataset' ? { layout: read.report.layout } : {});
  if (name !== part) throw new MissingPartError(part, []);
  const [own] = otherModelParts(listing, read.otherModels) ?? [];
  return own === undefined ? read : readOne({ ...context, entries: own.listing.entries }, own.listing, found, path);
}

function listingFindings({ errors, truncated }: FileListing): Finding[] {
  const findings: Finding[] = errors.map(({ path, detail }) => ({ code: 'listing-incomplete', path, facts: { detail } }));
  if (truncated)
    findings.push({ code: 'listing-incomplete', facts: { detail: `there are more than ${limits.listedFiles} files` } });
  return findings;
}
