/** Bars that stand beside each other, one for each stretch of the x axis. */
import type { HistogramChart } from '../chart.js';
import { axisScale } from './axisScale.js';
import type { ChartArea, ChartLayout } from './chartShapes.js';
import { ticksAcross } from './drawnTicks.js';
import type { Box } from './labelPlaces.js';
import { axisHeight, axisTexts, gridOf, plotTop, upAxis } from './plotAxes.js';

/** Of a bar, so that one value of a million is seen. */
const leastHeight = 2;

export function histogramLayout(chart: HistogramChart, width: number): ChartLayout {
  const { inside, ticks, left, right } = upAxis(chart.y, width);
  const top = plotTop(chart.y);
  const plot: Box = { left, right, top, bottom: top + inside };
  const across = ticksAcross(chart.x, axisScale(chart.x, left, right));
  return {
    width,
    height: plot.bottom + axisHeight,
    plot,
    rules: gridOf(across, ticks, plot),
    areas: barsOf(chart, plot),
    paths: [],
    samples: [],
    dots: [],
    texts: axisTexts(chart, across, ticks, plot),
  };
}

function barsOf(chart: HistogramChart, plot: Box): ChartArea[] {
  const x = axisScale(chart.x, plot.left, plot.right);
  const y = axisScale(chart.y, plot.bottom, plot.top);
  return chart.bins.flatMap(({ from, to, count }) => {
    if (count === 0) return [];
    const [start, end] = [x(from), x(to)];
    const height = Math.max(leastHeight, plot.bottom - y(count));
    const area = { x: start, y: plot.bottom - height, width: Math.max(1, end - start), height };
    return [{ role: 'bar', tone: 'line', title: '', ...area }];
  });
}
