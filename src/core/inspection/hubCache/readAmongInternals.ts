/** Reads files of a repository of the cache as they would be by themselves, and accounts for what lies beside them as internals of the repository. */
import { createProbe } from '../../datasets/readDataset.js';
import { placeDatasetReport } from '../../datasets/placeDatasetReport.js';
import { placeReport } from '../../checkpoints/placeReport.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { joinPath } from '../../files/paths.js';
import { placedTree } from '../../files/placedTree.js';
import { internalsOfRepository } from '../../files/repositoryInternals.js';
import { describeFindings, limitFindings } from '../../findings/describeFindings.js';
import type { Finding } from '../../findings/finding.js';
import { findParts } from '../collection/findParts.js';
import { readParts } from '../collection/readCollection.js';
import type { InspectContext, Read } from '../readOne.js';
import type { Report } from '../report.js';
import type { RevisionFiles } from './revisionFiles.js';

interface AmongInternals {
  name: string;
  /** Where the files are, relative to the inspected directory. */
  root: string;
  files: RevisionFiles;
  /** What else there is, by its listed paths. */
  internals: readonly FileEntry[];
  findings: readonly Finding[];
  /** The inspected path, as the report shows it. */
  path: string;
}

/**
 * The report of the files, with paths relative to the inspected directory.
 * @throws FormatError `cancelled`
 */
export async function readAmongInternals(
  context: InspectContext,
  { name, root, files, internals, findings, path }: AmongInternals,
): Promise<Read<Report>> {
  const entries = [...files.entries];
  const places = new Map(files.places);
  for (const entry of internals) {
    const inside = joinPath(internalsOfRepository, entry.path);
    entries.push({ ...entry, path: inside });
    places.set(inside, entry.path);
  }
  const listing = new Listing(name, entries);
  const tree = placedTree(context.tree, name, entries, places);
  const own: InspectContext = { ...context, tree, entries, probe: createProbe({ ...context, tree }, listing) };
  const parts = await findParts(listing, own.probe);
  const { report, tensors } = await readParts(own, listing, parts, [], path);
  const place = (file: string): string => {
    if (file.startsWith(`${internalsOfRepository}/`)) return file.slice(internalsOfRepository.length + 1);
    return file === '' ? root : joinPath(root, file);
  };
  const placed = placeAny(report, place);
  placed.findings = limitFindings([...describeFindings(findings), ...placed.findings]);
  return { report: placed, tensors };
}

function placeAny(report: Report, place: (path: string) => string): Report {
  switch (report.kind) {
    case 'checkpoint':
      return placeReport(report, place);
    case 'dataset':
      return placeDatasetReport(report, place);
    case 'collection':
      return {
        ...report,
        parts: report.parts.map((part) => ({ ...part, path: place(part.path) })),
        findings: report.findings.map((finding) => ({ ...finding, path: finding.path === null ? null : place(finding.path) })),
      };
  }
}
