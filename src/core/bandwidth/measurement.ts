/** What a check asks of a file system, and what came of it: nothing but what was counted and timed. */
import type { CheckShape } from './checkShape.js';
import type { SustainedMeasurement } from './sustained/sustainedReport.js';
import type { SustainedRequest } from './sustained/sustainedRequest.js';
import type { SweepMeasurement } from './sweep/sweepReport.js';
import type { SweepRequest } from './sweep/sweepRequest.js';

export interface CheckRequest {
  /** Directory in which the check makes one of its own, or an address such as `s3://bucket/prefix`. */
  target: string;
  shape: CheckShape;
  repeats: number;
  /** For all repeats together; phases that reach their share of it stop where they are. */
  seconds: number;
  /** Files of the check of metadata; 0 leaves it out. */
  smallFiles: number;
  /** After the repeats: the same with other numbers of streams. Null without, as on several nodes and in object stores. */
  sweep: SweepRequest | null;
  /** Last of all: writing without a pause until the rate settles. Null without, as for `sweep`. */
  sustained: SustainedRequest | null;
}

export type CheckPhase = 'preparing' | 'write' | 'read' | 'metadata' | 'sweep' | 'sustained' | 'removing';

/** How long the parts of a check may take, in seconds; 0 for one that it does not have. */
export interface CheckParts {
  checkSeconds: number;
  sweepSeconds: number;
  sustainedSeconds: number;
}

/** Sent at the beginning of each phase, and every 100 ms while it lasts. */
export interface CheckProgress {
  phase: CheckPhase;
  /** From 1; runs of a sweep are counted as repeats. */
  repeat: number;
  repeats: number;
  elapsedSeconds: number;
  /** Since this phase began. */
  phaseSeconds: number;
  /** Of this phase: bytes, or files of the check of metadata. */
  done: number;
  total: number;
  /** Since the progress before this one; null where no bytes are moved. */
  bytesPerSecond: number | null;
  parts: CheckParts;
}

/** One repeat of writing or reading, over all streams. */
export interface PhaseSample {
  bytes: number;
  /** From the common start until the last stream was done: its last file closed and synced, and the directory synced. */
  seconds: number;
  /** Until the first stream was done. */
  firstDoneSeconds: number;
  /** Stopped by the time limit: `bytes` are fewer than the shape's. */
  isCut: boolean;
}

/** Durations of single operations. */
export interface Latencies {
  operations: number;
  medianSeconds: number;
  p95Seconds: number;
  p99Seconds: number;
  maximumSeconds: number;
}

/** `bypassed`: O_DIRECT; `dropped`: the kernel dropped the pages on request; `possibly-cached`: neither was possible. */
export type CacheState = 'bypassed' | 'dropped' | 'possibly-cached';

export interface WriteMeasurement {
  samples: PhaseSample[];
  /** Written with O_DIRECT; else through the cache. Synced either way. */
  isDirect: boolean;
  /** Of single blocks. */
  blocks: Latencies;
  /** Of fsync, one a file. For object stores of completing an upload. */
  syncs: Latencies;
}

export interface ReadMeasurement {
  samples: PhaseSample[];
  cache: CacheState;
  blocks: Latencies;
  /** Blocks of which a sample was compared with what had been written. All of them were equal, as a difference ends the check. */
  comparedBlocks: number;
}

/** Small files: created, written, synced, closed, renamed, removed. */
export interface MetadataMeasurement {
  files: number;
  streams: number;
  seconds: number;
  isCut: boolean;
  create: Latencies;
  sync: Latencies;
  rename: Latencies;
  remove: Latencies;
}

export interface Measurement {
  /** ISO 8601. All durations are of a clock that never jumps. */
  startedAt: string;
  elapsedSeconds: number;
  machine: { name: string; memoryBytes: number; cpus: number };
  write: WriteMeasurement;
  read: ReadMeasurement;
  /** Null where it was left out. */
  metadata: MetadataMeasurement | null;
  sweep: SweepMeasurement | null;
  sustained: SustainedMeasurement | null;
  io: CheckEffort;
}

/** What a check moved, and what that took of the machine it ran on: whether the storage was the limit, or the check. */
export interface CheckEffort {
  /** Bytes of data that the check wrote and read, as it counted them. */
  writtenBytes: number;
  readBytes: number;
  /** What the kernel counted for the streams meanwhile (wchar of /proc/thread-self/io); null where it does not say. */
  countedWrittenBytes: number | null;
  /** Processor time of the process while it wrote; of all its threads. */
  writeCpuSeconds: number;
  /** Of the time in which the streams wrote, the part that they waited for data not made yet. Null for object stores, which make them in between. */
  dataWaitShare: number | null;
  /** Of the time of a phase, the part in which the thread that speaks with an object store was busy, the largest of all phases; null for files. */
  busyShare: number | null;
}

/** How the one who asked follows a check. */
export interface CheckHooks {
  onProgress(progress: CheckProgress): void;
  /** Awaited right before the clock of a phase starts: the start barrier of a check on several nodes. */
  barrier?(phase: string, signal: AbortSignal): Promise<void>;
}
