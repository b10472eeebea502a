/** What a chart is drawn of: shapes in pixels, which the panel shows as elements and Markdown as a file. */
import type { ChartTone } from '../chart.js';
import type { Box } from './labelPlaces.js';

/** `tick`: numbers of an axis; `axis`: what the axis is; `main`: the plan's own place. */
export type ChartTextRole = 'tick' | 'axis' | 'band' | 'mark' | 'main' | 'row' | 'bar' | 'legend';

export interface ChartText {
  role: ChartTextRole;
  text: string;
  x: number;
  /** Of the line on which the letters stand. */
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** A straight line: the grid, or a limit that is drawn across all bars. */
export interface ChartRule {
  role: 'grid' | 'limit';
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface ChartArea {
  role: 'band' | 'bar' | 'swatch';
  tone: ChartTone;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Names a bar that is too small for its text. */
  title: string;
}

/** A line of the picture, in coordinates of the plot, which cuts it off at its edges. */
export interface ChartPath {
  tone: ChartTone;
  /** SVG path data. */
  path: string;
  /** Of the area below, where it is filled. */
  fill: string | null;
}

/** A short piece of a line beside its name. */
export interface ChartSample {
  tone: ChartTone;
  x1: number;
  x2: number;
  y: number;
}

export interface ChartDot {
  x: number;
  y: number;
  isMain: boolean;
  /** Of a dot that stands for one value of several; the others look alike. */
  tone?: ChartTone;
}

export interface ChartLayout {
  width: number;
  height: number;
  plot: Box;
  rules: ChartRule[];
  areas: ChartArea[];
  paths: ChartPath[];
  samples: ChartSample[];
  dots: ChartDot[];
  texts: ChartText[];
}
