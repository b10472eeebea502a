import type { Extent } from './verification.js';

/** Bytes of a file of `sizeBytes` that any of these stretches has. */
export function unionBytes(extents: readonly Extent[], sizeBytes: number): number {
  const sorted = [...extents].sort((a, b) => a.offset - b.offset);
  let bytes = 0;
  let end = 0;
  for (const { offset, length } of sorted) {
    const to = Math.min(sizeBytes, offset + length);
    if (to <= end) continue;
    bytes += to - Math.max(offset, end);
    end = to;
  }
  return bytes;
}

/** The part of a stretch that a file has: a damaged index may lead beyond its end. */
export function withinFile<Kind extends Extent>(extent: Kind, sizeBytes: number): Kind {
  const offset = Math.min(Math.max(0, extent.offset), sizeBytes);
  return { ...extent, offset, length: Math.min(Math.max(0, extent.offset + extent.length - offset), sizeBytes - offset) };
}

export function overlaps(one: Extent, other: Extent): boolean {
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}
