/** When the storage below runs is full: the runs that go on grow together, and the first of its bounds ends them all. */
import type { TrainingRun } from './trainingRun.js';

/** What may still be written, to a user; null where it is not known, or has no bound. */
export interface StorageRoom {
  freeBytes: number | null;
  /** Files that can still be made. */
  freeFiles: number | null;
  /** That of a user; without a name it is not known whose runs it bounds, and it bounds all. */
  quota: { usedBytes: number; limitBytes: number; user: string | null } | null;
  /** That of the directory's project, which all that is written there counts for. */
  project: { usedBytes: number; limitBytes: number } | null;
  /** The object targets that the file system spreads its files over, and the least that is free on one of them. */
  targets: { count: number; leastFreeBytes: number } | null;
}

export const unknownRoom: StorageRoom = { freeBytes: null, freeFiles: null, quota: null, project: null, targets: null };

export interface FullStorage {
  /** Milliseconds since 1970. */
  atMs: number;
  /** `target`: the fullest of the storage's targets, if what is written spreads over all alike. */
  by: 'bytes' | 'files' | 'quota' | 'project' | 'target';
}

const dayMs = 86_400_000;
/** Intervals after which a run has ended, or stands still. */
const mostIntervals = 4;

export function isGoingOn({ checkpoints, intervals }: TrainingRun, nowMs: number): boolean {
  const newestMs = checkpoints.reduce((newest, { finishedMs }) => Math.max(newest, finishedMs ?? 0), 0);
  return intervals.medianSeconds !== null && nowMs - newestMs <= mostIntervals * intervals.medianSeconds * 1000;
}

type Growing = Pick<TrainingRun, 'bytesPerDay' | 'filesPerDay' | 'owners'>;

/**
 * When a run can save no more. Null where nothing grows, or no bound is known.
 * @param growing the runs that go on, this one among them
 * @param nowMs when the room was asked for
 */
export function fullStorage(
  run: Growing,
  growing: readonly Growing[],
  { freeBytes, freeFiles, quota, project, targets }: StorageRoom,
  nowMs: number,
): FullStorage | null {
  const user = quota?.user ?? null;
  const isOfUser = ({ owners }: Growing): boolean => user === null || owners.length === 0 || owners.includes(user);
  const bytesOf = (runs: readonly Growing[]): number => runs.reduce((sum, { bytesPerDay }) => sum + (bytesPerDay ?? 0), 0);
  const files = growing.reduce((sum, { filesPerDay }) => sum + (filesPerDay ?? 0), 0);
  const leftOf = (bound: StorageRoom['project']) => (bound === null ? null : Math.max(0, bound.limitBytes - bound.usedBytes));
  const bounds = [
    { by: 'quota' as const, room: isOfUser(run) ? leftOf(quota) : null, perDay: bytesOf(growing.filter(isOfUser)) },
    { by: 'project' as const, room: leftOf(project), perDay: bytesOf(growing) },
    { by: 'target' as const, room: targets === null ? null : targets.count * targets.leastFreeBytes, perDay: bytesOf(growing) },
    { by: 'bytes' as const, room: freeBytes, perDay: bytesOf(growing) },
    { by: 'files' as const, room: freeFiles, perDay: files },
  ];
  return bounds.reduce<FullStorage | null>((first, { by, room, perDay }) => {
    if (room === null || perDay <= 0) return first;
    const atMs = nowMs + (room / perDay) * dayMs;
    return first === null || atMs < first.atMs ? { atMs, by } : first;
  }, null);
}
