import { limits } from '../../src/core/bytes/limits.js';

/** Numbers of a list such as `1, 2, 4`; null for what is none. One more than may be is kept, so that too many are found. */
export function readStreams(text: string): number[] | null {
  const parts = text
    .split(',', limits.sweepPoints + 1)
    .map((part) => part.trim())
    .filter((part, index, all) => part !== '' || index < all.length - 1);
  return parts.length > 0 && parts.every((part) => /^\d{1,6}$/.test(part)) ? parts.map(Number) : null;
}
