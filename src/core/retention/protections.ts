/** What is never proposed, whatever the policy says: what is held, named by a pointer or a framework, linked into, or needed by an adapter. */
import type { FileEntry } from '../files/fileTree.js';
import { baseName, parentPath, resolvedPath } from '../files/paths.js';
import { mayName, type AdapterBases } from './adapterBases.js';
import { isHeldBy, type Hold } from './holds.js';
import { isMarkerName, markOfName, metricsOfName } from './namedCheckpoint.js';
import type { PointerFile } from './pointers.js';
import { reason, type ProtectionCode, type Reason } from './reason.js';
import type { BestRule } from './retentionPolicy.js';
import { memberFinder, type RunMembers } from './runMembers.js';
import type { TrainerHistory } from './trainerStates.js';

export interface ProtectionSources {
  holds: readonly Hold[];
  pointers: readonly PointerFile[];
  adapters: AdapterBases;
  linkedFrom: ReadonlyMap<string, string>;
  history: TrainerHistory;
  best: BestRule | null;
}

/** Of each member by its path. */
export type Protections = ReadonlyMap<string, Reason<ProtectionCode>[]>;

export function protectionsOf(run: RunMembers, entries: readonly FileEntry[], sources: ProtectionSources): Protections {
  const found = new Map<string, Reason<ProtectionCode>[]>(run.members.map(({ root }) => [root, []]));
  const protect = (root: string, why: Reason<ProtectionCode>): void => {
    const reasons = found.get(root);
    if (reasons?.some(({ code }) => code === why.code) === false) reasons.push(why);
  };
  const linked = new Map([...sources.linkedFrom, ...linkedMembers(run, entries)]);
  const markerOfRun =
    foldersAbove(run.parent)
      .map((folder) => markerIn(run.rest, folder))
      .find((marker) => marker !== null) ?? null;
  const bestByName = bestOfNames(run, sources.best);
  for (const { root, listing } of run.members) {
    for (const hold of sources.holds) if (isHeldBy(hold, root)) protect(root, reason('held', hold.reason));
    for (const { path, names } of sources.pointers) if (names.includes(root)) protect(root, reason('pointer', path));
    for (const { base, adapter } of sources.adapters.bases)
      // The adapter's own directory is no base of it.
      if (mayName(base, root) && parentPath(adapter) !== root) protect(root, reason('base-of-adapter', adapter));
    for (const { checkpoint, state } of sources.history.best)
      if (mayName(checkpoint, root)) protect(root, reason('framework-best', state));
    const link = linked.get(root);
    if (link !== undefined) protect(root, reason('linked', link));
    const metric = bestByName.get(root);
    if (metric !== undefined) protect(root, reason('framework-best', metric));
    const mark = markOfName(root);
    if (mark !== null) protect(root, reason('named', mark));
    const marker = markerIn(listing.entries, '') ?? markerOfRun;
    if (marker !== null) protect(root, reason('marked', marker));
    if (root === '') protect(root, reason('model-of-run'));
  }
  return found;
}

/** The directory of the checkpoints, and those around it. */
function foldersAbove(parent: string): string[] {
  return parent === '' ? [''] : [parent, ...foldersAbove(parentPath(parent))];
}

/** The name of a file directly in a directory by which somebody marked that; null without one. */
function markerIn(entries: readonly FileEntry[], directory: string): string | null {
  const marker = entries.find(({ path }) => parentPath(path) === directory && isMarkerName(baseName(path)));
  return marker === undefined ? null : baseName(marker.path);
}

/** Members that a link from outside of them leads into, with one such link. */
function linkedMembers({ members }: RunMembers, entries: readonly FileEntry[]): Map<string, string> {
  const memberOf = memberFinder(members);
  const linked = new Map<string, string>();
  for (const { path, link } of entries) {
    if (link === undefined) continue;
    const own = memberOf(path);
    const ends = [link.entry, link.target.startsWith('/') ? undefined : resolvedPath(parentPath(path), link.target)];
    for (const end of ends) {
      const member = end === undefined ? undefined : memberOf(end);
      if (member !== undefined && member !== own) linked.set(member.root, path);
    }
  }
  return linked;
}

/** The best of each metric in the names. Which end of it is best is known of the policy's own metric alone. */
function bestOfNames({ members }: RunMembers, rule: BestRule | null): Map<string, string> {
  const values = new Map<string, Map<number, string[]>>();
  for (const { root } of members)
    for (const [name, value] of metricsOfName(root)) {
      const ofName = values.get(name) ?? new Map<number, string[]>();
      values.set(name, ofName);
      const equal = ofName.get(value) ?? [];
      ofName.set(value, equal);
      equal.push(root);
    }
  const best = new Map<string, string>();
  for (const [name, ofName] of values) {
    const mode = rule?.metric === name ? rule.mode : null;
    const sorted = [...ofName.keys()].sort((a, b) => a - b);
    const ends = [...(mode === 'max' ? [] : sorted.slice(0, 1)), ...(mode === 'min' ? [] : sorted.slice(-1))];
    // Values in names are rounded: which of equal ones is the best is not known.
    for (const end of ends) for (const root of ofName.get(end) ?? []) best.set(root, `${name}=${end}`);
  }
  return best;
}
