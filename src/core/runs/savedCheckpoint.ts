/** One checkpoint of a run, by its listing alone: no file is opened. */
import { isTemporaryName, stepOfName } from '../checkpoints/runs/stepOfName.js';
import type { FileEntry } from '../files/fileTree.js';
import { baseName } from '../files/paths.js';
import { fileRoles } from '../frameworks/layouts.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { ComponentId } from '../tensors/component.js';
import { lateRanks, type LateRank } from './lateRanks.js';
import { unaccountedFiles } from './ownAccount.js';
import { saveTimes, type SaveTimes } from './saveTimes.js';
import { missingFiles, type ComparedCheckpoint, type UsualFiles } from './usualFiles.js';

export interface SavedCheckpoint {
  /** Relative to the inspected path. */
  path: string;
  step: number | null;
  bytes: number;
  /** On the disk: holes and second names of a file left out; null where it is not known. */
  allocatedBytes: number | null;
  files: number;
  /** Less than `bytes` where files are second names of those of an earlier checkpoint. */
  writtenBytes: number;
  /** Milliseconds since 1970; null when unknown. */
  startedMs: number | null;
  finishedMs: number | null;
  startBasis: SaveTimes['startBasis'];
  /** False where its name is that of a save under way, or files are missing that other checkpoints of the run have. */
  complete: boolean;
  missingFiles: number;
  /** Bytes by what files are for, by their names. */
  components: Partial<Record<ComponentId, number>>;
  lateRanks: LateRank[];
  /** Ranks that the names of its files show; 0 where they show none. */
  ranks: number;
  /** Users that own files of it, in alphabetical order; empty where it is not known. */
  owners: string[];
}

/**
 * @param written those of its files that this save wrote: others are names of files of an earlier one
 * @param timely those of them by whose times it is timed: usual ones, of the time of the save
 */
export function savedCheckpoint(
  member: RunMember,
  usual: UsualFiles,
  written: readonly FileEntry[],
  timely: readonly FileEntry[],
): SavedCheckpoint {
  const { root, listing } = member;
  const { entries } = listing;
  const compared = comparedOf(member);
  const { step } = compared;
  const times = saveTimes(timely);
  const missing = Math.max(missingFiles(entries, compared, usual), unaccountedFiles(entries));
  return {
    path: root,
    step,
    bytes: sizeOf(entries),
    allocatedBytes: allocatedOf(entries),
    files: entries.length,
    writtenBytes: sizeOf(written),
    startedMs: times.startedMs,
    finishedMs: times.finishedMs,
    startBasis: times.startBasis,
    complete: missing === 0 && !isTemporaryName(listing.rootName),
    missingFiles: missing,
    components: componentsOf(entries),
    lateRanks: lateRanks(times),
    ranks: times.writers,
    owners: [...new Set(entries.flatMap(({ owner }) => owner ?? []))].sort(),
  };
}

/** As its files are compared with those of others. */
export function comparedOf({ root, listing: { isSingleFile } }: RunMember): ComparedCheckpoint {
  return { step: stepOf(root), isSingleFile };
}

/** Of the name of a checkpoint of a run; null for files in the run's directory itself. */
export function stepOf(root: string): number | null {
  return root === '' ? null : stepOfName(baseName(root));
}

function sizeOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function allocatedOf(entries: readonly FileEntry[]): number | null {
  if (entries.some(({ allocatedBytes }) => allocatedBytes === undefined)) return null;
  return entries.reduce((sum, { allocatedBytes = 0 }) => sum + allocatedBytes, 0);
}

function componentsOf(entries: readonly FileEntry[]): Partial<Record<ComponentId, number>> {
  const bytes: Partial<Record<ComponentId, number>> = {};
  for (const { path, sizeBytes } of entries) {
    const { component } = fileRoles.of(path);
    bytes[component] = (bytes[component] ?? 0) + sizeBytes;
  }
  return bytes;
}
