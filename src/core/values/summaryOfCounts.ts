/** The summary of values of which each is counted. */
import { evenEdges } from './evenEdges.js';
import { ExactSum } from './exactSum.js';
import { emptySummary, type Histogram, type ValueSummary } from './valueSummary.js';

/** Values with how often each occurs: the finite ones in ascending order, then the others. */
export interface CountedValues {
  values: Float64Array;
  counts: Float64Array;
  /** How many there are; the arrays may be longer. */
  length: number;
  /** How many of them are finite. */
  finite: number;
}

export function summaryOfCounts(counted: CountedValues): ValueSummary {
  const { values, counts, length, finite } = counted;
  const summary = emptySummary();
  for (let at = 0; at < length; at++) {
    const [value, count] = [values[at] as number, counts[at] as number];
    summary.count += count;
    if (value !== value) summary.nan += count;
    else if (value === Infinity) summary.positiveInf += count;
    else if (value === -Infinity) summary.negativeInf += count;
    else if (value === 0) summary.zeros += count;
  }
  return finite === 0 ? summary : { ...summary, ...momentsOf(counted), histogram: histogramOf(counted) };
}

function momentsOf(counted: CountedValues): Pick<ValueSummary, 'min' | 'max' | 'mean' | 'std'> {
  const { values, counts, finite } = counted;
  const sum = new ExactSum();
  let total = 0;
  for (let at = 0; at < finite; at++) {
    sum.addProduct(values[at] as number, counts[at] as number);
    total += counts[at] as number;
  }
  const mean = sum.over(total);
  const squares = new ExactSum();
  for (let at = 0; at < finite; at++) squares.add(mean.below(values[at] as number) ** 2 * (counts[at] as number));
  return { ...extremesOf(counted), mean: mean.value, std: Math.sqrt(squares.value / total) };
}

function extremesOf({ values, finite }: CountedValues): { min: number; max: number } {
  // 0 for -0, which is the same value.
  return { min: (values[0] as number) + 0, max: (values[finite - 1] as number) + 0 };
}

function histogramOf(counted: CountedValues): Histogram {
  const { min, max } = extremesOf(counted);
  const edges = evenEdges(min, max);
  const inBins = edges.slice(1).map(() => 0);
  let bin = 0;
  for (let at = 0; at < counted.finite; at++) {
    while (bin < inBins.length - 1 && (counted.values[at] as number) >= (edges[bin + 1] as number)) bin += 1;
    (inBins[bin] as number) += counted.counts[at] as number;
  }
  return { edges, counts: inBins };
}
