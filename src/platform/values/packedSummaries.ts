/** Results of a task as they go between threads: their histograms in columns, as a copied list of numbers takes several times as much as what it has. */
import type { StoredSummary } from '../../core/values/readTask.js';
import type { Histogram } from '../../core/values/valueSummary.js';

export interface PackedSummaries {
  /** Without their histograms. */
  results: StoredSummary[];
  /** Of each result; 0 for one without a histogram. */
  bins: Uint8Array;
  /** One behind the other; one edge more than counts. */
  edges: Float64Array;
  counts: Float64Array;
}

export function packSummaries(results: readonly StoredSummary[]): PackedSummaries {
  const histograms = results.map(({ summary }) => summary.histogram);
  return {
    results: results.map((result) => ({ ...result, summary: { ...result.summary, histogram: null } })),
    bins: Uint8Array.from(histograms, (histogram) => histogram?.counts.length ?? 0),
    edges: Float64Array.from(histograms.flatMap((histogram) => histogram?.edges ?? [])),
    counts: Float64Array.from(histograms.flatMap((histogram) => histogram?.counts ?? [])),
  };
}

export function unpackSummaries({ results, bins, edges, counts }: PackedSummaries): StoredSummary[] {
  let [edge, count] = [0, 0];
  return results.map((result, index) => {
    const length = bins[index] as number;
    if (length === 0) return result;
    const histogram: Histogram = {
      edges: Array.from(edges.subarray(edge, edge + length + 1)),
      counts: Array.from(counts.subarray(count, count + length)),
    };
    edge += length + 1;
    count += length;
    return { ...result, summary: { ...result.summary, histogram } };
  });
}
