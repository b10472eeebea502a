/**
 * Zeros that are values: fresh moments and biases are whole tensors of them, of which git and cp leave out blocks as they write. Data that never
 * arrived end within a tensor.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import type { TensorTable } from '../tensors/tensorTable.js';

/** Enough that the ends of written values are not all zeros. */
const EDGE_BYTES = 64;
/** Tensors of zeros beside each other that are looked at. */
const TENSORS = 16;

/** Where the tensors of a file begin, ascending. @param file its number in the table */
export function tensorStarts(tensors: TensorTable, file: number): number[] {
  const starts: number[] = [];
  for (let piece = 0; piece < tensors.pieceCount; piece++)
    if (tensors.pieceFile(piece) === file) starts.push(tensors.pieceOffset(piece));
  return starts.sort((a, b) => a - b);
}

/**
 * Whether the zeros around an offset begin where a tensor does, behind another one that is not zeros. Reads at most 2 KiB.
 * @param starts where tensors begin, ascending
 */
export async function areTensorsOfZeros(
  source: ByteSource,
  starts: readonly number[],
  offset: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isZero = async (from: number, to: number): Promise<boolean> =>
    (await source.read(from, to - from, signal)).every((byte) => byte === 0);
  let place = starts.findLastIndex((start) => start <= offset);
  for (let looked = 0; looked < TENSORS && place > 0; looked++, place--) {
    const start = starts[place] as number;
    if (!(await isZero(start, Math.min(start + EDGE_BYTES, source.sizeBytes)))) return false;
    if (!(await isZero(Math.max(starts[place - 1] as number, start - EDGE_BYTES), start))) return true;
  }
  return false;
}
