/** A matrix of a tensor as a picture: each cell a level of the magnitude of one value. */
import { counted } from '../../text/quantities.js';
import { formatCount } from '../../text/units.js';
import type { Slice } from '../../values/slice/readSlice.js';
import type { SliceAxis } from '../../values/slice/sliceAxes.js';
import { valueText } from './valueText.js';

/** Steps from 0 to the full colour. */
export const heatLevels = 8;

/** What a cell that is not finite has in place of a level. */
export const oddLevel = heatLevels + 1;

export interface HeatMap {
  rows: number;
  columns: number;
  /** Row by row: 0, up to `heatLevels` with the sign of the value, or `oddLevel`. */
  levels: number[];
  /** Which values are drawn. */
  coverage: string;
  /** What colours mean. */
  scale: string;
  /** The picture in words. */
  summary: string;
}

/** @param of rows and columns of the whole matrix */
export function heatMap(
  slice: Pick<Slice, 'numbers' | 'parts'>,
  [rows, columns]: [SliceAxis, SliceAxis],
  of: [number, number],
  dtype: string,
): HeatMap {
  const values = Float64Array.from({ length: rows.count * columns.count }, (_, at) => cellValue(slice, at, dtype));
  const full = fullColour(values);
  const levels = Array.from(values, (value) => levelOf(value, full));
  const coverage = coverageOf([rows, columns], of);
  const scale = full === 0 ? 'All that are finite are 0.' : `Full colour from ±${valueText(full, 3)} on.`;
  const what =
    slice.parts === 1
      ? ''
      : dtype.startsWith('c')
        ? ' Of complex numbers the magnitude is drawn.'
        : ' Of a pair the larger magnitude is drawn.';
  return {
    rows: rows.count,
    columns: columns.count,
    levels,
    coverage: `${coverage}${what}`,
    scale,
    summary: `Heat map of ${counted(of[0], 'row')} and ${counted(of[1], 'column')}. ${coverage} ${rangeWords(values)}${oddWords(values, rows, columns)}`,
  };
}

function cellValue({ numbers, parts }: Pick<Slice, 'numbers' | 'parts'>, at: number, dtype: string): number {
  const first = numbers[at * parts] ?? NaN;
  if (parts === 1) return first;
  const second = numbers[at * parts + 1] ?? NaN;
  if (Number.isNaN(first) || Number.isNaN(second)) return NaN;
  if (dtype.startsWith('c')) return Math.hypot(first, second);
  return Math.abs(second) > Math.abs(first) ? second : first;
}

/** 99 of 100 magnitudes are no larger: one outlier would leave the rest without colour. */
function fullColour(values: Float64Array): number {
  const magnitudes = values.filter(Number.isFinite).map(Math.abs).sort();
  const most = magnitudes.at(-1) ?? 0;
  return (magnitudes[Math.floor(magnitudes.length * 0.99)] ?? most) || most;
}

function levelOf(value: number, full: number): number {
  if (!Number.isFinite(value)) return oddLevel;
  if (value === 0 || full === 0) return 0;
  return Math.sign(value) * Math.max(1, Math.min(heatLevels, Math.round((Math.abs(value) / full) * heatLevels)));
}

function coverageOf([rows, columns]: [SliceAxis, SliceAxis], of: [number, number]): string {
  const all = of[0] * of[1];
  const drawn = rows.count * columns.count;
  if (drawn === all) return `All ${counted(all, 'value')} are drawn.`;
  const every = (step: number, what: string): string => (step === 1 ? `every ${what}` : `every ${ordinal(step)} ${what}`);
  const which = `${every(rows.step, 'row')} and ${every(columns.step, 'column')}`;
  return `Drawn is ${which}: ${formatCount(drawn)} of ${counted(all, 'value')}.`;
}

function ordinal(count: number): string {
  const ending = count % 100 >= 11 && count % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${formatCount(count)}${ending}`;
}

function rangeWords(values: Float64Array): string {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return 'None of them is finite.';
  const [least, most] = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
  return `They are from ${valueText(least)} to ${valueText(most)}.`;
}

function oddWords(values: Float64Array, rows: SliceAxis, columns: SliceAxis): string {
  const odd = values.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  if (odd === 0) return '';
  const first = values.findIndex((value) => !Number.isFinite(value));
  const at = [Math.floor(first / columns.count) * rows.step, (first % columns.count) * columns.step];
  return ` ${formatCount(odd)} are NaN or infinite, the first at row ${formatCount(at[0] ?? 0)}, column ${formatCount(at[1] ?? 0)}.`;
}
