/** What a sweep over numbers of streams writes, and within which bounds. */
import { limits } from '../../bytes/limits.js';
import type { ShapeFile } from '../checkShape.js';

export interface SweepRequest {
  /** Numbers of streams, rising. */
  streams: number[];
  /** Rounds over all points. */
  repeats: number;
  /** For all rounds together; the first one always covers every point. */
  seconds: number;
  /** Most bytes of one run, shared by its streams. */
  spaceBytes: number;
}

/** Doubling shows the knee, and 16 streams are more writers than the usual node has. */
export const usualSweep: readonly number[] = [1, 2, 4, 8, 16];

/** The numbers of a sweep in their order, each once. */
export function sweepOrder(streams: readonly number[]): number[] {
  return [...new Set(streams)].sort((a, b) => a - b);
}

/** What is wrong with a list of numbers of streams, in words; null where nothing is. */
export function problemOfSweep(streams: readonly number[]): string | null {
  const { checkStreams: most, sweepPoints } = limits;
  // Bounded before it is sorted: it may come from a page.
  if (streams.length > sweepPoints) return `a sweep takes at most ${sweepPoints} numbers of streams`;
  if (!streams.every((count) => Number.isSafeInteger(count) && count >= 1 && count <= most))
    return `a sweep takes numbers of streams from 1 to ${most}`;
  if (sweepOrder(streams).length < 2) return 'a sweep takes at least two numbers of streams';
  return null;
}

/** The largest number of streams of a sweep; 0 without one. */
export function mostStreamsOf(sweep: Pick<SweepRequest, 'streams'> | null): number {
  return (sweep?.streams ?? []).reduce((largest, count) => Math.max(largest, count), 0);
}

export function sweepFileName(stream: number): string {
  return `sweep-${String(stream + 1).padStart(3, '0')}`;
}

/** All names that a sweep may write under. */
export function sweepFileNames(sweep: Pick<SweepRequest, 'streams'>): string[] {
  return Array.from({ length: mostStreamsOf(sweep) }, (_, stream) => sweepFileName(stream));
}

/** One file for each stream, of equal size in whole sectors: at least one each, and in all no more than `bytes` where that allows it. */
export function sweepFiles(streams: number, bytes: number): ShapeFile[] {
  const sector = limits.checkSectorBytes;
  const sizeBytes = Math.max(1, Math.floor(bytes / streams / sector)) * sector;
  return Array.from({ length: streams }, (_, stream) => ({ name: sweepFileName(stream), sizeBytes }));
}

/**
 * Bytes of the next run: what the fastest rate so far moves in the time that is there for it, so that a run through the cache does not
 * leave more to be synced than fits its time.
 * @param fastestBytesPerSecond of any phase that wrote before
 */
export function nextRunBytes(
  { spaceBytes }: Pick<SweepRequest, 'spaceBytes'>,
  seconds: number,
  fastestBytesPerSecond: number,
): number {
  return Math.min(spaceBytes, Math.max(0, Math.floor(seconds * fastestBytesPerSecond)));
}
