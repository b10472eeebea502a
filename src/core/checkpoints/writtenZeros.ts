/**
 * Zeros that take space on the disk where a file should have tensors: a download or a file system allocated blocks whose data never arrived. A few
 * places of each file are looked at; where there are zeros, the edges of their stretch decide. What a program wrote as zeros begins and ends where
 * tensors or their rows do, what was lost with pages of a file, or somewhere within tensors.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import type { TensorTable } from '../tensors/tensorTable.js';

/** A stretch of zeros in a file. */
export interface ZeroStretch {
  offset: number;
  bytes: number;
}

/** The data of a tensor in a file. */
export interface TensorSpan {
  start: number;
  end: number;
}

/** Shorter stretches are rows of padding, and smaller files are read whole in a moment by who wants to know. */
const MIN_STRETCH_BYTES = 16 * 1024;
const MIN_FILE_BYTES = 4 * MIN_STRETCH_BYTES;
/** Parts of the data at whose ends is looked: what is lost at the end of a file is always found, other stretches by their share of it. */
const PLACES = 8;
const BLOCK_BYTES = 256;
/** At the edges of a stretch: data has a byte that is no zero among so many. */
const EDGE_BLOCK_BYTES = 64;
/** File systems and downloads lose whole pages. */
const PAGE_BYTES = 4096;
/** The last bytes in front of lost ones may be zeros themselves: those of numbers that were cast from fewer bytes. */
const EDGE_BYTES = 16;
/** No padding takes so much of the weights of a file. */
const LARGE_SHARE = 0.25;

/** The tensors that were added to the table last, all of one file, in the order of their offsets. @param file its number in the table */
export function lastSpans(tensors: TensorTable, file: number): TensorSpan[] {
  const spans: TensorSpan[] = [];
  for (let piece = tensors.pieceCount - 1; piece >= 0 && tensors.pieceFile(piece) === file; piece--) {
    const start = tensors.pieceOffset(piece);
    const end = start + tensors.pieceSize(piece);
    if (end > start) spans.push({ start, end });
  }
  return spans.sort((a, b) => a.start - b.start);
}

/**
 * The stretch of zeros in a file that no program wrote; undefined where there is none at the places that are looked at. Reads 2 KiB of a file
 * without zeros, and some 5 KiB for each stretch.
 * @param spans the tensors of the file, ascending
 * @param areWeights whether all of them are: moments of parameters that were not used are zeros in large parts
 */
export async function findWrittenZeros(
  source: ByteSource,
  spans: readonly TensorSpan[],
  areWeights: boolean,
  signal?: AbortSignal,
): Promise<ZeroStretch | undefined> {
  const [from, to] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  if (to > source.sizeBytes || to - from < MIN_FILE_BYTES) return undefined;
  const isZero = async (offset: number, end: number): Promise<boolean> =>
    (await source.read(offset, Math.min(end, to) - offset, signal)).every((byte) => byte === 0);
  const places = Array.from({ length: PLACES }, (_, place) =>
    Math.floor(from + ((to - from - BLOCK_BYTES) * (place + 1)) / PLACES),
  );
  const areZero = await Promise.all(places.map((at) => isZero(at, at + BLOCK_BYTES)));
  for (const at of places.filter((_, place) => areZero[place] === true)) {
    const stretch = await stretchAround(isZero, at, [from, to]);
    if (isLost(stretch, spans, areWeights, to === source.sizeBytes)) return stretch;
  }
  return undefined;
}

type IsZero = (offset: number, end: number) => Promise<boolean>;

/** The zeros around a block of them, to the byte: by halves, so that data between two stretches of zeros may be taken for them. */
async function stretchAround(isZero: IsZero, at: number, [from, to]: readonly [number, number]): Promise<ZeroStretch> {
  let [data, zeros] = [from - 1, at];
  while (zeros - data > 1) {
    const middle = data + Math.ceil((zeros - data) / 2);
    if (await isZero(middle, Math.min(middle + EDGE_BLOCK_BYTES, at))) zeros = middle;
    else data = middle;
  }
  const offset = zeros;
  let end = at + BLOCK_BYTES;
  let behind = to + 1;
  while (behind - end > 1) {
    const middle = end + Math.floor((behind - end) / 2);
    if (await isZero(Math.max(middle - EDGE_BLOCK_BYTES, at + BLOCK_BYTES), middle)) end = middle;
    else behind = middle;
  }
  return { offset, bytes: end - offset };
}

function isLost(
  { offset, bytes }: ZeroStretch,
  spans: readonly TensorSpan[],
  areWeights: boolean,
  endsWithFile: boolean,
): boolean {
  if (bytes < MIN_STRETCH_BYTES) return false;
  const end = offset + bytes;
  const first = spans.findLast(({ start }) => start <= offset + EDGE_BYTES);
  const last = spans.find((span) => span.end >= end - EDGE_BYTES);
  const [dataFrom, dataTo] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const beginsWithin = first !== undefined && !isNear(first.start, offset) && first.end > offset;
  const isAtEnd = end === dataTo;
  const endsWithin = last !== undefined && !isNear(last.end, end) && last.start < end;
  if (!beginsWithin && !endsWithin) return false;
  const isPaged = isPage(offset) && (isPage(end) || (isAtEnd && endsWithFile));
  // Rows of a tensor that is aligned to pages may begin where pages do.
  const isRows = first !== undefined && first === last && isPage(first.start);
  if (isPaged && !isRows) return true;
  const whole = spans.filter((span) => span.start >= offset && span.end <= end).length;
  return areWeights && whole > 0 && (endsWithin || isAtEnd) && bytes >= (dataTo - dataFrom) * LARGE_SHARE;
}

/** Whether an offset is that of a page, but for zeros at the end of the data in front of it. */
function isPage(offset: number): boolean {
  const into = offset % PAGE_BYTES;
  return into <= EDGE_BYTES || into >= PAGE_BYTES - EDGE_BYTES;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= EDGE_BYTES;
}
