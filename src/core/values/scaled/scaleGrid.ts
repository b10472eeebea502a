/** Which scale an element has, where a tensor has one for each block of it. */
export interface ScaleGrid {
  shape: number[];
  /** Elements along each axis that have the same scale; at the end of an axis there may be fewer. */
  sides: number[];
}

/**
 * The grid of a tensor and its scales by their shapes alone: one scale of all, one for each index of the first axis, or blocks along each axis.
 * Sides of blocks are powers of two from 16 on, of which at most one has that many blocks. Undefined where there is none.
 */
export function scaleGridOf(shape: readonly number[], scaleShape: readonly number[]): ScaleGrid | undefined {
  const scales = scaleShape.reduce((product, count) => product * count, 1);
  const isByFirst = scaleShape.length === 1 && scales === shape[0];
  const counts = scales === 1 ? shape.map(() => 1) : isByFirst ? shape.map((size, axis) => (axis === 0 ? size : 1)) : scaleShape;
  if (counts.length !== shape.length) return undefined;
  const sides = shape.map((size, axis) => sideOf(size, counts[axis] ?? 0));
  return sides.includes(0) ? undefined : { shape: [...shape], sides };
}

const leastSide = 16;

/** 0 where no side fits. */
function sideOf(size: number, count: number): number {
  if (count === 1) return size;
  if (count === size) return 1;
  const side = 2 ** Math.ceil(Math.log2(size / count));
  return side >= leastSide && Math.ceil(size / side) === count ? side : 0;
}

/** Numbers with one scale, one after the other in a row of the last axis. */
export interface ScaleRun {
  scale: number;
  count: number;
}

/** Finds the scale of an element in the order of the tensor, and of how many from it on. */
export function scaleFinder({ shape, sides }: ScaleGrid): (element: number) => ScaleRun {
  const counts = shape.map((size, axis) => Math.ceil(size / (sides[axis] ?? 1)));
  const columns = shape.at(-1) ?? 1;
  const side = sides.at(-1) ?? 1;
  return (element) => {
    const column = element % columns;
    let index = (element - column) / columns;
    let scale = Math.floor(column / side);
    let stride = counts.at(-1) ?? 1;
    for (let axis = shape.length - 2; axis >= 0; axis--) {
      const size = shape[axis] as number;
      scale += Math.floor((index % size) / (sides[axis] as number)) * stride;
      stride *= counts[axis] as number;
      index = Math.floor(index / size);
    }
    return { scale, count: Math.min(side - (column % side), columns - column) };
  };
}
