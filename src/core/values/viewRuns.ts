/** Views of a storage as stretches of it: each element once, in the order of the storage. */

/** Stretches of one view. A view of a column has one for each row; beyond this many reading costs more than what is read. */
export const mostRuns = 65_536;

/** Elements of the storage, counted from its beginning. */
export interface ViewRuns {
  starts: number[];
  /** Of each stretch. */
  length: number;
}

/** Why a view cannot be read as stretches. */
export type ViewProblem = 'overlapping' | 'scattered';

interface Axis {
  size: number;
  stride: number;
}

/**
 * The stretches of a view with elements. Axes along which an element is repeated (stride 0) are left out: it is one element.
 * @param strides in elements; those of an array in the usual order where undefined
 */
export function viewRuns(
  shape: readonly number[],
  strides: readonly number[] | undefined,
  offset: number,
): ViewRuns | ViewProblem {
  const axes = axesOf(shape, strides ?? usualStrides(shape));
  let length = 1;
  for (let last = axes.at(-1); last?.stride === length; last = axes.at(-1)) {
    length *= last.size;
    axes.pop();
  }
  let extent = length;
  for (const { size, stride } of axes.toReversed()) {
    if (stride < extent) return 'overlapping';
    extent = stride * (size - 1) + extent;
  }
  const count = axes.reduce((product, { size }) => product * size, 1);
  if (count > mostRuns) return 'scattered';
  let starts = [offset];
  for (const { size, stride } of axes)
    starts = starts.flatMap((start) => Array.from({ length: size }, (_, index) => start + index * stride));
  return { starts, length };
}

/** Of an array whose last axis varies fastest. */
export function usualStrides(shape: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const size of shape.toReversed()) {
    strides.unshift(stride);
    stride *= size;
  }
  return strides;
}

/** The index of an element by its place in the storage, counted from the view's first one. */
export function indexInView(place: number, shape: readonly number[], strides: readonly number[] | undefined): number[] {
  const own = strides ?? usualStrides(shape);
  const index = shape.map(() => 0);
  let rest = place;
  const order = [...own.keys()].filter((axis) => (shape[axis] ?? 0) > 1 && (own[axis] ?? 0) > 0);
  for (const axis of order.sort((a, b) => (own[b] as number) - (own[a] as number))) {
    index[axis] = Math.floor(rest / (own[axis] as number));
    rest %= own[axis] as number;
  }
  return index;
}

/** Those that lead to other elements, the one with the largest steps first. */
function axesOf(shape: readonly number[], strides: readonly number[]): Axis[] {
  return shape
    .map((size, axis): Axis => ({ size, stride: strides[axis] ?? 0 }))
    .filter(({ size, stride }) => size > 1 && stride !== 0)
    .sort((a, b) => b.stride - a.stride);
}
