/** A number as JSON holds it exactly: integers beyond 2^53 - 1 are the text of their digits, as readers of JSON round them. */
export type ExactNumber = number | string;

/** What the values of a tensor are, in numbers. */
export interface ValueSummary {
  /** Values that were read. */
  count: number;
  nan: number;
  positiveInf: number;
  negativeInf: number;
  /** Of both signs. */
  zeros: number;
  /** Of the finite values, as are the following; null where there is none: JSON has no NaN and no infinities. */
  min: ExactNumber | null;
  max: ExactNumber | null;
  mean: number | null;
  /** Of the population: the root of the mean of squared differences, as `numpy.std` computes without `ddof`. */
  std: number | null;
  histogram: Histogram | null;
}

/** Of the finite values. Of integers beyond 2^53 the least and the greatest edge are the nearest double. */
export interface Histogram {
  /** From the least to the greatest value, ascending; one more than counts. */
  edges: number[];
  /** A value is counted where it is at the lower edge or above, and below the upper one; at the last edge in the last. */
  counts: number[];
}

/** Counts values of one tensor in the order of its bytes. */
export interface Accumulator {
  /** Bytes that are decoded together: an element or a block of them. */
  readonly unitBytes: number;
  readonly unitElements: number;
  /**
   * Adds whole units.
   * @param unitsBefore units of the tensor before them
   * @returns the first value among them that is not finite, counted from their beginning; -1 where there is none, and where it is not looked for
   */
  add(bytes: Uint8Array, looksForPlace: boolean, unitsBefore?: number): number;
  /** Ends counting. */
  summary(): ValueSummary;
}

/** Of nothing. */
export function emptySummary(): ValueSummary {
  return {
    count: 0,
    nan: 0,
    positiveInf: 0,
    negativeInf: 0,
    zeros: 0,
    min: null,
    max: null,
    mean: null,
    std: null,
    histogram: null,
  };
}
