/** Whole numbers by the million: eight bytes each, and nothing for the garbage collector to look at. */
export class NumberColumn {
  private values: Float64Array;
  private used = 0;

  /** `expected`: about how many there will be; memory that is never written costs nothing. */
  constructor(expected = 1024) {
    this.values = new Float64Array(Math.max(16, expected));
  }

  get length(): number {
    return this.used;
  }

  /** Answers the new length, as an array does. */
  push(value: number): number {
    if (this.used === this.values.length) {
      const larger = new Float64Array(this.used * 4);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used] = value;
    return ++this.used;
  }

  /** 0 for a place that was never set. */
  at(index: number): number {
    return index < this.used ? (this.values[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index < this.used) this.values[index] = value;
  }

  /** Of a column that never falls: the last place whose value is not above `value`; 0 where all are. */
  lastUpTo(value: number): number {
    let low = 0;
    let high = this.used - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.at(middle) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  slice(start: number, end: number): number[] {
    return Array.from(this.values.subarray(start, Math.min(end, this.used)));
  }
}
