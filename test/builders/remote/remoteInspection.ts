import { inspectPath } from '../../../src/app/inspection/inspectPath.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { createNodePlatform } from '../../../src/platform/nodePlatform.js';
import { nodeRemoteAccess } from '../../../src/platform/remote/access/nodeRemoteAccess.js';
import type { HeaderCache } from '../../../src/platform/remote/headerCache.js';
import { nodeHttp } from '../../../src/platform/remote/nodeHttp.js';
import type { RemoteAccess } from '../../../src/platform/remote/remoteAccess.js';
import { RemoteFiles } from '../../../src/platform/remote/remoteFiles.js';
import type { RequestCounts } from '../../../src/platform/remote/requestBudget.js';
import { withRemote } from '../../../src/platform/remote/withRemote.js';

/** What an inspection of an address found and took. */
export interface RemoteInspection {
  report: Report;
  counts: RequestCounts;
}

interface InspectionOptions {
  /** How stores are reached, where that is not the environment's. */
  access?: Partial<RemoteAccess>;
  /** The answer to questions of cost. */
  goesOn?: boolean;
  cache?: HeaderCache | null;
}

/**
 * Inspects an address with nothing of this machine's own logins. Pauses before another try take no time.
 * @throws PathError, FormatError `cancelled`
 */
export async function inspectRemote(
  address: string,
  { access = {}, goesOn = true, cache = null }: InspectionOptions = {},
): Promise<RemoteInspection> {
  const environment = { ...nodeHttp, pause: () => Promise.resolve() };
  const files = new RemoteFiles(environment, { ...nodeRemoteAccess(), ...access }, () => Promise.resolve(goesOn), cache);
  const platform = withRemote(createNodePlatform(''), () => Promise.resolve(files));
  const { report } = await inspectPath(platform, { path: address });
  return { report, counts: files.counts };
}

/** The report of a path of this machine. */
export async function inspectLocal(path: string): Promise<Report> {
  return (await inspectPath(createNodePlatform(''), { path })).report;
}

/** A report without what belongs to where it was read: the path, also in commands, what was read, times of files, what they take on a disk. */
export function withoutPlace(report: Report): unknown {
  const isOfPlace = (key: string): boolean => ['io', 'modified', 'allocatedBytes', 'command'].includes(key);
  const findings = report.findings.filter(({ code }) => code !== 'file-takes-less-space');
  const text = JSON.stringify({ ...report, findings, path: '' }, (key, value: unknown) => (isOfPlace(key) ? undefined : value));
  return JSON.parse(text);
}
