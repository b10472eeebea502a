/** Places of a sample of a pair, or of its first elements: the same elements of both sides, in blocks that are spread evenly. */
import { createRandom } from '../../datasets/text/random.js';
import { bitsOfDtype } from '../../tensors/dtype.js';
import { decoderOf } from '../../values/accumulatorOf.js';
import type { ValueExtent } from '../../values/valueExtent.js';
import type { Sample } from '../../values/valueTask.js';
import type { PairSide, ValuePair } from './pairTask.js';

/** Elements of one block: 64 KiB of bf16. */
const usualElements = 32_768;
const leastElements = 256;
/** Blocks of a tensor, which are smaller where it would have fewer, and larger where these are too few. */
const leastBlocks = 16;
const mostBlocks = 65_536;

/** The pair with the stretches of the sample in place of its own; the whole pair where it is no larger than these. */
export function sampledPair(pair: ValuePair, { share, seed }: Sample): ValuePair {
  const { elements, a, b } = pair;
  const unit = Math.max(unitOf(a).elements, unitOf(b).elements);
  const wanted = elements * share;
  const usual = Math.max(leastElements, Math.min(usualElements, wanted / leastBlocks), wanted / mostBlocks);
  const length = Math.ceil(usual / unit) * unit;
  const count = Math.max(leastBlocks, Math.ceil(wanted / length));
  if (count * length >= elements) return pair;
  const random = createRandom(seed ^ Math.imul(pair.pair + 1, 0x9e3779b1));
  const units = Math.floor(elements / unit);
  const starts = Array.from({ length: count }, (_, at) => {
    const from = Math.floor((units * at) / count);
    const room = Math.floor((units * (at + 1)) / count) - from - length / unit;
    return (from + Math.floor(random() * (Math.max(0, room) + 1))) * unit;
  });
  const sampled = (side: PairSide): PairSide => ({
    ...side,
    extents: starts.flatMap((start) => stretchesOf(side, start, Math.min(length, elements - start))),
  });
  return { ...pair, a: sampled(a), b: sampled(b) };
}

/** The pair of its first elements alone; undefined where these are no whole units. */
export function firstOfPair(pair: ValuePair, elements: number): ValuePair | undefined {
  const { a, b } = pair;
  if ([a, b].some((side) => elements % unitOf(side).elements !== 0)) return undefined;
  const cut = (side: PairSide): PairSide => ({ ...side, extents: stretchesOf(side, 0, elements) });
  return { ...pair, elements, a: cut(a), b: cut(b) };
}

/** What is decoded together, in elements of the shape: a complex number is one, and a byte of two codes. */
function unitOf({ dtype, isBigEndian }: PairSide): { bytes: number; elements: number } {
  const { unitBytes, unitElements } = decoderOf(dtype, isBigEndian);
  const bits = bitsOfDtype(dtype);
  return { bytes: unitBytes, elements: bits === undefined ? unitElements : (unitBytes * 8) / bits };
}

/** Where elements are; whole units of every extent. */
function stretchesOf(side: PairSide, start: number, count: number): ValueExtent[] {
  const unit = unitOf(side);
  const bytesAt = (elements: number): number => Math.floor(elements / unit.elements) * unit.bytes;
  const [from, end] = [bytesAt(start), bytesAt(start + count)];
  const stretches: ValueExtent[] = [];
  let before = 0;
  for (const { path, offset, bytes } of side.extents) {
    const [own, last] = [Math.max(from, before), Math.min(end, before + bytes)];
    if (own < last) stretches.push({ path, offset: offset + own - before, bytes: last - own });
    before += bytes;
  }
  return stretches;
}
