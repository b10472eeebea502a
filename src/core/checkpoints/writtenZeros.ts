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
interface TensorSpan {
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
/** Stretches of a file whose edges are searched: state that begins as zeros has many. */
const MOST_STRETCHES = 2;
/** File systems and downloads lose whole pages. */
const PAGE_BYTES = 4096;
/** The last bytes in front of lost ones may be zeros themselves: those of numbers that were cast from fewer bytes. */
const EDGE_BYTES = 16;
/** No padding takes so much of the weights of a file. */
const LARGE_SHARE = 0.25;

/** Visits the data of each tensor in a file, in any order: a file may have millions, so that there is no list of them. */
export type EachSpan = (visit: (start: number, end: number) => void) => void;

/** The tensors that were added to the table last, all of one file. @param file its number in the table */
export function lastSpans(tensors: TensorTable, file: number): EachSpan {
  return (visit) => {
    for (let piece = tensors.pieceCount - 1; piece >= 0 && tensors.pieceFile(piece) === file; piece--) {
      const start = tensors.pieceOffset(piece);
      visit(start, start + tensors.pieceSize(piece));
    }
  };
}

/**
 * The stretch of zeros in a file that no program wrote; undefined where there is none at the places that are looked at. Reads 2 KiB of a file
 * without zeros, and some 5 KiB for each stretch.
 * @param areWeights whether all of them are: moments of parameters that were not used are zeros in large parts
 */
export async function findWrittenZeros(
  source: ByteSource,
  spans: EachSpan,
  areWeights: boolean,
  signal?: AbortSignal,
): Promise<ZeroStretch | undefined> {
  const { start: from, end: to } = boundsOf(spans);
  if (to > source.sizeBytes || to - from < MIN_FILE_BYTES) return undefined;
  const isZero = async (offset: number, end: number): Promise<boolean> =>
    (await source.read(offset, Math.min(end, to) - offset, signal)).every((byte) => byte === 0);
  const places = Array.from({ length: PLACES }, (_, place) =>
    Math.floor(from + ((to - from - BLOCK_BYTES) * (place + 1)) / PLACES),
  );
  const areZero = await Promise.all(places.map((at) => isZero(at, at + BLOCK_BYTES)));
  let known = from;
  let looked = 0;
  for (const at of places.filter((_, place) => areZero[place] === true)) {
    if (at < known || looked === MOST_STRETCHES || (await isTensorOfZeros(isZero, spans, at))) continue;
    looked += 1;
    const stretch = await stretchAround(isZero, at, [from, to]);
    if (isLost(stretch, spans, { start: from, end: to }, areWeights, to === source.sizeBytes)) return stretch;
    known = stretch.offset + stretch.bytes;
  }
  return undefined;
}

type IsZero = (offset: number, end: number) => Promise<boolean>;

/** Where the data of all tensors begin and end. */
function boundsOf(spans: EachSpan): TensorSpan {
  const bounds = { start: Infinity, end: 0 };
  spans((start, end) => {
    if (end <= start) return;
    bounds.start = Math.min(bounds.start, start);
    bounds.end = Math.max(bounds.end, end);
  });
  return bounds.end === 0 ? { start: 0, end: 0 } : bounds;
}

interface Neighbours {
  before?: TensorSpan;
  own?: TensorSpan;
  behind?: TensorSpan;
}

/** The last tensor that begins at an offset or before it, the one before and the one behind. */
function around(spans: EachSpan, offset: number): Neighbours {
  const found: Neighbours = {};
  spans((start, end) => {
    if (end <= start) return;
    const { before, own, behind } = found;
    if (start > offset) {
      if (behind === undefined || start < behind.start) found.behind = { start, end };
    } else if (own === undefined || start > own.start) {
      if (own !== undefined) found.before = own;
      found.own = { start, end };
    } else if (before === undefined || start > before.start) found.before = { start, end };
  });
  return found;
}

/** Whether a place is in a tensor that is all zeros, between tensors that are not: as far as the bytes at the edges tell. */
async function isTensorOfZeros(isZero: IsZero, spans: EachSpan, at: number): Promise<boolean> {
  const { before, own, behind } = around(spans, at);
  if (own === undefined || at >= own.end) return false;
  const isHeadZero = ({ start, end }: TensorSpan): Promise<boolean> => isZero(start, Math.min(end, start + EDGE_BLOCK_BYTES));
  const isTailZero = ({ start, end }: TensorSpan): Promise<boolean> => isZero(Math.max(start, end - EDGE_BLOCK_BYTES), end);
  if (!(await isHeadZero(own)) || !(await isTailZero(own))) return false;
  const isFree = before === undefined || !(await isTailZero(before));
  return isFree && (behind === undefined || !(await isHeadZero(behind)));
}

/** The zeros around a block of them, to the byte: by halves, so that data between two stretches of zeros may be taken for them. */
async function stretchAround(isZero: IsZero, at: number, [from, to]: readonly [number, number]): Promise<ZeroStretch> {
  let [data, zeros] = [from - 1, at];
  while (zeros - data > 1) {
    const middle = data + Math.ceil((zeros - data) / 2);
    if (await isZero(middle, Math.min(middle + EDGE_BLOCK_BYTES, at))) zeros = middle;
    else data = middle;
  }
  let [end, behind] = [at + BLOCK_BYTES, to + 1];
  while (behind - end > 1) {
    const middle = end + Math.floor((behind - end) / 2);
    if (await isZero(Math.max(middle - EDGE_BLOCK_BYTES, at + BLOCK_BYTES), middle)) end = middle;
    else behind = middle;
  }
  return { offset: zeros, bytes: end - zeros };
}

/** @param data where the data of all tensors begin and end */
function isLost(
  { offset, bytes }: ZeroStretch,
  spans: EachSpan,
  data: TensorSpan,
  areWeights: boolean,
  endsWithFile: boolean,
): boolean {
  if (bytes < MIN_STRETCH_BYTES) return false;
  const end = offset + bytes;
  const { own: first } = around(spans, offset + EDGE_BYTES);
  const { own: last } = around(spans, end - EDGE_BYTES - 1);
  const beginsWithin = first !== undefined && !isNear(first.start, offset) && first.end > offset;
  const endsWithin = last !== undefined && !isNear(last.end, end) && last.end > end;
  if (!beginsWithin && !endsWithin) return false;
  const isAtEnd = end === data.end;
  const isPaged = isPage(offset) && (isPage(end) || (isAtEnd && endsWithFile));
  // Rows of a tensor that is aligned to pages may begin where pages do.
  const isRows = first !== undefined && first.start === last?.start && isPage(first.start);
  if (isPaged && !isRows) return true;
  let whole = 0;
  spans((from, to) => {
    if (to > from && from >= offset && to <= end) whole += 1;
  });
  return areWeights && whole > 0 && (endsWithin || isAtEnd) && bytes >= (data.end - data.start) * LARGE_SHARE;
}

/** Whether an offset is that of a page, but for zeros at the end of the data in front of it. */
function isPage(offset: number): boolean {
  const into = offset % PAGE_BYTES;
  return into <= EDGE_BYTES || into >= PAGE_BYTES - EDGE_BYTES;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= EDGE_BYTES;
}
