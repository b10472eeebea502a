import type { Listing } from '../../files/listing.js';
import type { Finding } from '../../findings/finding.js';
import type { InspectContext, Read } from '../readOne.js';
import type { Report } from '../report.js';
import type { CachedRepository } from './findHubCache.js';
import { readAmongInternals } from './readAmongInternals.js';

interface Blobs {
  repository: CachedRepository;
  listing: Listing;
  findings: readonly Finding[];
  path: string;
}

/**
 * The report of a directory `blobs`: files without names, by their first bytes.
 * @throws FormatError `cancelled`
 */
export async function readBlobs(
  context: InspectContext,
  { repository: { blobs }, listing, findings, path }: Blobs,
): Promise<Read<Report>> {
  const own = new Set(blobs);
  const internals = listing.entries.filter((entry) => !own.has(entry));
  const files = { entries: blobs, places: new Map(blobs.map((blob) => [blob.path, blob.path])) };
  const alone: Finding = { code: 'cache-blobs-alone', facts: { files: blobs.length } };
  const all = [...findings, alone];
  const read = await readAmongInternals(context, { name: listing.rootName, root: '', files, internals, findings: all, path });
  // Why nothing has a name is said above.
  read.report.findings = read.report.findings.filter(({ code }) => code !== 'layout-unknown');
  // The blobs may be of several revisions, whose parameters no name tells apart.
  if (read.report.kind === 'checkpoint') read.report.bytesPerParameter = null;
  return read;
}
