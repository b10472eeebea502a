import type { FlatShares } from '../tensors/flatShares.js';
import { bitsOfDtype } from '../tensors/dtype.js';
import type { NotReadReason } from './storedPlace.js';
import { sizeProblem } from './storedPlace.js';
import type { ValueExtent } from './valueExtent.js';

/** The stretches of a tensor's elements in the shares of all ranks, in their order and without padding; or why they are not read. */
export function flatPlace(
  files: readonly { path: string }[],
  { groups, start, shareElements }: FlatShares,
  elements: number,
): ValueExtent[] | NotReadReason {
  const { dtype, ends, ranks } = groups;
  const itemBytes = (bitsOfDtype(dtype) ?? 0) / 8;
  if (!Number.isSafeInteger(itemBytes) || itemBytes === 0) return { code: 'dtype', detail: dtype };
  if (shareElements * ranks.length < elements || start + shareElements > (ends.at(-1) ?? 0))
    return sizeProblem(shareElements * ranks.length * itemBytes, elements * itemBytes);
  const first = groupAt(ends, start);
  const extents: ValueExtent[] = [];
  for (const [rank, places] of ranks.entries()) {
    const end = start + Math.min(shareElements, elements - rank * shareElements);
    for (let [at, group] = [start, first]; at < end; group++) {
      const [before, last] = [group === 0 ? 0 : (ends[group - 1] as number), Math.min(end, ends[group] as number)];
      const place = places[group];
      const path = files[place?.file ?? -1]?.path;
      if (place === undefined || path === undefined) return { code: 'no-file', detail: '' };
      if (last > at) extents.push({ path, offset: place.offset + (at - before) * itemBytes, bytes: (last - at) * itemBytes });
      at = last;
    }
  }
  return extents;
}

/** The flat tensor that has this element. */
function groupAt(ends: readonly number[], element: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) <= element) low = middle + 1;
    else high = middle;
  }
  return low;
}
