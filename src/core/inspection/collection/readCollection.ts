/** Reads several things under one directory: each as itself, for its row. Its own report has the rest. */
import { appendAll } from '../../bytes/appendAll.js';
import { throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { linkFindings, type LinkedFile } from '../../checkpoints/linkFindings.js';
import type { CheckpointReport, ResumeVerdict } from '../../checkpoints/checkpointReport.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import { createProbe } from '../../datasets/readDataset.js';
import { usualSampling } from '../../datasets/text/estimateText.js';
import type { FileEntry } from '../../files/fileTree.js';
import { LinkTargets } from '../../files/linkTargets.js';
import { otherFilesNotRead } from '../../files/otherFiles.js';
import { picklesLeft, scanPicklesBeside } from '../../formats/pickle/imports/picklesBeside.js';
import { Listing } from '../../files/listing.js';
import { joinPath } from '../../files/paths.js';
import { isSideFile } from '../../files/sideFiles.js';
import { severities, type Severity } from '../../findings/defineFinding.js';
import { codeFindings } from '../../findings/codeFindings.js';
import { describeFindings, limitFindings } from '../../findings/describeFindings.js';
import type { Finding, FindingReport } from '../../findings/finding.js';
import { TensorTable } from '../../tensors/tensorTable.js';
import { readOne, type InspectContext, type Read } from '../readOne.js';
import type { Report } from '../report.js';
import type { CollectionPart, CollectionReport, PartLoad } from './collectionReport.js';
import type { LoadReport } from '../../checkpoints/loadReport.js';
import { forgiveMissingWeights, isPartial } from '../hubCache/partialRevision.js';
import type { RevisionReport } from '../hubCache/cacheReport.js';
import { followLinks } from './followLinks.js';
import { findParts } from './findParts.js';
import { otherModelParts } from './otherModelParts.js';
import type { Part, Parts } from './part.js';
import type { PartName } from './partName.js';
import { fileProbe, placedProbe } from './placedProbe.js';

/** What a sample of the text of one part takes: each part has a row, not a report. */
const partSampling = { ...usualSampling, windows: 16, tokenizedBytes: 256 * 1024 };

/**
 * The report of a collection; undefined where no part turns out to hold anything. `io.elapsedMs` is left to the caller.
 * @throws FormatError `cancelled`
 */
export async function readCollection(
  context: InspectContext,
  { parts, other, cache }: Parts,
  found: readonly Finding[],
  path: string,
): Promise<Read<CollectionReport> | undefined> {
  const read: CollectionPart[] = [];
  const left = parts.slice(limits.collectionParts);
  const unread = left.length;
  let files = 0;
  const ofOthers: FindingReport[] = [];
  const targets = new LinkTargets(new Listing(context.tree.rootName, context.entries));
  const toRead = parts.slice(0, limits.collectionParts);
  for (const part of toRead) {
    throwIfCancelled(context.signal);
    const { row, findings, models } = await readPart(context, part, files, targets);
    if (models !== undefined) {
      appendAll(toRead, models);
      continue;
    }
    if (holdsAnything(row)) read.push(row);
    else {
      left.push(part);
      appendAll(ofOthers, findings);
    }
    files += part.listing.entries.length;
  }
  if (cache === undefined && (read.length === 0 || isAlone(read, left))) return undefined;
  const otherBytes = left.reduce((sum, part) => sum + ownBytesOf(part), bytesOf(other));
  const otherFiles = left.reduce(
    (sum, { revision, listing }) => sum + (revision?.ownFiles ?? listing.entries.length),
    other.length,
  );
  const systemFiles = other.filter(({ path }) => isSideFile(path));
  const pickles = cache === undefined ? await scanPicklesBeside(context, beside(left, other)) : { findings: [], left: 0 };
  const report: CollectionReport = {
    schemaVersion: 2,
    kind: 'collection',
    path,
    ...(cache?.isAll === true && { layout: 'huggingface-cache' }),
    totalBytes: cache === undefined ? read.reduce((sum, { totalBytes }) => sum + totalBytes, otherBytes) : bytesOf(cache.counted),
    allocatedBytes: allocatedBytesOf(cache?.counted ?? context.entries),
    parts: read.sort((a, b) => b.totalBytes - a.totalBytes),
    other: { bytes: otherBytes, files: otherFiles },
    ...(cache && { cache: cache.report }),
    findings: limitFindings([
      ...describeFindings([
        ...found,
        ...pickles.findings,
        ...linkFindings(linkedFilesOf(context.entries, other)),
        ...(unread === 0 ? [] : [{ code: 'parts-not-read' as const, facts: { parts: unread, read: limits.collectionParts } }]),
      ]),
      ...ofOthers,
    ]),
    checks: {
      done: ['each part was read by its headers; its own report lists what was checked', ...(cache?.checks.done ?? [])],
      notDone: [
        ...(cache === undefined
          ? otherFilesNotRead({ files: otherFiles - systemFiles.length, bytes: otherBytes - bytesOf(systemFiles) })
          : []),
        ...(pickles.left === 0 ? [] : [picklesLeft(pickles.left)]),
        ...(unread === 0 ? [] : [`parts beyond the first ${limits.collectionParts}: they are counted as other files`]),
        ...(cache?.checks.notDone ?? []),
      ],
    },
    io: { bytesRead: context.counter.bytesRead, reads: context.counter.reads, elapsedMs: 0 },
  };
  return { report, tensors: new TensorTable() };
}

/** False for what only looked like a part: its reader found neither a tensor nor a record in it, and nothing to report. */
function holdsAnything(part: CollectionPart): boolean {
  const { error = 0, warning = 0 } = part.findings;
  if (part.revision !== undefined || error + warning > 0) return true;
  return part.kind === 'checkpoint' ? part.verdict !== 'none' : part.tokens !== null || part.samples !== null;
}

/** True where all that looked like parts beside a checkpoint of the directory itself are none: they are files of it. */
function isAlone([first, ...others]: readonly CollectionPart[], left: readonly Part[]): boolean {
  return others.length === 0 && left.length > 0 && first?.path === '' && first.kind === 'checkpoint';
}

/**
 * The report of the parts, or of the listing as one thing where there are none, or none that holds anything.
 * @throws FormatError `cancelled`
 */
export async function readParts(
  context: InspectContext,
  listing: Listing,
  parts: Parts | undefined,
  found: readonly Finding[],
  path: string,
): Promise<Read<Report>> {
  const collection = parts && (await readCollection(context, parts, found, path));
  if (collection !== undefined) return collection;
  const read = await readOne(context, listing, found, path);
  const models = otherModelParts(listing, read.otherModels);
  return (models && (await readCollection(context, { parts: models, other: [] }, found, path))) ?? read;
}

/** Files that no row is about, by their paths below the collection. */
function beside(left: readonly Part[], other: readonly FileEntry[]): FileEntry[] {
  const ofParts = left.flatMap(({ root, listing }) =>
    listing.entries.map((entry) => ({ ...entry, path: joinPath(root, entry.path) })),
  );
  return [...ofParts, ...other];
}

/** What would be left out with this part alone. */
function ownBytesOf({ revision, listing }: Part): number {
  return revision?.ownBytes ?? bytesOf(listing.entries);
}

interface ReadPart {
  row: CollectionPart;
  /** Of code that loaders run. They are the collection's where the part turns out to be none. */
  findings: FindingReport[];
  /** Where headers tell that it is several models: these, in place of the row. */
  models?: readonly Part[];
}

function placed(finding: FindingReport, directory: string): FindingReport {
  return { ...finding, path: finding.path === null ? null : joinPath(directory, finding.path) };
}

async function readPart(
  context: InspectContext,
  { path, root, listing: listed, tree: given, revision, name }: Part,
  filesBefore: number,
  targets: LinkTargets,
): Promise<ReadPart> {
  const { listing, tree } =
    given === undefined ? followLinks(context.tree, targets, { root, listing: listed }) : { listing: listed, tree: given };
  const probe = listing.isSingleFile ? fileProbe(context.probe, root) : placedProbe(context.probe, root);
  const own: InspectContext = {
    ...context,
    tree,
    probe: given === undefined ? probe : createProbe({ ...context, tree }, listing),
    entries: listing.entries,
    options: { ...context.options, sampling: partSampling },
    onFile: (file, done) => context.onFile(joinPath(root, file), filesBefore + done, context.entries.length),
  };
  if (revision !== undefined) {
    const inner = await findParts(listing, own.probe);
    if (inner !== undefined)
      return { row: await readRevisionOfSeveral(own, inner.parts, { path, listing, revision }, targets), findings: [] };
  }
  const { report, otherModels } = await readOne(own, listing, [], path);
  const models = revision === undefined && listing === listed ? otherModelParts(listing, otherModels, root) : undefined;
  if (revision !== undefined && isPartial(report)) forgiveMissingWeights(report);
  const row = { ...rowOf(report, path, listed.entries, name), ...(revision && { revision }) };
  // What links end at counts where it is.
  return {
    row: listing === listed ? row : { ...row, totalBytes: bytesOf(listed.entries) },
    findings: report.findings.filter(({ code }) => Object.hasOwn(codeFindings, code)).map((finding) => placed(finding, path)),
    ...(models && { models }),
  };
}

/** One row for several things in a revision, such as a model in several quantizations. */
async function readRevisionOfSeveral(
  context: InspectContext,
  parts: readonly Part[],
  { path, listing, revision }: { path: string; listing: Listing; revision: RevisionReport },
  targets: LinkTargets,
): Promise<CollectionPart> {
  const rows: CollectionPart[] = [];
  for (const part of parts) rows.push((await readPart(context, part, 0, targets)).row);
  rows.sort((a, b) => b.totalBytes - a.totalBytes);
  const [largest] = rows as [CollectionPart];
  const gravest = verdicts.find((verdict) => rows.some((row) => row.verdict === verdict));
  return {
    ...largest,
    path,
    totalBytes: bytesOf(listing.entries),
    files: listing.entries.length,
    allocatedBytes: allocatedBytesOf(listing.entries),
    findings: Object.fromEntries(
      severities.flatMap((severity) => {
        const count = rows.reduce((sum, { findings }) => sum + (findings[severity] ?? 0), 0);
        return count === 0 ? [] : [[severity, count]];
      }),
    ),
    findingCodes: [...new Set(rows.flatMap(({ findingCodes }) => findingCodes))].sort(),
    ...(largest.kind === 'checkpoint' && gravest !== undefined && { verdict: gravest }),
    revision: { ...revision, parts: rows.length },
  } as CollectionPart;
}

/** The gravest first. */
const verdicts: readonly ResumeVerdict[] = ['broken', 'unknown', 'state-only', 'weights-only', 'partial', 'complete', 'none'];

function rowOf(
  report: CheckpointReport | DatasetReport,
  path: string,
  entries: readonly FileEntry[],
  name: PartName = 'checkpoint',
): CollectionPart {
  const times = entries.flatMap(({ modifiedMs }) => (modifiedMs === null ? [] : [modifiedMs]));
  const owners = new Set(entries.map(({ owner }) => owner));
  const [owner] = owners;
  const facts = {
    path,
    name: report.kind === 'dataset' ? report.layout : name,
    totalBytes: report.totalBytes,
    files: report.files.length,
    allocatedBytes: allocatedBytesOf(entries),
    owner: owners.size === 1 ? (owner ?? null) : null,
    modifiedMs: times.length === 0 ? null : times.reduce((latest, time) => Math.max(latest, time)),
    findings: countFindings(report),
    findingCodes: [...new Set(report.findings.map(({ code }) => code))].sort(),
  };
  if (report.kind === 'dataset') {
    const { layout, sampleCount: samples, tokens } = report;
    return { ...facts, kind: 'dataset', layout, samples, tokens, verdict: null };
  }
  const { layout, step, parameters, resume, run, load } = report;
  const checkpoints = run?.checkpoints.filter(({ copyOf }) => copyOf === undefined).length ?? 1;
  return {
    ...facts,
    kind: 'checkpoint',
    layout,
    step,
    checkpoints,
    parameters: parameters.unique,
    verdict: resume.verdict,
    ...(load === undefined ? {} : { load: loadOf(load) }),
  };
}

function loadOf({ framework, architecture, verdict, why }: LoadReport): PartLoad {
  return { framework, architecture, verdict, why };
}

function countFindings({ findings }: CheckpointReport | DatasetReport): Partial<Record<Severity, number>> {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity, more = 1 } of findings) counts[severity] = (counts[severity] ?? 0) + more;
  return counts;
}

/** Links, as the account of a checkpoint has them: what is behind one to a directory is in no part, unless the part itself has the link. */
function linkedFilesOf(entries: readonly FileEntry[], other: readonly FileEntry[]): LinkedFile[] {
  const beside = new Set(other);
  return entries
    .filter((entry) =>
      entry.link?.isDirectory === true ? beside.has(entry) : entry.link !== undefined || entry.fileId !== undefined,
    )
    .map(linkedFileOf);
}

/** The target of a link, as the account of a checkpoint has it. */
function linkedFileOf({ path, sizeBytes, link, fileId }: FileEntry): LinkedFile {
  const isDirectory = link?.isDirectory === true;
  return { path, sizeBytes, link: link?.target, isDirectory, isWithin: isDirectory && link.inside, fileId };
}

function bytesOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Null where the file system does not say of each file. */
function allocatedBytesOf(entries: readonly FileEntry[]): number | null {
  let sum = 0;
  for (const { allocatedBytes, error } of entries) {
    if (allocatedBytes === undefined && error === undefined) return null;
    sum += allocatedBytes ?? 0;
  }
  return sum;
}
