/** Bins between the least and the greatest value. */
export const histogramBins = 64;

/** Edges of bins of equal width; one bin without width where all values are one. */
export function evenEdges(least: number, greatest: number): number[] {
  if (least === greatest) return [least, least];
  // As numpy.linspace has them, but for a span beyond the largest double.
  const span = greatest - least;
  const width = Number.isFinite(span) ? span / histogramBins : greatest / histogramBins - least / histogramBins;
  const edges = Array.from({ length: histogramBins }, (_, bin) => bin * width + least);
  return [...edges, greatest];
}
