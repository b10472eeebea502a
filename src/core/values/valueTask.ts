/** What is read together, as it is sent to a thread. */
import type { Scaling } from './scaled/scaling.js';
import type { ValueExtent } from './valueExtent.js';

/** Bytes that are decoded alike and counted together; several tensors may be in them. */
export interface StoredValues {
  /** Number of the row that stands for them. */
  row: number;
  dtype: string;
  isBigEndian: boolean;
  /** In the order of files and offsets. */
  extents: ValueExtent[];
  /** Of packed bytes whose scales are beside them. They are in one stretch. */
  scaling?: Scaling;
}

/** Parts of a task share no byte with those of another one. */
export interface ValueTask {
  stored: StoredValues[];
  /** Undefined where everything is read. */
  sample?: Sample;
}

/** How large a share is read, and which places. */
export interface Sample {
  /** Above 0 and up to 1. */
  share: number;
  seed: number;
}

/** Bytes of a task; one stretch may have more. */
export const taskBytes = 64 * 1024 * 1024;
