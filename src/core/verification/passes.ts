import type { PassResult, PassSpec } from './passSpec.js';

/** A pass over the bytes of one file, here or in a thread. */
export interface Pass {
  /** Bytes to read into, which are pushed next or dropped. What they hold is of no meaning: those of blocks that are used up are handed out again. */
  block(length: number): Uint8Array;
  /**
   * Bytes at an offset behind the ones before. They belong to the pass from then on.
   * @returns resolved when it takes more
   */
  push(bytes: Uint8Array, offset: number): Promise<void>;
  end(): Promise<PassResult>;
  /** Ends it without a result. */
  abandon(): void;
}

/** Where passes are made. */
export interface Passes {
  /** How many make sense at once. */
  readonly concurrency: number;
  /** Waits for a place. */
  begin(spec: PassSpec): Promise<Pass>;
  close(): Promise<void>;
}
