/** How long the lists of a column are: the differences of its offsets, or the sizes of its views. The values themselves are not read. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import type { ArrowContents } from './arrowContents.js';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** Batches that are smaller than half of this come with one read. */
const NEAR_BYTES = 64 * 1024;

/** Bytes that the lengths of a column take; undefined where nothing tells them: no lists of which each row has one, or compressed. */
export function listLengthBytes({ places, compression, rows, batchOffsets }: ArrowContents, column: number): number | undefined {
  const lists = places.lists.get(column);
  if (lists === undefined || compression !== null) return undefined;
  return (rows + batchOffsets.length) * lists.type.offsetBytes;
}

/**
 * Hands over the length of each list, in the order of the rows; a null has the length 0, as writers do it. The caller has compared
 * `listLengthBytes` with what may be read. One read a batch, or one for all that lie near to each other.
 * @throws FormatError `corrupt` where offsets do not rise or sizes are negative, or lists lead out of the values; `io`, `cancelled`
 */
export async function readListLengths(
  source: ByteSource,
  contents: ArrowContents,
  column: number,
  use: (length: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const places = contents.places.lists.get(column);
  if (places === undefined) return;
  const window = new ReadWindow(source, signal);
  const { batchFirstRows, rows } = contents;
  for (let batch = 0; batch < batchFirstRows.length; batch++) {
    throwIfCancelled(signal);
    const start = places.starts.at(batch);
    const isLast = batch + 1 === batchFirstRows.length;
    const count = (isLast ? rows : batchFirstRows.at(batch + 1)) - batchFirstRows.at(batch);
    if (start === 0 || count === 0) continue;
    const gap = isLast ? Infinity : places.starts.at(batch + 1) - start;
    const run = { window, start, aheadBytes: gap > 0 && gap < NEAR_BYTES / 2 ? NEAR_BYTES : 0, width: places.type.offsetBytes };
    if (places.type.physical === 'list') await readOffsets(run, count, places.values.at(batch), use);
    else await readSizes(run, count, places.values.at(batch), use);
  }
}

interface Run {
  window: ReadWindow;
  start: number;
  /** How much is read at once at least. */
  aheadBytes: number;
  /** Bytes of a number. */
  width: number;
}

/** One more offset than rows, of which each but the first ends a list. */
async function readOffsets(run: Run, rows: number, values: number, use: (length: number) => void): Promise<void> {
  let before: number | undefined;
  await eachNumber(run, rows + 1, (offset, place) => {
    if (offset < (before ?? 0) || offset > values)
      throw new FormatError('corrupt', `lists of ${values} values have an offset of ${offset}`, { offset: place });
    if (before !== undefined) use(offset - before);
    before = offset;
  });
}

async function readSizes(run: Run, rows: number, values: number, use: (length: number) => void): Promise<void> {
  await eachNumber(run, rows, (size, place) => {
    if (size < 0 || size > values)
      throw new FormatError('corrupt', `a list of ${size} among ${values} values`, { offset: place });
    use(size);
  });
}

/** Little-endian numbers of 4 or 8 bytes, with their places in the file. */
async function eachNumber(run: Run, count: number, use: (number: number, place: number) => void): Promise<void> {
  const { window, start, aheadBytes, width } = run;
  const perChunk = CHUNK_BYTES / width;
  for (let first = 0; first < count; first += perChunk) {
    const place = start + first * width;
    const length = Math.min(perChunk, count - first) * width;
    const bytes = await window.take(place, length, aheadBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < length; at += width)
      use(width === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true)), place + at);
  }
}
