/** From a chart's numbers to its shapes. Nothing here depends on elements or files. */
import type { PageChart } from '../chart.js';
import { barLayout } from './barLayout.js';
import type { ChartLayout } from './chartShapes.js';
import { dotLayout } from './dotLayout.js';
import { histogramLayout } from './histogramLayout.js';
import { lineLayout } from './lineLayout.js';

/** Narrower ones are drawn at this width and made smaller by whoever shows them. */
const leastWidth = 240;

/** @param width pixels; the height follows from the chart */
export function chartLayout(chart: PageChart, width: number): ChartLayout {
  const drawn = Math.max(leastWidth, Math.round(width));
  switch (chart.kind) {
    case 'lines':
      return lineLayout(chart, drawn);
    case 'bars':
      return barLayout(chart, drawn);
    case 'dots':
      return dotLayout(chart, drawn);
    case 'histogram':
      return histogramLayout(chart, drawn);
  }
}
