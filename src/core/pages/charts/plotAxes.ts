/** The axes of a plot with numbers along both. */
import type { ChartAxis } from '../chart.js';
import { axisScale } from './axisScale.js';
import type { ChartLayout, ChartText } from './chartShapes.js';
import { ticksUp, type DrawnTick } from './drawnTicks.js';
import { lineHeight, type Box } from './labelPlaces.js';
import { textWidth } from './textWidth.js';

/** Below the plot: numbers and the name of the axis. */
export const axisHeight = 42;
const rightMargin = 26;

/** Of the plot: a third of the width, within what can be read and what leaves room for the text. */
function plotHeight(width: number): number {
  return Math.round(Math.max(170, Math.min(280, width * 0.34)));
}

/** The axis at the left, whose numbers take as much room as they need: the plot is from `left` to `right`, and `inside` high. */
export function upAxis(y: ChartAxis, width: number): { inside: number; ticks: DrawnTick[]; left: number; right: number } {
  const inside = plotHeight(width);
  const ticks = ticksUp(y, axisScale(y, inside, 0));
  const left = Math.ceil(ticks.reduce((widest, { text }) => Math.max(widest, textWidth(text)), 20)) + 10;
  return { inside, ticks, left, right: width - rightMargin };
}

/** Room above the plot, for the name of its axis. */
export function plotTop(y: ChartAxis): number {
  return y.label === '' ? 10 : lineHeight + 10;
}

/** Lines across the plot at the ticks. */
export function gridOf(across: readonly DrawnTick[], up: readonly DrawnTick[], plot: Box): ChartLayout['rules'] {
  return [
    ...across.map(({ position }) => ({ role: 'grid' as const, x1: position, x2: position, y1: plot.top, y2: plot.bottom })),
    ...up.map(({ position }) => ({
      role: 'grid' as const,
      x1: plot.left,
      x2: plot.right,
      y1: plot.top + position,
      y2: plot.top + position,
    })),
  ];
}

/** Numbers and names of both axes. */
export function axisTexts(
  { x, y }: { x: ChartAxis; y: ChartAxis },
  across: readonly DrawnTick[],
  up: readonly DrawnTick[],
  plot: Box,
): ChartText[] {
  const { left, right, top, bottom } = plot;
  return [
    ...across.map(({ position, text }): ChartText => ({ role: 'tick', text, x: position, y: bottom + 17, anchor: 'middle' })),
    ...up.map(({ position, text }): ChartText => ({ role: 'tick', text, x: left - 8, y: top + position + 4, anchor: 'end' })),
    { role: 'axis', text: x.label, x: (left + right) / 2, y: bottom + 36, anchor: 'middle' },
    ...(y.label === '' ? [] : [{ role: 'axis' as const, text: y.label, x: 2, y: top - 12, anchor: 'start' as const }]),
  ];
}
