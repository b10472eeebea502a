/**
 * A sum of doubles in two doubles, which has 106 bits (T. J. Dekker, A floating-point technique for extending the available precision, 1971;
 * the error of a sum after Knuth). Sums of a million weights around 0 cancel: a plain double would keep too few digits of their mean.
 */
export class ExactSum {
  constructor(
    public high = 0,
    public low = 0,
  ) {}

  get value(): number {
    return this.high + this.low;
  }

  add(term: number): void {
    const sum = this.high + term;
    const part = sum - this.high;
    this.low += this.high - (sum - part) + (term - part);
    this.high = sum;
  }

  addSum({ high, low }: ExactSum): void {
    this.add(high);
    this.low += low;
  }

  /** Adds `a` x `b`. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    this.add(product);
    const aHigh = upperHalf(a);
    const aLow = a - aHigh;
    const bHigh = upperHalf(b);
    const bLow = b - bHigh;
    const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
    // Of products beyond what a double holds there is no error to speak of.
    if (error - error === 0) this.low += error;
  }

  /** The sum over a count, to 106 bits. */
  over(count: number): ExactSum {
    const quotient = this.value / count;
    if (quotient - quotient !== 0) return new ExactSum(quotient);
    const rest = new ExactSum(this.high, this.low);
    rest.addProduct(-quotient, count);
    return new ExactSum(quotient, rest.value / count);
  }

  /** @param factor a power of two */
  times(factor: number): ExactSum {
    return new ExactSum(this.high * factor, this.low * factor);
  }

  /** What a number is above this sum. */
  below(value: number): number {
    return value - this.high - this.low;
  }
}

/** The upper 26 bits of a double (Veltkamp). */
function upperHalf(value: number): number {
  const scaled = value * 134_217_729;
  return scaled - (scaled - value);
}
