/** Places for texts that do not cover each other. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Height of a line of text with its air, in pixels. */
export const lineHeight = 16;

const gap = 10;

/** Boxes for a text beside a point: above first, as a hand would, and each moved into the picture from its sides. */
export function placesAround(x: number, y: number, width: number, bounds: Box): Box[] {
  const above = y - gap - lineHeight;
  const below = y + gap;
  const beside = y - lineHeight / 2;
  const corners: [left: number, top: number][] = [
    [x - width / 2, above],
    [x + gap, beside],
    [x - gap - width, beside],
    [x - width / 2, below],
    [x + gap, above],
    [x - gap - width, above],
    [x + gap, below],
    [x - gap - width, below],
    [x - width / 2, above - lineHeight],
    [x - width / 2, below + lineHeight],
  ];
  return corners.map(([left, top]) => {
    const inside = Math.max(bounds.left, Math.min(left, bounds.right - width));
    return { left: inside, top, right: inside + width, bottom: top + lineHeight };
  });
}

/**
 * The first of the boxes that covers nothing.
 * @param lines points of lines, which are covered only where there is no other way
 * @returns null where each box would cover another text or leave the picture
 */
export function freePlace(
  boxes: readonly Box[],
  taken: readonly Box[],
  bounds: Box,
  lines: readonly { x: number; y: number }[] = [],
): Box | null {
  let best: Box | null = null;
  let fewest = Infinity;
  for (const box of boxes) {
    if (box.top < bounds.top || box.bottom > bounds.bottom || box.right > bounds.right + 1) continue;
    if (taken.some((other) => overlaps(box, other))) continue;
    const covered = lines.filter(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom).length;
    if (covered < fewest) {
      best = box;
      fewest = covered;
    }
  }
  return best;
}
