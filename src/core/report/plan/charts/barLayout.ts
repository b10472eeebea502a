/** Rows of bars over one axis, with lines across all of them. */
import type { BarChart } from '../planSection.js';
import { axisScale } from './axisScale.js';
import type { ChartArea, ChartLayout, ChartText } from './chartShapes.js';
import { ticksAcross, type DrawnTick } from './drawnTicks.js';
import { lineHeight, overlaps, type Box } from './labelPlaces.js';
import { legendLayout, type LegendEntry } from './legendLayout.js';
import { textWidth } from './textWidth.js';

type Scale = (value: number) => number;

const barHeight = 20;
const rowGap = 12;
const axisHeight = 42;
const rightMargin = 26;
/** Names of rows stand beside the bars up to this share of the width, else above them. */
const mostNameShare = 0.34;

export function barLayout(chart: BarChart, width: number): ChartLayout {
  const names = Math.ceil(chart.rows.reduce((widest, { label }) => Math.max(widest, textWidth(label)), 0)) + 10;
  const isBeside = names <= width * mostNameShare;
  const left = isBeside ? Math.max(names, 24) : 24;
  const right = width - rightMargin;
  const x = axisScale(chart.x, left, right);
  const legend = legendLayout(legendOf(chart, x, { left, right, top: 0, bottom: 0 }), 2, width - 4);
  const limits = limitTexts(chart, x, width, legend.height);
  const top = legend.height + limits.height + 6;
  const rowHeight = barHeight + rowGap + (isBeside ? 0 : lineHeight);
  const plot: Box = { left, right, top, bottom: top + Math.max(1, chart.rows.length) * rowHeight };
  const barTop = (row: number): number => top + row * rowHeight + rowGap / 2 + (isBeside ? 0 : lineHeight);
  const across = ticksAcross(chart.x, x);
  const bars = chart.rows.flatMap((row, index) => barsOf(row, x, barTop(index), plot));
  return {
    width,
    height: plot.bottom + axisHeight,
    plot,
    rules: [...gridOf(across, plot), ...limits.rules.map((rule) => ({ ...rule, y2: plot.bottom }))],
    areas: [...bars, ...legend.areas],
    paths: [],
    samples: [],
    dots: [],
    texts: [
      ...legend.texts,
      ...limits.texts,
      ...across.map(({ position, text }): ChartText => ({
        role: 'tick',
        text,
        x: position,
        y: plot.bottom + 17,
        anchor: 'middle',
      })),
      { role: 'axis', text: chart.x.label, x: (left + right) / 2, y: plot.bottom + 36, anchor: 'middle' },
      ...chart.rows.map(({ label }, row): ChartText =>
        isBeside
          ? { role: 'row', text: label, x: left - 8, y: barTop(row) + barHeight / 2 + 4, anchor: 'end' }
          : { role: 'row', text: label, x: 2, y: barTop(row) - 6, anchor: 'start' },
      ),
      ...chart.rows.flatMap((row, index) => barTexts(row, x, barTop(index), plot, limits.rules)),
    ],
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

function gridOf(across: readonly DrawnTick[], plot: Box): ChartLayout['rules'] {
  return across.map(({ position }) => ({ role: 'grid', x1: position, x2: position, y1: plot.top, y2: plot.bottom }));
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

interface Limits {
  height: number;
  texts: ChartText[];
  /** Down to nowhere yet: they end where the bars do. */
  rules: ChartLayout['rules'];
}

/** Names of limits above the bars: over their line or beside it, in another row where they would touch or be crossed. */
function limitTexts({ marks }: BarChart, x: Scale, width: number, top: number): Limits {
  const drawn = marks.map(({ label, x: value }) => ({ label, at: x(value) })).filter(({ at }) => at >= 0 && at <= width);
  const taken: Box[] = [];
  const texts: ChartText[] = [];
  for (const { label, at } of drawn) {
    const others = drawn.filter((other) => other.at !== at);
    const box = limitPlace(textWidth(label), at, width, top, (place) => {
      const isCrossed = others.some((other) => other.at > place.left && other.at < place.right);
      return !isCrossed && !taken.some((other) => overlaps(place, other));
    });
    taken.push(box);
    texts.push({ role: 'mark', text: label, x: (box.left + box.right) / 2, y: box.bottom - 4, anchor: 'middle' });
  }
  const rules = drawn.map(({ at }, index) => ({
    role: 'limit' as const,
    x1: at,
    x2: at,
    y1: taken[index]?.bottom ?? top,
    y2: top,
  }));
  const height = taken.reduce((lowest, { bottom }) => Math.max(lowest, bottom), top) - top;
  return { height, texts, rules };
}

const mostRows = 4;
const aside = 4;

/** The first free place in rows from the top; below all of them where none is free. */
function limitPlace(textPixels: number, at: number, width: number, top: number, isFree: (box: Box) => boolean): Box {
  const wide = textPixels + 2 * aside;
  const place = (left: number, row: number): Box => {
    const inside = Math.max(0, Math.min(left, width - wide));
    return { left: inside, right: inside + wide, top: top + row * lineHeight, bottom: top + (row + 1) * lineHeight };
  };
  for (let row = 0; row < mostRows; row += 1)
    for (const left of [at - wide / 2, at, at - wide]) {
      const box = place(left, row);
      if (isFree(box)) return box;
    }
  let row = mostRows;
  while (row < 3 * mostRows && !isFree(place(at - wide / 2, row))) row += 1;
  return place(at - wide / 2, row);
}
