/** How many streams are enough: the knee of the rate over the number of streams. */

/** The rate of so many streams, over its repeats. */
export interface StreamRate {
  streams: number;
  medianBytesPerSecond: number;
  minimumBytesPerSecond: number;
  maximumBytesPerSecond: number;
}

export interface Knee {
  /** The fewest whose median reaches `kneeShare` of the best median. */
  streams: number;
  /** The fewest whose fastest repeat reaches it, and the fewest whose slowest does: how far the repeats leave the knee open. */
  range: [number, number];
  bestStreams: number;
  bestBytesPerSecond: number;
  /** True where none but the most streams reach it: still more may be faster. */
  isStillRising: boolean;
}

/** Share of the best rate that is as good as the best: repeats of one storage differ by about as much. */
export const kneeShare = 0.9;

/**
 * The fewest streams that reach 90 % of the best median rate.
 * @param points with numbers of streams that rise
 * @returns null without points
 */
export function kneeOf(points: readonly StreamRate[]): Knee | null {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const best = points.reduce((most, point) => (point.medianBytesPerSecond > most.medianBytesPerSecond ? point : most), first);
  const enough = kneeShare * best.medianBytesPerSecond;
  const fewest = (rateOf: (point: StreamRate) => number): number | undefined =>
    points.find((point) => rateOf(point) >= enough)?.streams;
  const streams = fewest((point) => point.medianBytesPerSecond) ?? best.streams;
  return {
    streams,
    range: [
      fewest((point) => point.maximumBytesPerSecond) ?? streams,
      fewest((point) => point.minimumBytesPerSecond) ?? best.streams,
    ],
    bestStreams: best.streams,
    bestBytesPerSecond: best.medianBytesPerSecond,
    isStillRising: points.length > 1 && streams === last.streams,
  };
}
