/** Rows of single values over one axis, each a dot. */
import type { DotChart } from '../chart.js';
import type { ChartDot, ChartLayout, ChartPath } from './chartShapes.js';
import { rowFrame, rowInside } from './rowFrame.js';

export function dotLayout(chart: DotChart, width: number): ChartLayout {
  const { layout, x, tops } = rowFrame(chart, width, () => []);
  const { plot } = layout;
  const isInside = (value: number): boolean =>
    Number.isFinite(value) && x(value) >= plot.left - 0.5 && x(value) <= plot.right + 0.5;
  const rows = chart.rows.map((row, index) => ({ ...row, top: tops[index] ?? plot.top }));
  return {
    ...layout,
    paths: rows.flatMap(({ tone, middle, top }): ChartPath[] => {
      if (middle === null || !isInside(middle)) return [];
      const down = top - plot.top;
      return [{ tone, path: `M${x(middle) - plot.left},${down}V${down + rowInside}`, fill: null }];
    }),
    dots: rows.flatMap(({ tone, dots, top }) =>
      dots
        .filter((dot) => isInside(dot.x))
        .map((dot): ChartDot => ({ x: x(dot.x), y: top + rowInside / 2, isMain: false, tone })),
    ),
  };
}
