/** What a sweep measured: a rate for each number of streams, and how many are enough. */
import { median } from '../../bytes/median.js';
import { kneeOf, type Knee, type StreamRate } from './knee.js';
import type { SweepRequest } from './sweepRequest.js';

/** One run of a sweep: all streams of a point, from their common start until the last one was synced. */
export interface SweepRun {
  streams: number;
  isDirect: boolean;
  bytes: number;
  seconds: number;
}

export interface SweepMeasurement {
  runs: SweepRun[];
  /** From the first run to the end of the last, removals between them included. */
  seconds: number;
}

export interface SweepPoint extends StreamRate {
  isDirect: boolean;
  runs: { bytes: number; seconds: number; bytesPerSecond: number }[];
}

/** Writing past the cache (O_DIRECT), or through it and synced. */
export interface SweepMode extends Knee {
  isDirect: boolean;
}

export interface SweepReport {
  /** Past the cache before through it, each by rising numbers of streams. */
  points: SweepPoint[];
  modes: SweepMode[];
  /** The mode with the best rate, and its knee: what a check or a save writes with. */
  recommended: { streams: number; isDirect: boolean; medianBytesPerSecond: number };
  seconds: number;
  spaceBytes: number;
}

/** @throws RangeError without runs */
export function sweepReport({ runs, seconds }: SweepMeasurement, { spaceBytes }: Pick<SweepRequest, 'spaceBytes'>): SweepReport {
  const ofModes = [true, false].map((isDirect) => ({
    isDirect,
    points: pointsOf(runs.filter((run) => run.isDirect === isDirect)),
  }));
  const modes = ofModes.flatMap(({ isDirect, points }): SweepMode[] => {
    const knee = kneeOf(points);
    return knee === null ? [] : [{ isDirect, ...knee }];
  });
  const [first] = modes;
  if (first === undefined) throw new RangeError('a sweep without runs has no knee');
  const fastest = modes.reduce((best, mode) => (mode.bestBytesPerSecond > best.bestBytesPerSecond ? mode : best), first);
  const points = ofModes.flatMap((mode) => mode.points);
  const knee = points.find(({ isDirect, streams }) => isDirect === fastest.isDirect && streams === fastest.streams);
  const { isDirect, streams } = fastest;
  return {
    points,
    modes,
    recommended: { streams, isDirect, medianBytesPerSecond: knee?.medianBytesPerSecond ?? 0 },
    seconds,
    spaceBytes,
  };
}

function pointsOf(runs: readonly SweepRun[]): SweepPoint[] {
  const counts = [...new Set(runs.map(({ streams }) => streams))].sort((a, b) => a - b);
  return counts.map((streams) => pointOf(runs.filter((run) => run.streams === streams)));
}

function pointOf(runs: readonly SweepRun[]): SweepPoint {
  const rated = runs.map(({ bytes, seconds }) => ({ bytes, seconds, bytesPerSecond: seconds > 0 ? bytes / seconds : 0 }));
  const rates = rated.map(({ bytesPerSecond }) => bytesPerSecond);
  return {
    streams: runs[0]?.streams ?? 0,
    isDirect: runs[0]?.isDirect ?? false,
    medianBytesPerSecond: median(rates),
    minimumBytesPerSecond: rates.reduce((least, rate) => Math.min(least, rate), Infinity),
    maximumBytesPerSecond: rates.reduce((most, rate) => Math.max(most, rate), 0),
    runs: rated,
  };
}
