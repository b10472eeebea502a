/** From values of an axis to pixels. */
import type { ChartAxis } from '../chart.js';

/** Beyond it differences and quotients leave what numbers hold. */
const largest = 1e300;

/** A domain that can be drawn: finite, from less to more, above 0 on a log axis. */
export function drawnDomain({ scale, domain }: ChartAxis): [number, number] {
  const [first, second] = domain.map(bounded) as [number, number];
  const low = Math.min(first, second);
  const high = Math.max(first, second);
  if (scale === 'log') {
    const top = high > 0 ? Math.max(high, 1e3 / largest) : 1;
    const bottom = low > 0 ? Math.max(low, 1 / largest) : top / 1e3;
    return bottom < top ? [bottom, top] : [bottom / 2, top * 2];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > size * 1e-9 && size > 1 / largest) return [low, high];
  return Math.abs(low) <= 1 / largest ? [0, 1] : [Math.min(0, low), Math.max(0, low)];
}

function bounded(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-largest, Math.min(largest, value));
}

/** Far outside of any picture, and near enough for the arithmetic of whoever draws it. */
const farPixels = 20_000;

/** @returns pixels of a value; bounded, and never NaN for a number */
export function axisScale(axis: ChartAxis, from: number, to: number): (value: number) => number {
  const [low, high] = drawnDomain(axis);
  const isLog = axis.scale === 'log';
  return (value) => {
    // 0 and less lie infinitely far below a log axis.
    const share = isLog
      ? (Math.log(Math.max(value, low * 1e-30)) - Math.log(low)) / (Math.log(high) - Math.log(low))
      : (value - low) / (high - low);
    const pixels = from * (1 - share) + to * share;
    return Number.isFinite(pixels) ? Math.max(-farPixels, Math.min(farPixels, pixels)) : value > 0 ? to : from;
  };
}
