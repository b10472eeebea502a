/** The report of a repository with one revision: that of the revision, with what else the repository holds as its internals. */
import { createProbe } from '../../datasets/readDataset.js';
import { placeDatasetReport } from '../../datasets/placeDatasetReport.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import { placeReport } from '../../checkpoints/placeReport.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { joinPath } from '../../files/paths.js';
import { placedTree } from '../../files/placedTree.js';
import { internalsOfRepository } from '../../files/repositoryInternals.js';
import { severities } from '../../findings/defineFinding.js';
import { describeFindings } from '../../findings/describeFindings.js';
import type { Finding } from '../../findings/finding.js';
import { readOne, type InspectContext, type Read } from '../readOne.js';
import type { CacheAccount } from './accountCache.js';
import type { CachedRevision } from './findHubCache.js';
import { revisionFiles } from './revisionFiles.js';

interface SoleRevision {
  revision: CachedRevision;
  account: CacheAccount;
  /** Of the cache. */
  findings: readonly Finding[];
  /** The inspected path, as the report shows it. */
  path: string;
}

/** @throws FormatError `cancelled` */
export async function readSoleRevision(
  context: InspectContext,
  { revision, account, findings, path }: SoleRevision,
): Promise<Read<CheckpointReport | DatasetReport>> {
  const { entries, places } = revisionFiles(revision, account.targets);
  for (const entry of restOf(account)) {
    const inside = joinPath(internalsOfRepository, entry.path);
    entries.push({ ...entry, path: inside });
    places.set(inside, entry.path);
  }
  const listing = new Listing(revision.commit, entries);
  const tree = placedTree(context.tree, revision.commit, entries, places);
  const own: InspectContext = { ...context, tree, entries, probe: createProbe({ ...context, tree }, listing) };
  const { report, tensors } = await readOne(own, listing, [], path);
  const place = (name: string): string => {
    if (name.startsWith(`${internalsOfRepository}/`)) return name.slice(internalsOfRepository.length + 1);
    return name === '' ? revision.root : joinPath(revision.root, name);
  };
  const placed = report.kind === 'dataset' ? placeDatasetReport(report, place) : placeReport(report, place);
  placed.findings = [...describeFindings(findings), ...placed.findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  addFacts(placed, revision);
  return { report: placed, tensors };
}

/** What counts and is not of the revision: refs, marks of files that are not there, unfinished downloads, other blobs. */
function restOf({ entries }: CacheAccount): FileEntry[] {
  return [...entries].filter(([kind]) => kind !== 'revision').flatMap(([, files]) => files);
}

function addFacts(report: CheckpointReport | DatasetReport, { repository, commit, refs, root }: CachedRevision): void {
  const facts = [
    { id: 'repository', label: 'repository', value: `${repository.id} (${repository.type} on the Hugging Face Hub)` },
    { id: 'revision', label: 'revision', value: commit },
    ...(refs.length === 0 ? [] : [{ id: 'refs', label: refs.length === 1 ? 'ref' : 'refs', value: refs.join(', ') }]),
  ];
  if (report.kind === 'dataset')
    report.facts = [...facts.map(({ label, value }) => ({ label, value, path: root })), ...report.facts];
  else report.facts = [...facts.map((fact) => ({ ...fact, path: root, keyPath: '' })), ...report.facts];
}
