/** Courses of rates as storage has them, made of levels and seeded noise. */
import type { RateBin } from '../../../../src/core/bandwidth/sustained/rateCurve.js';

/** A level that is kept for some seconds. */
export interface Level {
  seconds: number;
  bytesPerSecond: number;
}

/** Of looks every 100 ms. @param noise largest share by which a look differs from its level */
export function binsOf(levels: readonly Level[], { noise = 0, seed = 1 }: { noise?: number; seed?: number } = {}): RateBin[] {
  const random = randomOf(seed);
  return levels.flatMap(({ seconds, bytesPerSecond }) =>
    Array.from({ length: Math.round(seconds * 10) }, () => {
      const factor = 1 + noise * (2 * random() - 1);
      return { seconds: 0.1, bytes: Math.round(0.1 * bytesPerSecond * factor) };
    }),
  );
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
