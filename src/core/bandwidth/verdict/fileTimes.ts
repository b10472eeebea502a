/** What the files of a save cost besides their bytes: creating, syncing, renaming and removing each of them. */
import type { MeasuredReport } from '../bandwidthReport.js';

export interface FileTimes {
  /** Of a whole save. */
  files: number;
  /** For all of them together, by the streams of the check. */
  seconds: number;
  secondsPerFile: number;
}

/**
 * By the measured rate of small files, which all streams made at the same time. Creating and syncing are in the rate of the repeats as
 * well: the sum of both is what a save takes at most.
 * @returns null where small files were not measured
 */
export function fileTimesOf({ metadata, shape: { realFiles } }: Pick<MeasuredReport, 'metadata' | 'shape'>): FileTimes | null {
  if (metadata === null || metadata.files === 0) return null;
  const secondsPerFile = metadata.seconds / metadata.files;
  return { files: realFiles, seconds: realFiles * secondsPerFile, secondsPerFile };
}
