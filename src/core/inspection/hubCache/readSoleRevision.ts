import type { FileEntry } from '../../files/fileTree.js';
import { describeFinding, limitFindings } from '../../findings/describeFindings.js';
import type { Finding } from '../../findings/finding.js';
import { shortRevision } from '../../text/hubRevision.js';
import type { InspectContext, Read } from '../readOne.js';
import type { Report } from '../report.js';
import type { CacheAccount } from './accountCache.js';
import { hubRevisionOf } from './describeCache.js';
import { downloadCommand } from './findCacheFindings.js';
import type { CachedRevision } from './findHubCache.js';
import { forgiveMissingWeights, isPartial } from './partialRevision.js';
import { readAmongInternals } from './readAmongInternals.js';
import { revisionFiles } from './revisionFiles.js';

interface SoleRevision {
  revision: CachedRevision;
  account: CacheAccount;
  /** Of the cache. */
  findings: readonly Finding[];
  /** The inspected path, as the report shows it. */
  path: string;
}

/**
 * The report of a repository with one revision: that of the revision, with what else the repository holds as its internals.
 * @throws FormatError `cancelled`
 */
export async function readSoleRevision(
  context: InspectContext,
  { revision, account, findings, path }: SoleRevision,
): Promise<Read<Report>> {
  const { commit: name, root } = revision;
  const files = revisionFiles(revision, account.targets);
  const read = await readAmongInternals(context, { name, root, files, internals: restOf(account), findings, path });
  read.report.revision = hubRevisionOf(revision);
  const { report } = read;
  if (report.findings.some(({ code }) => code === 'weights-missing'))
    report.findings = limitFindings([...report.findings, describeFinding(withoutWeights(revision))]);
  if (isPartial(report)) forgiveMissingWeights(report);
  return read;
}

/** What counts and is not of the revision: refs, marks of files that are not there, unfinished downloads, other blobs. */
function restOf({ entries }: CacheAccount): FileEntry[] {
  return [...entries].filter(([kind]) => kind !== 'revision').flatMap(([, files]) => files);
}

function withoutWeights(revision: CachedRevision): Finding {
  const facts = {
    files: revision.files.length,
    revision: shortRevision(hubRevisionOf(revision)),
    command: downloadCommand(revision),
  };
  return { code: 'cache-revision-without-weights', facts };
}
