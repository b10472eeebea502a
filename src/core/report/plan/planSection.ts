/**
 * What a plan says, ready to be shown: the panel, Markdown and the terminal render the same sections. Numbers are words already; charts
 * hold their numbers, as each renderer scales them itself.
 */

/** `derived`: reckoned from inputs that were told; `assumed`: it rests on a number that nobody told. */
export type StatementKind = 'measured' | 'read' | 'derived' | 'assumed';

/** How a number came about, one click away from it. */
export interface Derivation {
  /** `τ = √(2 d M)`. */
  formula: string;
  /** With the plan's numbers in it: `√(2 × 5 s × 11,135 s) = 333.7 s`. */
  steps: string[];
  /** Paper, documentation or rule. */
  source: string;
}

/** A sentence that begins with its number: amount `172 GB/s`, text `keeps saving below 10 % of the time`. */
export interface Statement {
  amount: string;
  text: string;
  /** A second line, smaller. */
  detail: string;
  kind: StatementKind;
  derivation: Derivation | null;
}

export interface TableColumn {
  label: string;
  isNumber: boolean;
}

/** Every row has a cell for each column. A cell that is empty says nothing. */
export interface PlanTable {
  id: string;
  caption: string;
  columns: TableColumn[];
  rows: string[][];
  /** Below the table: dates of prices, what is left out. */
  note: string;
}

export const sectionIds = [
  'size',
  'interval',
  'bandwidth',
  'levels',
  'restore',
  'emergency',
  'retention',
  'tiers',
  'data',
  'memory',
  'sensitivity',
] as const;
export type SectionId = (typeof sectionIds)[number];

export interface PlanSection {
  id: SectionId;
  title: string;
  /** The answer. */
  lead: Statement;
  more: Statement[];
  charts: PlanChart[];
  tables: PlanTable[];
  /** What is to be known besides: traps, claims that are judged. */
  notes: string[];
}

/** A whole plan in words. */
export interface PlanPage {
  title: string;
  /** The recommendation: two to five sentences. */
  recommendation: string[];
  /** What is most worth removing, the worst first; at most three. */
  risks: PlanRisk[];
  /** What makes the plan impossible, with the smallest change that helps; empty where it is possible. */
  impossible: PlanRisk[];
  sections: PlanSection[];
}

export interface PlanRisk {
  /** Stable. */
  id: string;
  title: string;
  /** Why, with numbers. */
  text: string;
  /** What to do. */
  advice: string;
}

/** How numbers of an axis are written. */
export type AxisFormat = 'bytes' | 'bytesPerSecond' | 'seconds' | 'share' | 'count' | 'dollars';

export interface ChartAxis {
  label: string;
  scale: 'linear' | 'log';
  /** From the least to the largest; above 0 on a log axis. */
  domain: [number, number];
  format: AxisFormat;
}

/** Colours by meaning; each renderer has its own for them. */
export type ChartTone = 'line' | 'second' | 'third' | 'fourth' | 'good' | 'caution' | 'bad' | 'muted';

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
  table: PlanTable;
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
  table: PlanTable;
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
  table: PlanTable;
}

export type PlanChart = LineChart | BarChart | DotChart;

/** All charts of a page, in its order. */
export function chartsOf({ sections }: PlanPage): PlanChart[] {
  return sections.flatMap(({ charts }) => charts);
}
