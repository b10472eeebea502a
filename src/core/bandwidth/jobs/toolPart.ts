import { filesOfStreams } from '../checkShape.js';
import type { CheckRequest } from '../measurement.js';

/** What one tool does of a job. */
export interface ToolPart {
  /** What differs from Stowage's own check. */
  differences: string[];
  /** Lines of a POSIX shell that run in the folder `$CHECK`. `$DIRECT` is 1 where O_DIRECT works there, else 0. */
  lines: string[];
}

/** What one stream writes: so many files, in fio and IOR all of the same size. */
export interface StreamPart {
  names: string[];
  bytes: number;
}

export function streamParts({ shape }: CheckRequest): StreamPart[] {
  return filesOfStreams(shape).map((files) => ({
    names: files.map(({ name }) => name),
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }));
}

/** How long one of all phases of writing and reading may take. */
export function phaseSeconds({ seconds, repeats }: CheckRequest): number {
  return Math.max(1, Math.round(seconds / repeats / 2));
}
