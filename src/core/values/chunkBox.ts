import type { ChunkBox } from './valueExtent.js';

/** The elements of a chunk that belong to its array, in the order of the chunk. */
export function boxed(chunk: Uint8Array, { shape, within, elementBytes }: ChunkBox): Uint8Array {
  const out = new Uint8Array(within.reduce((product, size) => product * size, elementBytes));
  // Axes that are whole at the end are one run with the axis before them.
  let axes = shape.length;
  let unit = elementBytes;
  while (axes > 0 && within[axes - 1] === shape[axes - 1]) unit *= shape[--axes] as number;
  if (axes === 0) return chunk;
  const runBytes = (within[axes - 1] as number) * unit;
  const outer = shape.slice(0, axes - 1);
  const rowBytes = (shape[axes - 1] as number) * unit;
  for (let to = 0, row = 0; to < out.byteLength; to += runBytes, row++) {
    let rest = row;
    let from = 0;
    let stride = rowBytes;
    for (let axis = outer.length - 1; axis >= 0; axis--) {
      from += (rest % (within[axis] as number)) * stride;
      rest = Math.floor(rest / (within[axis] as number));
      stride *= outer[axis] as number;
    }
    out.set(chunk.subarray(from, from + runBytes), to);
  }
  return out;
}
