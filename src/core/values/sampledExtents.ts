/** Places of a sample: even stretches with one block in each, at a place that follows from the seed. */
import { createRandom } from '../datasets/text/random.js';
import { unitBytesOf } from './accumulatorOf.js';
import type { Sample } from './valueTask.js';
import type { ValueExtent } from './valueExtent.js';

/** Most bytes of one block: what a read of a disk costs whether it is read whole or not. */
const sampleBlockBytes = 64 * 1024;

/** Blocks of a stretch, which are smaller where it would have fewer: one place tells of a tensor with an order nothing but that place. */
const leastBlocks = 16;

/** A sector. */
const leastBlockBytes = 512;

/** Blocks of one stretch, which are larger where these are too few: of terabytes, or of what a damaged header takes for as much. */
const mostBlocks = 65_536;

/** The blocks of stretches that are read; a stretch that is no larger than a block is read whole. */
export function sampledExtents(extents: readonly ValueExtent[], dtype: string, { share, seed }: Sample): ValueExtent[] {
  const unitBytes = unitBytesOf(dtype);
  return extents.flatMap((within) => {
    const wanted = within.bytes * share;
    const usual = Math.max(leastBlockBytes, Math.min(sampleBlockBytes, wanted / leastBlocks));
    const length = Math.ceil(Math.max(usual, wanted / mostBlocks) / unitBytes) * unitBytes;
    const count = Math.max(leastBlocks, Math.ceil(wanted / length));
    if (count * length >= within.bytes) return [within];
    const random = createRandom(seed ^ hashOf(within));
    const units = Math.floor(within.bytes / unitBytes);
    return Array.from({ length: count }, (_, at) => {
      const from = Math.floor((units * at) / count);
      const room = Math.floor((units * (at + 1)) / count) - from - length / unitBytes;
      const first = from + Math.floor(random() * (Math.max(0, room) + 1));
      return { path: within.path, offset: within.offset + first * unitBytes, bytes: length };
    });
  });
}

/** Tensors of one shape are not all looked at in the same places. */
function hashOf({ offset, bytes }: ValueExtent): number {
  return Math.imul(offset % 4_294_967_291, 0x9e3779b1) ^ Math.imul(bytes % 4_294_967_291, 0x85ebca6b);
}
