/** What is called as a checkpoint of the run is, and whose files are not known. */
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import type { FileListing } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import { reason } from './reason.js';
import type { UndecidedCheckpoint } from './retentionReport.js';
import type { RunMembers } from './runMembers.js';

/** Directories that could not be listed, links to directories, and files of no known framework below a directory of a step. */
export function unlistedCheckpoints(
  { entries, errors }: FileListing,
  { parent, members, rest }: RunMembers,
): UndecidedCheckpoint[] {
  const known = new Set(members.map(({ root }) => root));
  const found = new Map<string, UndecidedCheckpoint>();
  const add = (path: string, code: 'unreadable' | 'link' | 'not-understood', bytes: number): void => {
    const step = stepOfName(baseName(path));
    if (parentPath(path) !== parent || step === null || known.has(path)) return;
    const one = found.get(path) ?? { path, step, bytes: 0, why: [reason(code)] };
    found.set(path, { ...one, bytes: one.bytes + bytes });
  };
  for (const { path } of errors) add(path, 'unreadable', 0);
  for (const { path, link } of entries) if (link?.isDirectory === true) add(path, 'link', 0);
  for (const { path, sizeBytes } of rest) {
    const below = parent === '' ? path : path.slice(parent.length + 1);
    const [directory = ''] = below.split('/');
    if (directory !== below) add(parent === '' ? directory : `${parent}/${directory}`, 'not-understood', sizeBytes);
  }
  return [...found.values()];
}
