/** Rows with names over one axis, with lines across all of them: what bars and dots are drawn into. */
import type { ChartAxis } from '../chart.js';
import { axisScale } from './axisScale.js';
import type { ChartLayout, ChartText } from './chartShapes.js';
import { ticksAcross, type DrawnTick } from './drawnTicks.js';
import { lineHeight, overlaps, type Box } from './labelPlaces.js';
import { legendLayout, type LegendEntry } from './legendLayout.js';
import { textWidth } from './textWidth.js';

type Scale = (value: number) => number;

/** Height of what is drawn in a row. */
export const rowInside = 20;
/** Pixels right of the axis, for texts that begin at its end. */
export const rightMargin = 26;

const rowGap = 12;
const axisHeight = 42;
/** Names of rows stand beside them up to this share of the width, else above them. */
const mostNameShare = 0.34;

interface Rows {
  x: ChartAxis;
  rows: readonly { label: string }[];
  marks: readonly { label: string; x: number }[];
}

export interface RowFrame {
  /** All but what the rows hold. */
  layout: ChartLayout;
  x: Scale;
  /** Of what is drawn in each row. */
  tops: number[];
}

/** @param legendOf entries above the rows, which may depend on where values come to lie */
export function rowFrame(chart: Rows, width: number, legendOf: (x: Scale, plot: Box) => LegendEntry[]): RowFrame {
  const names = Math.ceil(chart.rows.reduce((widest, { label }) => Math.max(widest, textWidth(label)), 0)) + 10;
  const isBeside = names <= width * mostNameShare;
  const left = isBeside ? Math.max(names, 24) : 24;
  const right = width - rightMargin;
  const x = axisScale(chart.x, left, right);
  const legend = legendLayout(legendOf(x, { left, right, top: 0, bottom: 0 }), 2, width - 4);
  const limits = limitTexts(chart.marks, x, width, legend.height);
  const top = legend.height + limits.height + 6;
  const rowHeight = rowInside + rowGap + (isBeside ? 0 : lineHeight);
  const plot: Box = { left, right, top, bottom: top + Math.max(1, chart.rows.length) * rowHeight };
  const tops = chart.rows.map((_row, row) => top + row * rowHeight + rowGap / 2 + (isBeside ? 0 : lineHeight));
  const across = ticksAcross(chart.x, x);
  const layout: ChartLayout = {
    width,
    height: plot.bottom + axisHeight,
    plot,
    rules: [...gridOf(across, plot), ...limits.rules.map((rule) => ({ ...rule, y2: plot.bottom }))],
    areas: legend.areas,
    paths: [],
    samples: legend.samples,
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
      ...chart.rows.map(({ label }, row): ChartText => {
        const y = tops[row] ?? top;
        return isBeside
          ? { role: 'row', text: label, x: left - 8, y: y + rowInside / 2 + 4, anchor: 'end' }
          : { role: 'row', text: label, x: 2, y: y - 6, anchor: 'start' };
      }),
    ],
  };
  return { layout, x, tops };
}

function gridOf(across: readonly DrawnTick[], plot: Box): ChartLayout['rules'] {
  return across.map(({ position }) => ({ role: 'grid', x1: position, x2: position, y1: plot.top, y2: plot.bottom }));
}

interface Limits {
  height: number;
  texts: ChartText[];
  /** Down to nowhere yet: they end where the rows do. */
  rules: ChartLayout['rules'];
}

/** Names of limits above the rows: over their line or beside it, in another row where they would touch or be crossed. */
function limitTexts(marks: Rows['marks'], x: Scale, width: number, top: number): Limits {
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
