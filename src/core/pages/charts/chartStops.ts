/** The values of a chart one after the other, for who points at them or walks through them by keys. */
import type { BarChart, ChartPoint, ChartTone, DotChart, HistogramChart, LineChart, PageChart } from '../chart.js';
import { axisScale } from './axisScale.js';
import { rangeWords, valueText } from './axisText.js';
import type { ChartLayout } from './chartShapes.js';

export interface ChartStop {
  /** Where it is along the way that keys and the pointer take: across where `isAcross` says so, else down. Pixels. */
  position: number;
  title: string;
  values: { label: string; tone: ChartTone; text: string }[];
  /** On the lines. */
  dots: { x: number; y: number; tone: ChartTone }[];
}

/** @param layout of the same chart */
export function chartStops(chart: PageChart, layout: ChartLayout): ChartStop[] {
  switch (chart.kind) {
    case 'lines':
      return lineStops(chart, layout);
    case 'bars':
      return barStops(chart, layout);
    case 'dots':
      return dotStops(chart, layout);
    case 'histogram':
      return histogramStops(chart, layout);
  }
}

/** Whether stops are beside each other, and not one below the other. */
export function isAcross({ kind }: PageChart): boolean {
  return kind === 'lines' || kind === 'histogram';
}

/** The stop that is nearest to a place; 0 where there is none. */
export function nearestStop(stops: readonly ChartStop[], position: number): number {
  let best = 0;
  for (const [index, stop] of stops.entries())
    if (Math.abs(stop.position - position) < Math.abs((stops[best]?.position ?? Infinity) - position)) best = index;
  return best;
}

/** What a screen reader says of a stop. */
export function stopInWords({ title, values }: ChartStop): string {
  return `${title}: ${values.map(({ label, text }) => (label === '' ? text : `${label} ${text}`)).join(', ')}`;
}

function lineStops(chart: LineChart, { plot }: ChartLayout): ChartStop[] {
  const x = axisScale(chart.x, plot.left, plot.right);
  const y = axisScale(chart.y, plot.bottom, plot.top);
  const isShown = (value: number): boolean =>
    Number.isFinite(value) && x(value) >= plot.left - 0.5 && x(value) <= plot.right + 0.5;
  return apart(placesOf(chart).filter(isShown), x, new Set(chart.marks.map((mark) => mark.x))).map((value) => {
    const band = chart.bands.find(({ from, to }) => value >= from && value <= to);
    const points = chart.lines.flatMap(({ label, tone, points: all }) => {
      const point = valueAt(all, value);
      return point === null ? [] : [{ label: chart.lines.length === 1 ? '' : label, tone, value: point }];
    });
    return {
      position: x(value),
      title: valueText(value, chart.x.format),
      values: [
        ...points.map(({ label, tone, value: at }) => ({ label, tone, text: valueText(at, chart.y.format) })),
        ...(band === undefined ? [] : [{ label: '', tone: band.tone, text: band.label }]),
      ],
      dots: points
        .map(({ tone, value: at }) => ({ x: x(value), y: y(at), tone }))
        .filter((dot) => dot.y >= plot.top - 0.5 && dot.y <= plot.bottom + 0.5),
    };
  });
}

/** Less than this many pixels from one stop to the next would be a key that moves nothing. */
const leastStep = 1.5;

/** Leaves out places that lie on top of another; of two the named one stays. */
function apart(places: readonly number[], x: (value: number) => number, named: ReadonlySet<number>): number[] {
  const kept: number[] = [];
  for (const place of places) {
    const before = kept.at(-1);
    if (before === undefined || x(place) - x(before) >= leastStep) kept.push(place);
    else if (named.has(place) && !named.has(before)) kept[kept.length - 1] = place;
  }
  return kept;
}

/** The points of the longest line, and the named places between them. */
function placesOf({ lines, marks }: LineChart): number[] {
  const longest = lines.reduce<ChartPoint[]>((most, { points }) => (points.length > most.length ? points : most), []);
  const all = [...longest.map((point) => point.x), ...marks.map((mark) => mark.x)].sort((a, b) => a - b);
  return all.filter((value, index) => index === 0 || value !== all[index - 1]);
}

/** Of a line at a place: between its two points; null outside of it and in a gap. */
function valueAt(points: readonly ChartPoint[], value: number): number | null {
  const index = points.findIndex(({ x }) => x >= value);
  const after = points[index];
  if (after === undefined) return null;
  const before = points[index - 1];
  if (Number.isNaN(after.y)) return null;
  if (after.x === value || before === undefined) return after.x === value ? after.y : null;
  if (!Number.isFinite(before.y) || !Number.isFinite(after.y)) return null;
  return before.y + ((after.y - before.y) * (value - before.x)) / (after.x - before.x);
}

function barStops(chart: BarChart, { plot }: ChartLayout): ChartStop[] {
  const height = (plot.bottom - plot.top) / Math.max(1, chart.rows.length);
  return chart.rows.map(({ label, parts }, row) => ({
    position: plot.top + (row + 0.5) * height,
    title: label,
    values: parts.map((part) => ({ label: part.label, tone: part.tone, text: rangeText(part, parts, chart) })),
    dots: [],
  }));
}

function dotStops(chart: DotChart, { plot }: ChartLayout): ChartStop[] {
  const height = (plot.bottom - plot.top) / Math.max(1, chart.rows.length);
  return chart.rows.map(({ label, tone, dots }, row) => ({
    position: plot.top + (row + 0.5) * height,
    title: label,
    values: dots.map((dot) => ({ label: dot.label, tone, text: valueText(dot.x, chart.x.format) })),
    dots: [],
  }));
}

function histogramStops({ x: across, y: up, bins }: HistogramChart, { plot }: ChartLayout): ChartStop[] {
  const x = axisScale(across, plot.left, plot.right);
  const y = axisScale(up, plot.bottom, plot.top);
  return bins.map(({ from, to, count }) => {
    const position = (x(from) + x(to)) / 2;
    return {
      position,
      title: rangeWords(from, to, across.format),
      values: [{ label: '', tone: 'line', text: valueText(count, up.format) }],
      dots: [{ x: position, y: y(count), tone: 'line' }],
    };
  });
}

type Part = { from: number; to: number };

/** How long a part of a stack is; of a range, the end that it does not share with the part beside it. */
function rangeText(part: Part, parts: readonly Part[], { x }: BarChart): string {
  const isStack = parts.every(({ from }, index) => from === (index === 0 ? 0 : parts[index - 1]?.to));
  if (isStack) return valueText(part.to - part.from, x.format);
  const isShared = parts.some((other) => other !== part && (other.from === part.to || other.to === part.to));
  return valueText(isShared ? part.from : part.to, x.format);
}
