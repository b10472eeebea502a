/**
 * The files by whose times a save is timed. A tokenizer that was copied with its time of last year, or a config that somebody touched later, was not
 * written by the save: times that are before the save before, or after the save after, are of something else. A file of a rank is the save's own: that rank
 * was late, however late.
 */
import type { FileEntry } from '../files/fileTree.js';
import { rankOfName } from './rankOfName.js';

/** More of the bytes are the save itself, however odd its times are: less is what a conversion puts beside it later. */
const mostOtherShare = 0.5;
/** Intervals that a first save may have begun, and a last one ended, before and after its middle. */
const mostIntervals = 2;

/** Saves are further apart. */
const leastApartMs = 2000;

interface Timed {
  index: number;
  /** The time by which half of its bytes were written, milliseconds since 1970. */
  middleMs: number;
}

/** @param saves the files of each checkpoint of a run, in any order; answers those that each wrote itself, in the same order */
export function timelyFiles(saves: readonly (readonly FileEntry[])[]): (readonly FileEntry[])[] {
  const timed = saves
    .flatMap((entries, index): Timed[] => {
      const middleMs = middleOf(entries);
      return middleMs === null ? [] : [{ index, middleMs }];
    })
    .sort((a, b) => a.middleMs - b.middleMs);
  const timely = [...saves];
  for (const [at, { index, middleMs }] of timed.entries()) {
    // Two of one time are of two clocks, or of a copy: neither bounds the other.
    const before = neighbourOf(timed, at, -1);
    const after = neighbourOf(timed, at, 1);
    const interval = Math.min(middleMs - (before ?? -Infinity), (after ?? Infinity) - middleMs);
    const fromMs = before ?? middleMs - mostIntervals * interval;
    const toMs = after ?? middleMs + mostIntervals * interval;
    timely[index] = within(saves[index] ?? [], fromMs, toMs);
  }
  return timely;
}

/** The middle of the next save in one direction that is of another time. */
function neighbourOf(timed: readonly Timed[], at: number, direction: 1 | -1): number | undefined {
  const ownMs = timed[at]?.middleMs ?? 0;
  for (let index = at + direction; index >= 0 && index < timed.length; index += direction) {
    const { middleMs } = timed[index] as Timed;
    if (Math.abs(middleMs - ownMs) > leastApartMs) return middleMs;
  }
  return undefined;
}

function within(entries: readonly FileEntry[], fromMs: number, toMs: number): readonly FileEntry[] {
  const isOfSave = ({ path, modifiedMs }: FileEntry): boolean =>
    modifiedMs === null || (modifiedMs >= fromMs && modifiedMs <= toMs) || rankOfName(path) !== null;
  const inside = entries.filter(isOfSave);
  const other = bytesOf(entries) - bytesOf(inside);
  return other > mostOtherShare * bytesOf(entries) ? entries : inside;
}

function middleOf(entries: readonly FileEntry[]): number | null {
  const files = entries
    .flatMap(({ modifiedMs, sizeBytes }) => (modifiedMs === null || sizeBytes === 0 ? [] : [{ modifiedMs, sizeBytes }]))
    .sort((a, b) => a.modifiedMs - b.modifiedMs);
  const half = bytesOf(files) / 2;
  let sum = 0;
  for (const { modifiedMs, sizeBytes } of files) {
    sum += sizeBytes;
    if (sum >= half) return modifiedMs;
  }
  return null;
}

function bytesOf(entries: readonly Pick<FileEntry, 'sizeBytes'>[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
