/** What keeps a checkpoint from being judged: it is not whole, may be under way, or is not what the rules speak of. */
import type { FileEntry, FileListing } from '../files/fileTree.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { SavedCheckpoint } from '../runs/savedCheckpoint.js';
import { runWithin } from '../runs/mixedRuns.js';
import { additionOf, hasUndecodedName } from './namedCheckpoint.js';
import { reason, type CaveatCode, type Reason } from './reason.js';
import { pathOfFile } from './runMembers.js';

export interface CaveatFacts {
  nowMs: number;
  /** The longest save that was observed, milliseconds. */
  quietMs: number;
  /** Whose checkpoints are judged; null where all are of one user, or where owners are not known. */
  owner: string | null;
  /** How often each step is in the run, or each epoch where names have no steps. */
  orders: ReadonlyMap<number, number>;
  /** A file that is shorter than the same file of the others, which have one size; null without one. */
  shorter: string | null;
  /** Of the largest checkpoint that is not incomplete. */
  largestBytes: number;
  /** Some checkpoint has files of weights. */
  hasWeights: boolean;
  /** Paths of what differs between the two listings. */
  changed: ReadonlySet<string>;
  /** Directories that could not be listed. */
  unlisted: readonly string[];
  /** How checkpoints of the run are called (`patternsOf`). */
  patterns: readonly string[];
  /** All paths of the run. */
  paths: ReadonlySet<string>;
  /** A state of the Trainer that cannot be read, and the step of the last that was: a later one may be the best. */
  unreadState: { path: string; afterStep: number | null } | null;
  /** Of every checkpoint: the listing was cut off, a pointer was not understood. */
  ofAll: readonly Reason<CaveatCode>[];
}

/** Of the largest: saves of one run differ by less, unless they were thinned. */
const leastShare = 0.5;
/** Clocks of servers differ by less. */
const skewMs = 60_000;
/** Where no save was observed: those of most models take minutes. */
export const usualQuietMs = 600_000;
/** NeMo marks a save under way by an empty file beside it (nemo/utils/callbacks: NeMoModelCheckpoint). */
const unfinishedMarker = '-unfinished';
export function caveatsOf(
  member: RunMember,
  saved: SavedCheckpoint,
  order: number | null,
  facts: CaveatFacts,
): Reason<CaveatCode>[] {
  const { root, listing } = member;
  const { entries } = listing;
  const caveats: Reason<CaveatCode>[] = [...facts.ofAll];
  const youngestMs = entries.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs ?? -Infinity), -Infinity);
  const unlisted = facts.unlisted.find((path) => path === root || path.startsWith(`${root}/`));
  const unreadable = entries.find(({ error }) => error !== undefined);
  const owners = facts.owner === null ? [] : saved.owners.filter((owner) => owner !== facts.owner);
  if (root !== '' && facts.paths.has(root + unfinishedMarker)) caveats.push(reason('being-written', root + unfinishedMarker));
  else if (youngestMs > facts.nowMs + skewMs) caveats.push(reason('time-in-future'));
  else if (facts.nowMs - youngestMs <= facts.quietMs) caveats.push(reason('being-written', Math.round(facts.quietMs / 1000)));
  if (youngestMs === -Infinity) caveats.push(reason('age-unknown'));
  if (facts.changed.has(root)) caveats.push(reason('changed'));
  if (!saved.complete) caveats.push(reason('incomplete', saved.missingFiles === 0 ? null : saved.missingFiles));
  else if (facts.shorter !== null) caveats.push(reason('shorter-file', facts.shorter));
  // Files are missing by what most checkpoints have: where most were interrupted, sizes still tell.
  if (saved.bytes < leastShare * facts.largestBytes) caveats.push(reason('much-smaller'));
  // Nor is a file usual that most have lost: what is whole is not decided by how many are left.
  if (facts.hasWeights && !hasWeights(saved)) caveats.push(reason('without-weights'));
  if (unlisted !== undefined) caveats.push(reason('unreadable', unlisted));
  else if (unreadable !== undefined) caveats.push(reason('unreadable', pathOfFile(member, unreadable)));
  if (facts.unreadState !== null && (saved.step ?? Infinity) > (facts.unreadState.afterStep ?? -1))
    caveats.push(reason('state-unreadable', facts.unreadState.path));
  if (order === null) caveats.push(reason('no-step'));
  else if ((facts.orders.get(order) ?? 0) > 1) caveats.push(reason('same-step', order));
  const added = additionOf(root, facts.patterns);
  if (added !== null) caveats.push(reason('name-added-to', added));
  const within = runWithin(member);
  if (within !== null) caveats.push(reason('run-within', within));
  if (owners.length > 0) caveats.push(reason('other-owner', owners[0] ?? null));
  if (hasUndecodedName(root) || entries.some(({ path }) => hasUndecodedName(path))) caveats.push(reason('name-not-utf8'));
  return caveats;
}

/** By the names of its files. */
export function hasWeights({ components }: Pick<SavedCheckpoint, 'components'>): boolean {
  return (components.weights ?? 0) > 0;
}

/** Paths of what is in one listing and not in the other, or has another size or time there. */
export function changedPaths(before: FileListing, after: FileListing): string[] {
  const then = new Map(before.entries.map((entry) => [entry.path, entry]));
  const changed: string[] = [];
  for (const entry of after.entries) {
    const earlier = then.get(entry.path);
    if (earlier === undefined || !isSame(earlier, entry)) changed.push(entry.path);
    then.delete(entry.path);
  }
  return [...changed, ...then.keys()];
}

function isSame(a: FileEntry, b: FileEntry): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedMs === b.modifiedMs && a.link?.target === b.link?.target && a.error === b.error;
}

/** Steps of the members by how many have each: two folders of one step may be parts of one save, or copies. */
export function countSteps(steps: readonly (number | null)[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const step of steps) if (step !== null) counts.set(step, (counts.get(step) ?? 0) + 1);
  return counts;
}
