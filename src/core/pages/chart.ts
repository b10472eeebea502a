/** Charts as numbers: each renderer scales them itself. */
import type { PageTable } from './table.js';

/** How numbers of an axis are written. */
export type AxisFormat = 'bytes' | 'bytesPerSecond' | 'seconds' | 'share' | 'count' | 'dollars' | 'number';

export interface ChartAxis {
  label: string;
  scale: 'linear' | 'log';
  /** From the least to the largest; above 0 on a log axis. */
  domain: [number, number];
  format: AxisFormat;
  /** Where the numbers of the axis are, where only these were measured; else they are round ones. */
  ticks?: readonly number[];
}

/** Colours by meaning; each renderer has its own for them. */
export type ChartTone = 'line' | 'second' | 'third' | 'fourth' | 'good' | 'warning' | 'bad' | 'muted';

export interface ChartPoint {
  x: number;
  y: number;
}

/** Lines over two axes. A point whose y is NaN is a gap in its line. */
export interface LineChart {
  kind: 'lines';
  id: string;
  title: string;
  /** What it shows, in a sentence: read out in place of the picture. */
  summary: string;
  x: ChartAxis;
  y: ChartAxis;
  lines: { label: string; tone: ChartTone; isFilled: boolean; points: ChartPoint[] }[];
  /** Stretches of the x axis. */
  bands: { label: string; tone: ChartTone; from: number; to: number }[];
  /** Places that are named: the plan's own (`isMain`), and others. */
  marks: (ChartPoint & { label: string; isMain: boolean })[];
  /** The same as numbers. */
  table: PageTable;
}

/** Horizontal bars: stacked parts, or ranges around a base (a tornado). */
export interface BarChart {
  kind: 'bars';
  id: string;
  title: string;
  summary: string;
  x: ChartAxis;
  rows: { label: string; parts: { label: string; tone: ChartTone; from: number; to: number }[] }[];
  /** Vertical lines: a capacity, the base of a tornado. */
  marks: { label: string; x: number }[];
  table: PageTable;
}

/** Single values in rows, each a dot: the repeats of a measurement. */
export interface DotChart {
  kind: 'dots';
  id: string;
  title: string;
  summary: string;
  x: ChartAxis;
  /** `middle` is a line across the row: the median. */
  rows: { label: string; tone: ChartTone; dots: { label: string; x: number }[]; middle: number | null }[];
  /** Vertical lines across all rows: what is needed. */
  marks: { label: string; x: number }[];
  table: PageTable;
}

/** How many values there are in stretches of an axis. */
export interface HistogramChart {
  kind: 'histogram';
  id: string;
  title: string;
  summary: string;
  x: ChartAxis;
  y: ChartAxis;
  bins: { from: number; to: number; count: number }[];
  table: PageTable;
}

export type PageChart = LineChart | BarChart | DotChart | HistogramChart;
