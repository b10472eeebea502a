/** What one inspection may decompress, of all of its files together. */
import type { ReadCounter } from './countingSource.js';
import { limits } from './limits.js';

/**
 * Grows with the bytes that were read, so that a large archive is looked at as far as many small ones, and a few kilobytes never become gigabytes.
 * What is decompressed is charged when it is there; where nothing is left a reader reports what it did not look at.
 */
export class UnpackBudget {
  private usedBytes = 0;

  /** @param counter what the inspection has read so far */
  constructor(private readonly counter: Pick<ReadCounter, 'bytesRead'>) {}

  /** Bytes that may come out of the next decompression. */
  get roomBytes(): number {
    const allowed = limits.unpackedBytes + limits.unpackedPerByteRead * this.counter.bytesRead;
    return Math.max(0, allowed - this.usedBytes);
  }

  /** Charges bytes that were decompressed. */
  charge(bytes: number): void {
    this.usedBytes += bytes;
  }
}

/** Why a part was not decompressed that is small enough by itself. */
export const BUDGET_USED_UP = 'other parts used up what one inspection decompresses';

/** Why a decompression that just ended is not whole. */
export function reasonOfCut({ unpackBudget }: Unpacking): string {
  return unpackBudget.roomBytes === 0 ? BUDGET_USED_UP : 'it unpacks to more than is read';
}

/** For a few kilobytes or megabytes at the beginning of a file, which are bounded by themselves. */
export function ofBeginning(signal: AbortSignal | undefined): Unpacking {
  return { signal, unpackBudget: new UnpackBudget({ bytesRead: 0 }) };
}

/** With what a reader decompresses. */
export interface Unpacking {
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
}
