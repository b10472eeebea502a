/** What is written for the sustained rate: files without a pause, in a room that is used again and again, until the rate settles or a bound is reached. */
import { limits } from '../../bytes/limits.js';

export interface SustainedRequest {
  streams: number;
  /** Of each file. A stream has two: it removes the older one before it makes the next. */
  fileBytes: number;
  /** Bounds: of all bytes that are written, and of the time. */
  mostBytes: number;
  mostSeconds: number;
}

/** More than the fast cells of most drives of a terabyte hold, and a 2,000th of the 600 TB that they are usually warranted for. */
export const usualSustainedBytes = 300e9;
/** Credits of cloud volumes last longer: who has them sets more. */
export const usualSustainedSeconds = 300;

/** Files of a stream that are there at once. */
const filesOfStream = 2;

/**
 * @param roomBytes most bytes that may be there at once
 * @returns null where the room does not hold a sector for each file
 */
export function sustainedRequest(
  streams: number,
  roomBytes: number,
  bounds: { mostBytes: number | null; mostSeconds: number | null },
): SustainedRequest | null {
  const sector = limits.checkSectorBytes;
  const fileBytes = Math.floor(roomBytes / (streams * filesOfStream) / sector) * sector;
  if (fileBytes < sector) return null;
  const { mostBytes, mostSeconds } = bounds;
  return {
    streams,
    fileBytes,
    mostBytes: mostBytes ?? usualSustainedBytes,
    mostSeconds: mostSeconds ?? usualSustainedSeconds,
  };
}

/** Most bytes that are there at once. */
export function sustainedRoom({ streams, fileBytes, mostBytes }: SustainedRequest): number {
  return Math.min(streams * filesOfStream * fileBytes, mostBytes);
}

/** The files that a stream writes in turn. */
export function sustainedFileNames(stream: number): string[] {
  return ['a', 'b'].map((letter) => `sustained-${String(stream + 1).padStart(3, '0')}-${letter}`);
}

/** All names that may be written under. */
export function allSustainedFileNames({ streams }: Pick<SustainedRequest, 'streams'>): string[] {
  return Array.from({ length: streams }, (_, stream) => sustainedFileNames(stream)).flat();
}
