import type { SliceAxis } from './sliceAxes.js';

/**
 * The axes of a text such as `3,0:8,::2`: one index, or first, end and step, of which each may be left out. Axes that are not named are whole.
 * Undefined for what is none.
 */
export function sliceAxesOf(text: string, shape: readonly number[]): SliceAxis[] | undefined {
  const parts = text.trim() === '' ? [] : text.split(',');
  if (parts.length > shape.length) return undefined;
  const axes: SliceAxis[] = [];
  for (const [axis, size] of shape.entries()) {
    const own = axisOf(parts[axis]?.trim() ?? ':', size);
    if (own === undefined) return undefined;
    axes.push(own);
  }
  return axes;
}

function axisOf(text: string, size: number): SliceAxis | undefined {
  const [first = '', end, step, ...more] = text.split(':').map((part) => part.trim());
  const start = numberOf(first, 0);
  if (end === undefined) return start === undefined || first === '' ? undefined : { start, count: 1, step: 1 };
  const stop = numberOf(end, size);
  const stride = numberOf(step ?? '', 1);
  if (start === undefined || stop === undefined || stride === undefined || stride === 0 || more.length > 0) return undefined;
  return { start, count: Math.max(0, Math.ceil((Math.min(stop, size) - start) / stride)), step: stride };
}

/** Undefined for what is no whole number from 0. */
function numberOf(text: string, standard: number): number | undefined {
  if (text === '') return standard;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
