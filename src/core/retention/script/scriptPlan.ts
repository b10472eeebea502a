/** What both scripts are made of. */
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { baseName } from '../../files/paths.js';
import { visibleText } from '../../text/visibleText.js';
import type { RunMember } from '../../inspection/runs/run.js';
import type { PlannedRetention } from '../planRetention.js';
import { hasUndecodedName } from '../namedCheckpoint.js';
import { checkpointFacts } from './checkpointFacts.js';

/** A checkpoint in a script. */
export interface ScriptedCheckpoint {
  /** Relative to the run. */
  path: string;
  /** As it may be shown on a terminal. */
  shown: string;
  /** Empty for one that stays and has files whose facts are not known: then only that it is there is compared. */
  facts: string;
  files: number;
  /** Of its name; null where that has none. */
  step: number | null;
}

/** A file of holds as it was read. */
export interface HoldsFile {
  /** In the run, or in full. */
  path: string;
  /** Null where there is no such file. */
  text: string | null;
}

export interface ScriptPlan {
  /** In full, as the run was named. */
  location: string;
  plannedMs: number;
  /** Directory of the checkpoints, relative to the run. */
  parent: string;
  dropped: ScriptedCheckpoint[];
  kept: ScriptedCheckpoint[];
  freedBytes: number;
  pointers: { path: string; isLink: boolean; text: string }[];
  /** Names of links and small files beside the run that have its name in them. */
  near: string[];
  holds: HoldsFile[];
  /** All files of the run but this program's own. */
  files: number;
  purgeAfterDays: number;
}

/** @throws FormatError `unsupported` for a dropped file without a time */
export function scriptPlan({ report, run, pointers, near }: PlannedRetention, location: string, holds: HoldsFile[]): ScriptPlan {
  const members = new Map((run?.members ?? []).map((member) => [member.root, member]));
  const membersOf = (list: readonly { path: string }[]): RunMember[] => list.flatMap(({ path }) => members.get(path) ?? []);
  return {
    location,
    plannedMs: Date.parse(report.plannedAt),
    parent: report.run,
    dropped: membersOf(report.drop).map((member) => scripted(member, checkpointFacts(member))),
    // The model in the run's directory itself has no name of its own; one that is not UTF-8 cannot be written in a script.
    kept: membersOf(report.keep)
      .filter(({ root }) => root !== '' && !hasUndecodedName(root))
      .map((member) => scripted(member, isKnown(member) ? checkpointFacts(member) : '')),
    freedBytes: report.freedBytes,
    pointers: pointers.flatMap(({ path, isLink, text }) => (text === null ? [] : [{ path, isLink, text }])),
    near,
    holds,
    files: report.coverage.files,
    purgeAfterDays: report.policy.purgeAfterDays,
  };
}

/** Whether the facts of all its files are known. */
function isKnown({ listing }: RunMember): boolean {
  return listing.entries.every(
    ({ path, link, error, modifiedMs }) =>
      error === undefined && !hasUndecodedName(path) && (link !== undefined || modifiedMs !== null),
  );
}

export function isComparable({ facts }: ScriptedCheckpoint): boolean {
  return facts !== '';
}

function scripted({ root, listing }: RunMember, facts: string): ScriptedCheckpoint {
  return { path: root, shown: visibleText(root), facts, files: listing.entries.length, step: stepOfName(baseName(root)) };
}

/** `2026-11-27T110717Z`: the folder of a plan in the trash. */
export function trashName(plannedMs: number): string {
  return new Date(plannedMs).toISOString().slice(0, 19).replaceAll(':', '') + 'Z';
}

/** `202611271107.17`, as `touch -t` takes it. */
export function touchTime(plannedMs: number): string {
  const digits = new Date(plannedMs).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 12)}.${digits.slice(12, 14)}`;
}
