import { formatBytes, formatCount } from '../../text/units.js';
import { counted } from '../../text/quantities.js';
import { visibleText } from '../../text/visibleText.js';
import type { SliceReport } from '../../values/slice/sliceReport.js';
import type { ExactNumber } from '../../values/valueSummary.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import { cellText } from './cellText.js';

/** A slice in words: a column for each index of the last axis, a row for each of the others. */
export function slicePage(report: SliceReport): ComparisonPage {
  const { tensor, dtype, shape, axes, parts, values, basis, bytesRead } = report;
  const columns = axes.at(-1);
  const width = columns?.count ?? 1;
  const isScaled = basis === 'values' && (parts === 2 ? !dtype.startsWith('c') : dtype.startsWith('f8'));
  const own = isScaled ? 'scaled' : dtype;
  const rows = Array.from({ length: width === 0 ? 0 : values.length / parts / width }, (_, row) => [
    indexText(row, axes.slice(0, -1)),
    ...Array.from({ length: width }, (_none, column) => {
      const from = (row * width + column) * parts;
      return cellText(values.slice(from, from + parts).map(numberOf), own);
    }),
  ]);
  const labels =
    columns === undefined ? ['value'] : Array.from({ length: width }, (_, at) => formatCount(columns.start + at * columns.step));
  return {
    decision: `${counted(values.length / parts, 'value')} of ${visibleText(tensor)}, ${visibleText(dtype)} [${shape.join(', ')}] (${formatBytes(bytesRead)} read).`,
    reasons: basis === 'codes' ? ['Stored codes, before any scale.'] : [],
    table: {
      id: 'slice',
      caption: 'Slice',
      columns: [{ label: 'index', isNumber: false }, ...labels.map((label) => ({ label, isNumber: true }))],
      rows,
      note: '',
    },
  };
}

/** Digits stay as they are. */
function numberOf(value: ExactNumber): ExactNumber {
  if (value === 'NaN') return NaN;
  if (value === '+Inf') return Infinity;
  return value === '-Inf' ? -Infinity : value;
}

/** `[3, 0]`: a row by its number, the last of its axes fastest. */
function indexText(row: number, axes: SliceReport['axes']): string {
  const index: number[] = [];
  let rest = row;
  for (const { start, count, step } of axes.toReversed()) {
    index.unshift(start + (rest % count) * step);
    rest = Math.floor(rest / count);
  }
  return `[${index.join(', ')}]`;
}
