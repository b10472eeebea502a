/** Least and greatest of integers that a double does not hold. */
import type { ExactNumber } from './valueSummary.js';

/** The element at an index of decoded bytes. */
export type IntegerAt = (bytes: Uint8Array, at: number) => bigint;

/**
 * Rounding keeps the order, so that the least integer is among those that round to the least double: no other one is looked at.
 */
export class ExactExtremes {
  private readonly least = new ExactExtreme((a, b) => a < b);
  private readonly greatest = new ExactExtreme((a, b) => a > b);

  constructor(private readonly integerAt: IntegerAt) {}

  /** @param min and `max` of these numbers and of all before them */
  add(bytes: Uint8Array, numbers: ArrayLike<number>, { min, max }: { min: number; max: number }): void {
    this.least.add(bytes, numbers, min, this.integerAt);
    this.greatest.add(bytes, numbers, max, this.integerAt);
  }

  get min(): ExactNumber | null {
    return this.least.value;
  }

  get max(): ExactNumber | null {
    return this.greatest.value;
  }
}

class ExactExtreme {
  private rounded: number | undefined;
  private exact: bigint | undefined;

  constructor(private readonly isBeyond: (a: bigint, b: bigint) => boolean) {}

  add(bytes: Uint8Array, numbers: ArrayLike<number>, rounded: number, integerAt: IntegerAt): void {
    if (rounded !== this.rounded) this.exact = undefined;
    this.rounded = rounded;
    if (Number.isSafeInteger(rounded)) return;
    for (let at = 0; at < numbers.length; at++) {
      if (numbers[at] !== rounded) continue;
      const integer = integerAt(bytes, at);
      if (this.exact === undefined || this.isBeyond(integer, this.exact)) this.exact = integer;
    }
  }

  /** Null where a double holds it. */
  get value(): ExactNumber | null {
    return this.exact === undefined ? null : String(this.exact);
  }
}
