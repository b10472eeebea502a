/** Links in the workspace that lead into the run: what they lead to is used from there. */
import type { FileEntry } from '../files/fileTree.js';
import { joinPath, parentPath, resolvedPath } from '../files/paths.js';
import { pathInRun, type RunPlace } from './pointersBeside.js';
import { memberFinder, type RunMembers } from './runMembers.js';

export interface LinkElsewhere {
  /** Whole path of the link, and of what it leads to. */
  path: string;
  target: string;
}

/** By their texts. @param location whole path of the directory that was listed */
export function linksBelow(entries: readonly FileEntry[], location: string): LinkElsewhere[] {
  return entries.flatMap(({ path, link }): LinkElsewhere[] => {
    if (link === undefined) return [];
    const whole = joinPath(location, path);
    const target = resolvedPath(link.target.startsWith('/') ? '' : parentPath(whole), link.target);
    return target === undefined ? [] : [{ path: whole, target: target.startsWith('/') ? target : `/${target}` }];
  });
}

/** Checkpoints that such links lead into, each with one of them. A link in the run itself is seen as what it is there. */
export function linkedFromElsewhere(
  { members }: RunMembers,
  links: readonly LinkElsewhere[],
  place: RunPlace | undefined,
): Map<string, string> {
  const linked = new Map<string, string>();
  if (place === undefined) return linked;
  const memberOf = memberFinder(members);
  for (const { path, target } of links) {
    const inside = pathInRun(target, place);
    const member = inside === undefined ? undefined : memberOf(inside);
    if (member !== undefined && pathInRun(path, place) === undefined) linked.set(member.root, path);
  }
  return linked;
}
