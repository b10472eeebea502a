/** Which elements of a tensor a slice has. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { SlicePlace } from './slicePlace.js';

/** Indices of one axis: `start`, `start + step` and so on. */
export interface SliceAxis {
  start: number;
  count: number;
  step: number;
}

/** In place of rows or columns that a tensor does not have. */
export const noAxis: SliceAxis = { start: 0, count: 1, step: 1 };

/** @throws FormatError `unsupported` for indices that the shape does not have, `limit-exceeded` for too many values */
export function checkAxes(axes: readonly SliceAxis[], shape: readonly number[]): void {
  if (axes.length !== shape.length)
    throw new FormatError('unsupported', `the tensor has ${shape.length} axes, the slice ${axes.length}`);
  for (const [axis, { start, count, step }] of axes.entries()) {
    const isWhole = [start, count, step].every((value) => Number.isSafeInteger(value) && value >= 0);
    const size = shape[axis] ?? 0;
    if (!isWhole || step === 0 || start + Math.max(0, count - 1) * step >= Math.max(size, count === 0 ? 1 : 0))
      throw new FormatError('unsupported', `axis ${axis} has indices below ${size}`);
  }
  const values = axes.reduce((product, { count }) => product * count, 1);
  if (values > limits.sliceValues)
    throw new FormatError('limit-exceeded', `a slice has at most ${limits.sliceValues} values, this one ${values}`);
}

/** Elements of the storage, in the order of the slice: its last axis varies fastest. */
export function placesOf(axes: readonly SliceAxis[], { strides, first }: Pick<SlicePlace, 'strides' | 'first'>): Float64Array {
  let places = Float64Array.of(first);
  for (const [axis, { start, count, step }] of axes.entries()) {
    const stride = strides[axis] ?? 0;
    const next = new Float64Array(places.length * count);
    for (let at = 0; at < places.length; at++)
      for (let index = 0; index < count; index++)
        next[at * count + index] = (places[at] as number) + (start + index * step) * stride;
    places = next;
  }
  return places;
}
