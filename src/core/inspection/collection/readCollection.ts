/** Reads several things under one directory: each as itself, for its row. Its own report has the rest. */
import { throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { linkFindings, type LinkedFile } from '../../checkpoints/linkFindings.js';
import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import { usualSampling } from '../../datasets/text/estimateText.js';
import type { FileEntry } from '../../files/fileTree.js';
import { joinPath } from '../../files/paths.js';
import { subTree } from '../../files/subTree.js';
import type { Severity } from '../../findings/defineFinding.js';
import { describeFindings } from '../../findings/describeFindings.js';
import type { Finding } from '../../findings/finding.js';
import { TensorTable } from '../../tensors/tensorTable.js';
import { readOne, type InspectContext, type Read } from '../readOne.js';
import type { CollectionPart, CollectionReport } from './collectionReport.js';
import { fileProbe, placedProbe, type Part, type Parts } from './findParts.js';

/** What a sample of the text of one part takes: each part has a row, not a report. */
const partSampling = { ...usualSampling, windows: 16, milliseconds: 300 };

/**
 * The report of a collection. `io.elapsedMs` is left to the caller.
 * @throws FormatError `cancelled`
 */
export async function readCollection(
  context: InspectContext,
  { parts, other }: Parts,
  found: readonly Finding[],
  path: string,
): Promise<Read<CollectionReport>> {
  const read: CollectionPart[] = [];
  let files = 0;
  for (const part of parts.slice(0, limits.collectionParts)) {
    throwIfCancelled(context.signal);
    read.push(await readPart(context, part, files));
    files += part.listing.entries.length;
  }
  const unread = parts.slice(limits.collectionParts).flatMap(({ listing }) => listing.entries);
  const rest = [...other, ...unread];
  const otherBytes = bytesOf(rest);
  const report: CollectionReport = {
    schemaVersion: 2,
    kind: 'collection',
    path,
    totalBytes: read.reduce((sum, { totalBytes }) => sum + totalBytes, otherBytes),
    allocatedBytes: allocatedBytesOf(context.entries),
    parts: read.sort((a, b) => b.totalBytes - a.totalBytes),
    other: { bytes: otherBytes, files: rest.length },
    findings: describeFindings([...found, ...linkFindings(context.entries.filter(isLinked).map(linkedFileOf))]),
    checks: {
      done: ['each part was read by its headers; its own report lists what was checked'],
      notDone: unread.length === 0 ? [] : [`parts beyond the first ${limits.collectionParts}: they are counted as other files`],
    },
    io: { bytesRead: context.counter.bytesRead, reads: context.counter.reads, elapsedMs: 0 },
  };
  return { report, tensors: new TensorTable() };
}

async function readPart(context: InspectContext, { path, root, listing }: Part, filesBefore: number): Promise<CollectionPart> {
  const own: InspectContext = {
    ...context,
    tree: subTree(context.tree, root, listing.entries),
    probe: listing.isSingleFile ? fileProbe(context.probe, root) : placedProbe(context.probe, root),
    entries: listing.entries,
    options: { ...context.options, sampling: partSampling },
    onFile: (file, done) => context.onFile(joinPath(root, file), filesBefore + done, context.entries.length),
  };
  const { report } = await readOne(own, listing, [], path);
  return rowOf(report, path, listing.entries);
}

function rowOf(report: CheckpointReport | DatasetReport, path: string, entries: readonly FileEntry[]): CollectionPart {
  const times = entries.flatMap(({ modifiedMs }) => (modifiedMs === null ? [] : [modifiedMs]));
  const owners = new Set(entries.map(({ owner }) => owner));
  const [owner] = owners;
  const facts = {
    path,
    name: report.kind === 'dataset' ? report.layout : ('checkpoint' as const),
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
  const { layout, step, parameters, resume, run } = report;
  const checkpoints = run?.checkpoints.length ?? 1;
  return { ...facts, kind: 'checkpoint', layout, step, checkpoints, parameters: parameters.unique, verdict: resume.verdict };
}

function countFindings({ findings }: CheckpointReport | DatasetReport): Partial<Record<Severity, number>> {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity, more = 1 } of findings) counts[severity] = (counts[severity] ?? 0) + more;
  return counts;
}

function isLinked({ link, fileId }: FileEntry): boolean {
  return link !== undefined || fileId !== undefined;
}

/** The target of a link, as the account of a checkpoint has it. */
function linkedFileOf({ path, sizeBytes, link, fileId }: FileEntry): LinkedFile {
  return { path, sizeBytes, link: link?.target, isDirectory: link?.isDirectory === true, fileId };
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
