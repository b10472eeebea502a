/** What a stream is asked to do, and what it answers: plain data, as threads send it to each other. */
import type { ShapeFile } from '../../core/bandwidth/checkShape.js';
import type { LatencyCounts } from '../../core/bandwidth/latencies.js';

/** What a stream is asked to do when its turn starts. */
export type StreamJob =
  | { kind: 'write'; turn: number; files: ShapeFile[]; isDirect: boolean }
  | { kind: 'read'; turn: number; files: ShapeFile[]; isDirect: boolean }
  /** Numbers from `first`, in steps of as many streams as there are, below `total`. */
  | { kind: 'small'; turn: number; first: number; step: number; total: number }
  /** Writes files of these names in turn, each once the one before is whole, and removes the one that had its name. */
  | { kind: 'sustained'; turn: number; names: string[]; fileBytes: number; isDirect: boolean };

export interface WriteDone {
  kind: 'write';
  doneSeconds: number;
  isCut: boolean;
  bytes: number;
  /** What there is now: the last one may be shorter than it was to be. */
  files: ShapeFile[];
  blocks: LatencyCounts;
  syncs: LatencyCounts;
  /** Of `doneSeconds`, those in which no data were ready to be written. */
  dataWaitSeconds: number;
  /** What the kernel counted for this thread; null where it does not say. */
  countedBytes: number | null;
}

export interface ReadDone {
  kind: 'read';
  doneSeconds: number;
  isCut: boolean;
  bytes: number;
  blocks: LatencyCounts;
  comparedBlocks: number;
}

export interface SmallDone {
  kind: 'small';
  doneSeconds: number;
  isCut: boolean;
  files: number;
  create: LatencyCounts;
  sync: LatencyCounts;
  rename: LatencyCounts;
  remove: LatencyCounts;
  countedBytes: number | null;
}

export interface SustainedDone {
  kind: 'sustained';
  doneSeconds: number;
  bytes: number;
  dataWaitSeconds: number;
  countedBytes: number | null;
}

export interface StreamFailure {
  kind: 'failed';
  /** Of the system (`ENOSPC`), or `data-differ`. */
  code: string;
  detail: string;
  /** The name of the file, where it is one's. */
  file: string | null;
}

export type StreamDone = WriteDone | ReadDone | SmallDone | SustainedDone;
export type StreamReply = { kind: 'ready'; turn: number } | StreamDone | StreamFailure;

export const smallFileBytes = 4096;
