/** Files of which something is missing or cannot be read: what is not found elsewhere may have been in them. */
import { codeFindings } from '../findings/codeFindings.js';
import { findingTable } from '../findings/findingTable.js';
import type { Parts } from './parts.js';

/** Their paths, by the findings so far. What a loader would run is no damage. */
export function damagedFiles({ files, findings }: Pick<Parts, 'files' | 'findings'>): ReadonlySet<string> {
  const paths = new Set(files.filter(({ isUnreadable }) => isUnreadable === true).map(({ path }) => path));
  for (const { code, path } of findings)
    if (path !== undefined && findingTable[code].severity === 'error' && !Object.hasOwn(codeFindings, code)) paths.add(path);
  return paths;
}
