/** Checkpoints that one directory has of more than one run: what is derived of them together is of neither. */
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { baseName, parentPath } from '../files/paths.js';
import { detectLayout } from '../frameworks/detectLayout.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { LayoutId } from '../text/frameworkLabels.js';

/** Checkpoints that are called alike. */
interface Alike {
  members: RunMember[];
  layouts: Set<LayoutId>;
}

/** The checkpoints of one run. */
export interface SeparateRun {
  members: RunMember[];
  /** How they are called, digits as `…`, where the directory has those of another run, too; else null. */
  names: string | null;
}

/**
 * Checkpoints of one directory that are called differently and are of different layouts, at least two of each, are of two runs. Others are of the first that
 * has their layout, or of the first. In the order of the first members.
 */
export function separateRuns(members: readonly RunMember[]): SeparateRun[] {
  const groups = groupsOfNames(members);
  const runs: (Alike & { names: string })[] = [];
  for (const group of groups.filter(isSeveral)) {
    const same = runs.find((run) => sharesLayout(run, group));
    if (same === undefined)
      runs.push({ members: [], layouts: new Set(group.layouts), names: nameOf(group).replace(/\d+/g, '…') });
    else for (const layout of group.layouts) same.layouts.add(layout);
  }
  if (runs.length < 2) return [{ members: [...members], names: null }];
  for (const member of members) {
    const own = detectLayout(member.listing).id;
    (runs.find(({ layouts }) => layouts.has(own)) ?? runs[0])?.members.push(member);
  }
  return runs;
}

/** Two names of checkpoints that may be of different runs; null where all may be of one. */
export function namesOfTwoRuns(members: readonly RunMember[]): string | null {
  const [first, ...others] = groupsOfNames(members).filter(isSeveral);
  const other = others.find((group) => first !== undefined && !sharesLayout(first, group));
  return first === undefined || other === undefined ? null : `${nameOf(first)}, ${nameOf(other)}`;
}

function groupsOfNames(members: readonly RunMember[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const member of members) {
    const name = baseName(member.root);
    if (stepOfName(name) === null) continue;
    const pattern = name.replace(/\d+/g, '#');
    const group = groups.get(pattern) ?? { members: [], layouts: new Set() };
    groups.set(pattern, group);
    group.members.push(member);
    group.layouts.add(detectLayout(member.listing).id);
  }
  return [...groups.values()];
}

function isSeveral({ members }: Alike): boolean {
  return members.length > 1;
}

function sharesLayout(a: Alike, b: Alike): boolean {
  return [...b.layouts].some((layout) => a.layouts.has(layout));
}

function nameOf({ members }: Alike): string {
  return baseName(members[0]?.root ?? '');
}

/**
 * A directory in a checkpoint that is called after another step than the checkpoint, as a run in it is; null for most. Bare numbers are parts of arrays there.
 */
export function runWithin({ root, listing }: RunMember): string | null {
  const own = stepOfName(baseName(root));
  for (const { path } of listing.entries)
    for (let at = parentPath(path); at !== ''; at = parentPath(at)) {
      const name = baseName(at);
      const step = /^\d+$/.test(name) ? null : stepOfName(name);
      if (step !== null && own !== null && step !== own) return at;
    }
  return null;
}
