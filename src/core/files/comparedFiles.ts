/** Whether a file repeats the beginning of another, by the bytes at some places. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { placesIn, sameBytes } from '../bytes/sampledBytes.js';
import { withFile, type OpenContext } from './openFiles.js';

/** Bytes of each file that are compared at one place. */
const WINDOW_BYTES = 16 * 1024;
/** Places at least of each file that is compared. */
export const FEWEST_PLACES = 3;
/** Places of one file, and of all files of an inspection. */
export const MOST_PLACES = limits.copyBytes / (2 * WINDOW_BYTES);
export const PLACES_OF_ALL = limits.allCopiesBytes / (2 * WINDOW_BYTES);

/** Two listed files, of which one may be a copy of the other as far as it goes. */
export interface FilePair {
  path: string;
  sizeBytes: number;
  original: string;
  originalBytes: number;
}

/**
 * Whether the bytes are equal at so many places. False for a file that cannot be read.
 * @throws FormatError `cancelled`
 */
export async function repeatsBeginning(
  context: OpenContext,
  { path, original, sizeBytes, originalBytes }: FilePair,
  places: number,
): Promise<boolean> {
  if (sizeBytes > originalBytes) return false;
  try {
    return await withFile(context, original, (a) =>
      withFile(context, path, (b) => sameBytes([a, 0], [b, 0], placesIn(sizeBytes, places, WINDOW_BYTES), context.signal)),
    );
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return false;
  }
}
