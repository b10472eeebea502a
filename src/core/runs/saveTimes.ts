/**
 * When a save began and ended, from the times of its files alone. The end is that of the last file. The beginning is when the first file was made,
 * where the file system says that and nothing was copied since; else it is counted back from the files of each writer: the first of them was done
 * after its bytes, at the rate of the others.
 */
import type { FileEntry } from '../files/fileTree.js';
import { medianOrNull } from '../bytes/median.js';
import { rankOfName } from './rankOfName.js';

/** Milliseconds since 1970. */
export interface SaveTimes {
  /** Null when unknown: one file a writer, and no time at which it was made. */
  startedMs: number | null;
  /** Null where no file has a time. */
  finishedMs: number | null;
  /** `created`: times at which files were made; `counted`: by the files of each writer. */
  startBasis: 'created' | 'counted' | null;
  /** Those that write alike; none where most bytes are of no rank, as those of others wait for nothing. */
  ranks: RankTime[];
  /** Ranks that the names of files show; 0 where they show none. */
  writers: number;
}

export interface RankTime {
  rank: string;
  bytes: number;
  finishedMs: number;
}

/** A file that was written. */
interface Written {
  path: string;
  bytes: number;
  finishedMs: number;
  createdMs: number | null;
}

/** File systems keep times to a second or two (FAT: 2 s), and clocks of servers differ by less. */
const roundingMs = 2000;
/** Writers that are known have at least so much of the bytes: else nothing is said of the others. */
const leastKnownShare = 0.5;
/** Of a writer's bytes that follow its first file: fewer say nothing of the rate at which that was written. */
const leastLaterShare = 0.25;

export function saveTimes(entries: readonly FileEntry[]): SaveTimes {
  const files = entries.flatMap(written);
  if (files.length === 0) return { startedMs: null, finishedMs: null, startBasis: null, ranks: [], writers: 0 };
  const finishedMs = files.reduce((latest, file) => Math.max(latest, file.finishedMs), -Infinity);
  const byRank = byWriter(files);
  const createdMs = firstCreated(files);
  const startedMs = createdMs ?? countedStart(byRank, files);
  return {
    startedMs,
    finishedMs,
    startBasis: createdMs !== null ? 'created' : startedMs !== null ? 'counted' : null,
    ranks: ranksOf(byRank, files),
    writers: writersOf(byRank),
  };
}

/** When it began, milliseconds since 1970, where one writer wrote a file after the other, as a copy does; null where times or sizes do not show it. */
export function startOfCopy(entries: readonly FileEntry[]): number | null {
  return startOfWriter(entries.flatMap(written));
}

/** Links and empty files have no bytes. */
function written({ path, sizeBytes, modifiedMs, createdMs, link, error }: FileEntry): Written[] {
  if (modifiedMs === null || sizeBytes === 0 || link !== undefined || error !== undefined) return [];
  return [{ path, bytes: sizeBytes, finishedMs: modifiedMs, createdMs: createdMs ?? null }];
}

/** Null where a file has none, or was made after it was last written: a copy keeps the one and not the other. */
function firstCreated(files: readonly Written[]): number | null {
  const isKnown = files.every((file) => file.createdMs !== null && file.createdMs <= file.finishedMs + roundingMs);
  return isKnown ? files.reduce((first, { createdMs }) => Math.min(first, createdMs ?? Infinity), Infinity) : null;
}

/** The median of the writers, which begin together. */
function countedStart(byRank: ByRank, files: readonly Written[]): number | null {
  const known = [...byRank.values()].flatMap((own) => {
    const startMs = startOfWriter(own);
    return startMs === null ? [] : [{ startMs, bytes: sumOf(own) }];
  });
  if (sumOf(known) < leastKnownShare * sumOf(files)) return null;
  return medianOrNull(known.map(({ startMs }) => startMs));
}

/** A trainer and its framework may each name the same ranks in their own way: those of the way with most count. */
function writersOf(byRank: ByRank): number {
  const counts = new Map<string, number>();
  for (const rank of byRank.keys()) {
    const way = rank.replaceAll(/\d+/g, '');
    if (rank !== noRank) counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0);
}

/** Files of each rank; those of none under `noRank`. */
type ByRank = ReadonlyMap<string, Written[]>;
const noRank = '';

function byWriter(files: readonly Written[]): ByRank {
  const writers = new Map<string, Written[]>();
  for (const file of files) {
    const writer = rankOfName(file.path) ?? noRank;
    const own = writers.get(writer) ?? [];
    writers.set(writer, own);
    own.push(file);
  }
  return writers;
}

/** When it began its first file: as long before that was done as its bytes take at the rate of the rest. */
function startOfWriter(files: readonly Written[]): number | null {
  const inOrder = [...files].sort((a, b) => a.finishedMs - b.finishedMs);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined || last.finishedMs - first.finishedMs < roundingMs) return null;
  const laterBytes = sumOf(inOrder.slice(1));
  if (laterBytes < leastLaterShare * (first.bytes + laterBytes)) return null;
  return first.finishedMs - (first.bytes / laterBytes) * (last.finishedMs - first.finishedMs);
}

/** Of the median rank's bytes: one with fewer has another part in the save. */
const leastAlikeShare = 0.5;

function ranksOf(byRank: ByRank, files: readonly Written[]): RankTime[] {
  const ranks = [...byRank].flatMap(([rank, own]): RankTime[] => {
    if (rank === noRank) return [];
    const finishedMs = own.reduce((latest, file) => Math.max(latest, file.finishedMs), -Infinity);
    return [{ rank, bytes: sumOf(own), finishedMs }];
  });
  if (sumOf(ranks) < leastKnownShare * sumOf(files)) return [];
  const usualBytes = medianOrNull(ranks.map(({ bytes }) => bytes)) ?? 0;
  return ranks.filter(({ bytes }) => bytes >= leastAlikeShare * usualBytes && bytes * leastAlikeShare <= usualBytes);
}

function sumOf(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
