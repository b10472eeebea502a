import { counted } from '../../text/quantities.js';
import { formatCount, formatShare } from '../../text/units.js';
import type { TensorValues } from '../../values/valuesReport.js';
import type { HistogramChart } from '../chart.js';
import { valueText } from './valueText.js';

type Bin = HistogramChart['bins'][number];

/** The histogram of a tensor as a chart; null where all values are one, or none is finite. */
export function histogramChart({ histogram, count, nan, inf }: TensorValues): HistogramChart | null {
  if (histogram === null) return null;
  const { edges, counts } = histogram;
  const [least, greatest] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  if (!(least < greatest)) return null;
  const bins = counts.map((own, bin): Bin => ({ from: edges[bin] ?? 0, to: edges[bin + 1] ?? 0, count: own }));
  const most = bins.reduce((a, b) => (b.count > a.count ? b : a));
  return {
    kind: 'histogram',
    id: 'values-histogram',
    title: 'Histogram',
    summary: summaryOf(bins, most, count - nan - inf),
    x: { label: 'value', scale: 'linear', domain: [least, greatest], format: 'number' },
    y: { label: 'values in a bin', scale: 'linear', domain: [0, most.count], format: 'count' },
    bins,
    table: {
      id: 'values-histogram',
      caption: 'Values by size',
      columns: [
        { label: 'from', isNumber: true },
        { label: 'to', isNumber: true },
        { label: 'values', isNumber: true },
      ],
      rows: bins.map(({ from, to, count: own }) => [valueText(from), valueText(to), formatCount(own)]),
      note: 'A value at an edge is counted in the bin that begins there, and at the last edge in the last bin.',
    },
  };
}

function summaryOf(bins: readonly Bin[], most: Bin, finite: number): string {
  const range = ({ from, to }: Bin): string => `${valueText(from)} to ${valueText(to)}`;
  const all = range({ from: bins[0]?.from ?? 0, to: bins.at(-1)?.to ?? 0, count: 0 });
  const share = formatShare(finite === 0 ? 0 : most.count / finite);
  return `Histogram of ${counted(finite, 'finite value')} from ${all} in ${counted(bins.length, 'bin')}. Most are from ${range(most)}: ${formatCount(most.count)} (${share}).${isCoarse(bins) ? ' Values as close together as these share leading bits: there are no finer bins.' : ''}`;
}

/** Whether all bins are on one side of 0 and few, as those of leading bits are of a narrow range. */
function isCoarse(bins: readonly Bin[]): boolean {
  const [least, greatest] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  return bins.length < 8 && greatest - least < Math.max(Math.abs(least), Math.abs(greatest)) / 8;
}
