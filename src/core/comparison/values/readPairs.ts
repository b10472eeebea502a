/** Reads the pairs of a task, both sides at once, in blocks. */
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { reachableFiles } from '../../files/reachableFiles.js';
import type { FileTree } from '../../files/fileTree.js';
import { decoderOf } from '../../values/accumulatorOf.js';
import type { NumberDecoder } from '../../values/numberAccumulator.js';
import { scaledDecoder } from '../../values/scaled/scaledDecoder.js';
import type { ScaleUse } from '../../values/scaled/scaling.js';
import { isItem, settledExtents } from '../../values/torchItem.js';
import type { Sample } from '../../values/valueTask.js';
import { ElementStream } from './elementStream.js';
import { noSums, type PairResult, type PairSide, type PairSums, type PairTask, type ValuePair } from './pairTask.js';
import { roundingsOf } from './rounding.js';
import { sampledPair } from './sampledPair.js';
import { sumPairs } from './sumPairs.js';
import { WindowedFiles } from './windowedFiles.js';

/** What both sides are read from. */
export interface PairTrees {
  a: Pick<FileTree, 'open'>;
  b: Pick<FileTree, 'open'>;
}

export interface PairHooks {
  signal?: AbortSignal | undefined;
  /** Called with the bytes that were read of each pair. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** Small tensors one after the other come in one read. */
const aheadBytes = 256 * 1024;

/** A file that cannot be read costs its own tensors alone. @throws FormatError `cancelled`, `io` where a file of a store was not fetched */
export async function readPairs(trees: PairTrees, task: PairTask, { signal, onBytes }: PairHooks = {}): Promise<PairResult[]> {
  const ahead = task.sample === undefined ? aheadBytes : 0;
  const reachable = { a: reachableFiles(trees.a), b: reachableFiles(trees.b) };
  const files = { a: new WindowedFiles(reachable.a, ahead, signal), b: new WindowedFiles(reachable.b, ahead, signal) };
  const results: PairResult[] = [];
  try {
    for (const pair of task.pairs) {
      throwIfCancelled(signal);
      const before = files.a.bytesRead + files.b.bytesRead;
      const sums = noSums();
      const problem = await readPair(pair, task.sample, files, sums);
      reachable.a.check();
      reachable.b.check();
      const bytesRead = files.a.bytesRead + files.b.bytesRead - before;
      results.push({ pair: pair.pair, sums, bytesRead, problem });
      onBytes?.(bytesRead);
    }
  } finally {
    await files.a.close();
    await files.b.close();
  }
  return results;
}

/** Answers why there are no numbers; null where there are. @throws FormatError `cancelled` */
async function readPair(
  pair: ValuePair,
  sample: Sample | undefined,
  files: { a: WindowedFiles; b: WindowedFiles },
  sums: PairSums,
): Promise<string | null> {
  try {
    const settled = { ...pair, a: await settledSide(pair.a, files.a), b: await settledSide(pair.b, files.b) };
    const { a, b } = sample === undefined ? settled : sampledPair(settled, sample);
    const own = new ElementStream(a.extents, await decoderOfSide(a, files.a), files.a);
    const other = new ElementStream(b.extents, await decoderOfSide(b, files.b), files.b);
    sums.rounded = roundingsOf(a.dtype, b.dtype);
    const problem = await sumStreams(own, other, sums);
    return problem ?? (isRoundedAlike(a, b, sums) ? 'They are equal in 53 bits, and have whole numbers that take more.' : null);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return `Its values cannot be read: ${error.detail}.`;
  }
}

/** Whole numbers of 64 bits are compared as doubles: of two beyond 2^53 that differ both may be one. The sum of squares is at least 2^106 wherever there is such a number. */
function isRoundedAlike(a: PairSide, b: PairSide, { isEqual, squaresA }: PairSums): boolean {
  const areWide = [a, b].some(({ dtype }) => dtype === 'i64' || dtype === 'u64');
  return areWide && isEqual && squaresA >= 2 ** 106;
}

/** Values in archives are found there. @throws FormatError */
async function settledSide(side: PairSide, files: WindowedFiles): Promise<PairSide> {
  if (!side.extents.some(isItem)) return side;
  const extents = await settledExtents(
    side.extents,
    (path, offset, length) => files.read(path, offset, length),
    (path) => files.sizeOf(path),
  );
  return { ...side, extents };
}

async function sumStreams(a: ElementStream, b: ElementStream, sums: PairSums): Promise<string | null> {
  let [own, other] = await Promise.all([a.next(), b.next()]);
  while (own !== undefined && other !== undefined) {
    const count = Math.min(own.length, other.length);
    sumPairs(sums, own.subarray(0, count), other.subarray(0, count));
    // A chunk stays until the next one of its side is asked for.
    const [nextA, nextB] = await Promise.all([
      count < own.length ? own.subarray(count) : a.next(),
      count < other.length ? other.subarray(count) : b.next(),
    ]);
    [own, other] = [nextA, nextB];
  }
  if (own === undefined && other === undefined) return null;
  return 'Both sides hold another number of values.';
}

/** With the scales beside packed values, which are read before. @throws FormatError */
async function decoderOfSide({ dtype, isBigEndian, scaling }: PairSide, files: WindowedFiles): Promise<NumberDecoder> {
  if (scaling === undefined) return decoderOf(dtype, isBigEndian);
  const parts = new Map<ScaleUse, Uint8Array>();
  for (const { use, extent } of scaling.parts)
    parts.set(use, (await files.read(extent.path, extent.offset, extent.bytes)).slice());
  return scaledDecoder(scaling, parts) ?? decoderOf(dtype, isBigEndian);
}
