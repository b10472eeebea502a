/** The ticks of an axis that fit beside each other. */
import type { ChartAxis } from '../chart.js';
import { tickText } from './axisText.js';
import { tickCandidates } from './axisTicks.js';
import { lineHeight } from './labelPlaces.js';
import { textWidth } from './textWidth.js';

export interface DrawnTick {
  position: number;
  text: string;
}

const air = 14;

/** Along the x axis: texts beside each other. */
export function ticksAcross(axis: ChartAxis, scale: (value: number) => number): DrawnTick[] {
  return firstThatFits(axis, scale, ({ text }) => textWidth(text) + air);
}

/** Along the y axis: texts one above the other. */
export function ticksUp(axis: ChartAxis, scale: (value: number) => number): DrawnTick[] {
  return firstThatFits(axis, scale, () => lineHeight + 2 * air);
}

function firstThatFits(axis: ChartAxis, scale: (value: number) => number, room: (tick: DrawnTick) => number): DrawnTick[] {
  let least: DrawnTick[] = [];
  for (const set of tickCandidates(axis)) {
    least = set.map((value) => ({ position: scale(value), text: tickText(value, axis.format) }));
    if (least.every((tick, index) => fits(least[index - 1], tick, room))) return least;
  }
  return least.slice(0, 1);
}

function fits(before: DrawnTick | undefined, tick: DrawnTick, room: (tick: DrawnTick) => number): boolean {
  if (before === undefined) return true;
  if (before.text === tick.text) return false;
  return Math.abs(tick.position - before.position) >= (room(before) + room(tick)) / 2;
}
