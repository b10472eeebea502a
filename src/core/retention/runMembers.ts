/** The checkpoints of one run below a directory, each with its files; those of other runs are set apart. */
import type { FileEntry, FileListing } from '../files/fileTree.js';
import { Listing } from '../files/listing.js';
import { joinPath, parentPath } from '../files/paths.js';
import { findRun, type Run, type RunMember } from '../inspection/runs/run.js';
import { FormatError } from '../bytes/formatError.js';

/** Of this program: the policy, holds, the trash and the log. */
export const ownFolder = '.stowage';

export interface RunMembers {
  /** Directory of the checkpoints, relative to the listed one. */
  parent: string;
  members: RunMember[];
  /** Checkpoints with another parent: no rule of this run is theirs. */
  others: RunMember[];
  /** Files of no checkpoint. */
  rest: readonly FileEntry[];
}

/** The listing without what this program keeps there. */
export function withoutOwnFolder({ entries, errors, truncated }: FileListing): FileListing {
  const isOwn = (path: string): boolean => path === ownFolder || path.startsWith(`${ownFolder}/`);
  return {
    entries: entries.filter(({ path }) => !isOwn(path)),
    errors: errors.filter(({ path }) => !isOwn(path)),
    truncated,
  };
}

/**
 * Undefined where there is no run.
 * @throws FormatError `unsupported` where there are several and none of them is directly in the directory
 */
export function runMembers(rootName: string, entries: readonly FileEntry[]): RunMembers | undefined {
  const run = findRun(new Listing(rootName, entries));
  if (run === undefined) return undefined;
  const parents = [...new Set(run.members.map(({ root }) => parentOf(root)))];
  const parent = parents.find((one) => one === '' && hasCheckpoints(run, one)) ?? onlyOne(parents.filter((one) => one !== ''));
  const isOwn = ({ root }: RunMember): boolean => parentOf(root) === parent;
  return { parent, members: run.members.filter(isOwn), others: run.members.filter((one) => !isOwn(one)), rest: run.rest };
}

function parentOf(root: string): string {
  return root === '' ? '' : parentPath(root);
}

/** More than a model that lies there by itself. */
function hasCheckpoints({ members }: Run, parent: string): boolean {
  return members.some(({ root }) => root !== '' && parentOf(root) === parent);
}

function onlyOne(parents: readonly string[]): string {
  const [first, second] = parents;
  if (second !== undefined)
    throw new FormatError('unsupported', `it has several runs: name one of ${parents.slice(0, 5).join(', ')}`);
  return first ?? '';
}

/** A file of a member, relative to the listed directory. */
export function pathOfFile({ root, listing }: RunMember, { path }: FileEntry): string {
  return listing.isSingleFile && path === listing.rootName ? root : joinPath(root, path);
}

/** Finds the member that a path is of, or undefined. */
export function memberFinder(members: readonly RunMember[]): (path: string) => RunMember | undefined {
  const byRoot = new Map(members.map((member) => [member.root, member]));
  return (path) => {
    for (let at = path; at !== ''; at = parentPath(at)) {
      const member = byRoot.get(at);
      if (member !== undefined) return member;
    }
    return undefined;
  };
}
