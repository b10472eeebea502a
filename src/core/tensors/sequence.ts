import { grownColumn } from '../bytes/grownColumn.js';
import type { SequenceNumbers } from './sequenceNumbers.js';

/** A list of integers that is filled again and again, so that no array is made for each of a million. */
export class Sequence {
  length = 0;
  private values = new Float64Array(64);

  clear(): void {
    this.length = 0;
  }

  push(value: number): void {
    if (this.length === this.values.length) this.values = grownColumn(this.values, this.length + 1);
    this.values[this.length++] = value;
  }

  /** Sorts what is after `start`. What is sorted already, as nearly all is, is left as it is. */
  sortFrom(start: number): void {
    let at = start + 1;
    while (at < this.length && (this.values[at - 1] as number) <= (this.values[at] as number)) at += 1;
    if (at < this.length) this.values.subarray(start, this.length).sort();
  }

  /** Its number among those that are known; see `SequenceNumbers`. */
  numberIn(numbers: SequenceNumbers): number {
    return numbers.numberOf(this.values, 0, this.length);
  }
}
