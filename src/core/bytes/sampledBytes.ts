/** Places of two sources that are compared in place of all of their bytes. */
import type { ByteSource } from './byteSource.js';

/** At most `count` items at equal distances, the first and the last among them. */
export function evenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, at) => items[Math.round((at * (items.length - 1)) / (count - 1))] as T);
}

/** Places at equal distances, the beginning and the end among them. */
export interface SampledPlaces {
  offsets: number[];
  /** Bytes at each. */
  length: number;
}

/** At most `count` places of `windowBytes`; fewer cover what is smaller than these as a whole. */
export function placesIn(sizeBytes: number, count: number, windowBytes: number): SampledPlaces {
  const length = Math.min(windowBytes, sizeBytes);
  if (length === 0) return { offsets: [], length };
  const last = sizeBytes - length;
  const places = Math.min(count, Math.ceil(sizeBytes / length));
  const offsets = places === 1 ? [0] : Array.from({ length: places }, (_, at) => Math.floor((at * last) / (places - 1)));
  return { offsets, length };
}

/** Whether the bytes are equal at all places, each from where it begins in its source. */
export async function sameBytes(
  [a, atA]: readonly [ByteSource, number],
  [b, atB]: readonly [ByteSource, number],
  { offsets, length }: SampledPlaces,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const offset of offsets) {
    const [x, y] = await Promise.all([a.read(atA + offset, length, signal), b.read(atB + offset, length, signal)]);
    if (x.some((byte, at) => byte !== y[at])) return false;
  }
  return true;
}
