/** The report of a decision, with what the run and its framework add to it. */
import type { FileListing } from '../files/fileTree.js';
import { baseName } from '../files/paths.js';
import type { Candidate } from './candidate.js';
import type { Decision } from './decide.js';
import { freedBytes } from './freedBytes.js';
import { reason } from './reason.js';
import type { RetentionFacts, RetentionInput } from './retentionFacts.js';
import { notesOf } from './retentionNotes.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import type { RetentionReport } from './retentionReport.js';
import { nextRotation } from './rotation/nextRotation.js';
import type { Rotation } from './rotation/rotation.js';
import { unlistedCheckpoints } from './unlisted.js';

/** What the report has besides the decision. */
export interface Known {
  listing: FileListing;
  /** Null where there is no run. */
  facts: RetentionFacts | null;
  opened: string[];
  trash: RetentionReport['trash'];
}

export function buildRetentionReport(
  { path, policy, holds, nowMs }: RetentionInput,
  { listing, facts, opened, trash }: Known,
  { keep, drop, undecided }: Decision,
): RetentionReport {
  const members = facts?.run.members ?? [];
  const dropped = new Set(drop.map(({ candidate }) => candidate.path));
  const freed = freedBytes(members.filter(({ root }) => dropped.has(root)));
  const named = ({ path: root, step, bytes }: Candidate) => ({ path: root, step, bytes });
  const unlisted = facts === null ? [] : unlistedCheckpoints(listing, facts.run);
  const others = (facts?.run.others ?? []).map(({ root, listing: { entries } }) => ({
    path: root,
    step: null,
    bytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    why: [reason('other-run' as const)],
  }));
  return {
    kind: 'retention',
    schemaVersion: 2,
    path,
    run: facts?.run.parent ?? '',
    plannedAt: new Date(nowMs).toISOString(),
    policy,
    keep: keep.map(({ candidate, reasons }) => ({ ...named(candidate), reasons })),
    drop: drop.map(({ candidate, reasons }) => ({
      ...named(candidate),
      reasons,
      freedBytes: freed.byPath.get(candidate.path) ?? 0,
    })),
    undecided: [...undecided.map(({ candidate, why }) => ({ ...named(candidate), why })), ...others, ...unlisted],
    freedBytes: [...freed.byPath.values()].reduce((sum, bytes) => sum + bytes, 0),
    freedBasis: freed.basis,
    rotation: facts === null ? null : rotationOf(policy, facts, keep, nowMs),
    trash,
    notes: facts === null ? [] : notesOf(policy, holds, facts, nowMs),
    coverage: {
      checkpoints: members.length,
      files: listing.entries.length,
      isWhole: !listing.truncated && listing.errors.length === 0,
      unreadable: listing.errors.map((error) => error.path),
      opened: [...opened, ...(facts?.rotation == null || facts.rotation.source === 'policy' ? [] : [facts.rotation.source])],
    },
  };
}

function rotationOf(
  { keepBest }: RetentionPolicy,
  { run, training, listing, history, pointers, rotation }: RetentionFacts,
  keep: Decision['keep'],
  nowMs: number,
): Rotation | null {
  if (rotation === null) return null;
  const below = run.parent === '' ? '' : `${run.parent}/`;
  const inside = listing.entries.filter(({ path }) => path.startsWith(below));
  const names = new Set(inside.map(({ path }) => path.slice(below.length).split('/')[0] ?? ''));
  const latest = pointers.find(({ isLink, names: named }) => !isLink && named.length > 0)?.names[0];
  const [best] = history.best;
  return nextRotation(
    rotation,
    {
      parent: run.parent,
      members: training.checkpoints,
      names: [...names],
      best: best === undefined ? null : baseName(best.checkpoint),
      latestStep: training.checkpoints.find(({ path }) => path === latest)?.step ?? null,
      rule: keepBest,
      nowMs,
    },
    new Set(keep.map(({ candidate }) => candidate.path)),
  );
}
