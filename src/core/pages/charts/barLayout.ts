/** Rows of bars over one axis, with lines across all of them. */
import type { BarChart } from '../chart.js';
import type { ChartArea, ChartLayout, ChartText } from './chartShapes.js';
import { overlaps, type Box } from './labelPlaces.js';
import type { LegendEntry } from './legendLayout.js';
import { rightMargin, rowFrame, rowInside } from './rowFrame.js';
import { textWidth } from './textWidth.js';

type Scale = (value: number) => number;

const barHeight = rowInside;

export function barLayout(chart: BarChart, width: number): ChartLayout {
  const { layout, x, tops } = rowFrame(chart, width, (scale, plot) => legendOf(chart, scale, plot));
  const { plot } = layout;
  const limits = layout.rules.filter(({ role }) => role === 'limit');
  const rows = chart.rows.map((row, index) => ({ row, top: tops[index] ?? plot.top }));
  return {
    ...layout,
    areas: [...rows.flatMap(({ row, top }) => barsOf(row, x, top, plot)), ...layout.areas],
    texts: [...layout.texts, ...rows.flatMap(({ row, top }) => barTexts(row, x, top, plot, limits))],
  };
}

/** A legend where each tone means the same in all rows and some bar is too small for its name; else the names stand at their bars. */
function legendOf({ rows }: BarChart, x: Scale, plot: Box): LegendEntry[] {
  const named = rows.flatMap((row) => barTexts(row, x, 0, plot, [])).length;
  if (named === rows.flatMap(({ parts }) => parts.filter(({ label }) => label !== '')).length) return [];
  const labels = new Map<string, LegendEntry>();
  for (const { label, tone } of rows.flatMap(({ parts }) => parts)) {
    const known = labels.get(tone);
    if (known !== undefined && known.label !== label) return [];
    labels.set(tone, { label, tone, as: 'area' });
  }
  return labels.size < 2 ? [] : [...labels.values()];
}

type Part = BarChart['rows'][number]['parts'][number];

/** Pixels of a part, cut off at the plot's edges. */
function spanOf({ from, to }: Part, x: Scale, plot: Box): { left: number; right: number } {
  const [a, b] = [x(from), x(to)];
  return { left: Math.max(plot.left, Math.min(a, b)), right: Math.min(plot.right, Math.max(a, b)) };
}

function barsOf({ parts }: BarChart['rows'][number], x: Scale, y: number, plot: Box): ChartArea[] {
  return parts.flatMap((part) => {
    const { left, right } = spanOf(part, x, plot);
    if (!(right >= left) || part.from === part.to) return [];
    // What there is must be seen.
    return [{ role: 'bar', tone: part.tone, x: left, y, width: Math.max(1, right - left), height: barHeight, title: part.label }];
  });
}

/** Names in their bars; of the first and the last part also beside them, where there is room. */
function barTexts(
  { parts }: BarChart['rows'][number],
  x: Scale,
  y: number,
  plot: Box,
  limits: readonly { x1: number }[],
): ChartText[] {
  const spans = parts.map((part) => ({ part, ...spanOf(part, x, plot) })).filter(({ left, right }) => right >= left);
  const lefts = spans.reduce((least, { left }) => Math.min(least, left), Infinity);
  const rights = spans.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const line = y + barHeight / 2 + 4;
  const text = (words: string, at: number, anchor: ChartText['anchor']): ChartText => ({
    role: 'bar',
    text: words,
    x: at,
    y: line,
    anchor,
  });
  const taken: Box[] = [];
  return spans.flatMap(({ part, left, right }) => {
    const wide = textWidth(part.label);
    const places: [from: number, anchor: ChartText['anchor']][] = [];
    if (part.label === '') return [];
    if (right - left >= wide + 10) places.push([(left + right) / 2 - wide / 2, 'middle']);
    if (left === lefts && left - 6 - wide >= plot.left) places.push([left - 6 - wide, 'end']);
    if (right === rights && right + 6 + wide <= plot.right + rightMargin) places.push([right + 6, 'start']);
    for (const [from, anchor] of places) {
      const box = { left: from, right: from + wide, top: y, bottom: y + barHeight };
      const isCrossed = limits.some(({ x1 }) => x1 > box.left - 2 && x1 < box.right + 2);
      if (isCrossed || taken.some((other) => overlaps(box, other))) continue;
      taken.push(box);
      return [text(part.label, anchor === 'start' ? from : anchor === 'end' ? from + wide : from + wide / 2, anchor)];
    }
    return [];
  });
}
