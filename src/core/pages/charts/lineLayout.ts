/** Lines over two axes, with stretches of the x axis behind them and named places on them. */
import type { LineChart } from '../chart.js';
import { axisScale } from './axisScale.js';
import type { ChartArea, ChartDot, ChartLayout, ChartPath, ChartText } from './chartShapes.js';
import { ticksAcross } from './drawnTicks.js';
import { axisHeight, axisTexts, gridOf, plotTop, upAxis } from './plotAxes.js';
import { freePlace, lineHeight, placesAround, type Box } from './labelPlaces.js';
import { areaPath, linePath, pointsAlong } from './linePath.js';
import { legendLayout, type LegendEntry } from './legendLayout.js';
import { textWidth } from './textWidth.js';

type Scale = (value: number) => number;

export function lineLayout(chart: LineChart, width: number): ChartLayout {
  const { inside, ticks, left, right } = upAxis(chart.y, width);
  const x = axisScale(chart.x, left, right);
  const legend = legendLayout(legendOf(chart, x), 2, width - 4);
  const top = legend.height + plotTop(chart.y);
  const plot: Box = { left, right, top, bottom: top + inside };
  const y = axisScale(chart.y, plot.bottom, plot.top);
  const across = ticksAcross(chart.x, x);
  const dots = dotsOf(chart, x, y, plot);
  const marks = markTexts(chart, x, y, plot);
  return {
    width,
    height: plot.bottom + axisHeight,
    plot,
    rules: gridOf(across, ticks, plot),
    areas: [...bandsOf(chart, x, plot), ...legend.areas],
    paths: chart.lines.map((of) => pathOf(of, x, y, plot)),
    samples: legend.samples,
    dots,
    texts: [...legend.texts, ...axisTexts(chart, across, ticks, plot), ...marks.texts, ...bandTexts(chart, x, plot, marks.taken)],
  };
}

function legendOf({ lines, bands }: LineChart, x: Scale): LegendEntry[] {
  return [
    ...(lines.length < 2 ? [] : lines.map(({ label, tone }) => ({ label, tone, as: 'line' as const }))),
    ...bands.filter((band) => bandLines(band, x).length === 0).map(({ label, tone }) => ({ label, tone, as: 'area' as const })),
  ];
}

/** The lines of a band's name: one or two, as it is wide; none where its name does not fit. */
function bandLines({ label, from, to }: LineChart['bands'][number], x: Scale): string[] {
  const room = Math.abs(x(to) - x(from)) - 8;
  if (textWidth(label) <= room) return [label];
  const spaces = [...label].flatMap((character, index) => (character === ' ' ? [index] : []));
  const middle = label.length / 2;
  const at = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  if (at === undefined) return [];
  const halves = [label.slice(0, at), label.slice(at + 1)];
  return halves.every((half) => textWidth(half) <= room) ? halves : [];
}

function bandsOf({ bands }: LineChart, x: Scale, plot: Box): ChartArea[] {
  return bands.flatMap(({ label, tone, from, to }) => {
    const left = Math.max(plot.left, Math.min(x(from), x(to)));
    const right = Math.min(plot.right, Math.max(x(from), x(to)));
    if (!(right > left)) return [];
    return [{ role: 'band', tone, x: left, y: plot.top, width: right - left, height: plot.bottom - plot.top, title: label }];
  });
}

function pathOf({ tone, isFilled, points }: LineChart['lines'][number], x: Scale, y: Scale, plot: Box): ChartPath {
  const pixels = points.map((point) => {
    const isDrawn = Number.isFinite(point.x) && Number.isFinite(point.y);
    return isDrawn ? { x: x(point.x) - plot.left, y: y(point.y) - plot.top } : null;
  });
  return { tone, path: linePath(pixels), fill: isFilled ? areaPath(pixels, plot.bottom - plot.top) : null };
}

function isInside(px: number, py: number, plot: Box): boolean {
  return px >= plot.left - 0.5 && px <= plot.right + 0.5 && py >= plot.top - 0.5 && py <= plot.bottom + 0.5;
}

function dotsOf({ marks }: LineChart, x: Scale, y: Scale, plot: Box): ChartDot[] {
  return marks.map((mark) => ({ x: x(mark.x), y: y(mark.y), isMain: mark.isMain })).filter((dot) => isInside(dot.x, dot.y, plot));
}

/** Names of places, the plan's own first: who comes later makes way. */
function markTexts({ marks, lines }: LineChart, x: Scale, y: Scale, plot: Box): { texts: ChartText[]; taken: Box[] } {
  const drawn = marks.map((mark) => ({ ...mark, px: x(mark.x), py: y(mark.y) })).filter(({ px, py }) => isInside(px, py, plot));
  const taken: Box[] = drawn.map(({ px, py }) => ({ left: px - 5, right: px + 5, top: py - 5, bottom: py + 5 }));
  const onLines = lines.flatMap(({ points }) => pointsAlong(points.map((point) => ({ x: x(point.x), y: y(point.y) }))));
  const texts: ChartText[] = [];
  for (const { label, isMain, px, py } of [...drawn].sort((a, b) => Number(b.isMain) - Number(a.isMain))) {
    const width = textWidth(label, isMain) + 2;
    const box = freePlace(placesAround(px, py, width, plot), taken, plot, onLines);
    if (box === null) continue;
    taken.push(box);
    texts.push({
      role: isMain ? 'main' : 'mark',
      text: label,
      x: (box.left + box.right) / 2,
      y: box.bottom - 4,
      anchor: 'middle',
    });
  }
  return { texts, taken };
}

/** In their bands, at the foot of the plot; higher where something else stands there. */
function bandTexts({ bands }: LineChart, x: Scale, plot: Box, taken: readonly Box[]): ChartText[] {
  return bands.flatMap((band) => {
    const lines = bandLines(band, x);
    const middle = (x(band.from) + x(band.to)) / 2;
    const half = lines.reduce((widest, line) => Math.max(widest, textWidth(line)), 0) / 2;
    const rows = [0, 1, 2, 3, 4].map((row) => {
      const bottom = plot.bottom - 6 - row * lineHeight;
      return { left: middle - half, right: middle + half, top: bottom - lines.length * lineHeight, bottom };
    });
    const box = freePlace(rows, taken, plot);
    if (box === null) return [];
    return lines.map((text, index): ChartText => {
      const y = box.bottom - 4 - (lines.length - 1 - index) * lineHeight;
      return { role: 'band', text, x: middle, y, anchor: 'middle' };
    });
  });
}
