import type { SliceAxis } from './sliceAxes.js';

/**
 * The axes of a text such as `3,0:8,::2`: one index, or first, end and step, of which each may be left out. Axes that are not named are whole.
 * What is none is answered by why not, as the end of a sentence that begins with the text.
 */
export function sliceAxesOf(text: string, shape: readonly number[]): SliceAxis[] | string {
  const parts = text.trim() === '' ? [] : text.split(',');
  if (/-\s*\d/.test(text)) return 'has negative indices, which are not supported';
  if (parts.length > shape.length) return noSliceOf(shape);
  const axes: SliceAxis[] = [];
  for (const [axis, size] of shape.entries()) {
    const own = axisOf(parts[axis]?.trim() ?? ':', size);
    if (own === undefined) return noSliceOf(shape);
    if (typeof own === 'string') return own;
    axes.push(own);
  }
  return axes;
}

function noSliceOf(shape: readonly number[]): string {
  return `is no slice of the shape [${shape.join(', ')}]`;
}

function axisOf(text: string, size: number): SliceAxis | string | undefined {
  const [first = '', end, step, ...more] = text.split(':').map((part) => part.trim());
  const start = numberOf(first, 0);
  if (end === undefined) return start === undefined || first === '' ? undefined : { start, count: 1, step: 1 };
  const stop = numberOf(end, size);
  const stride = numberOf(step ?? '', 1);
  if (start === undefined || stop === undefined || stride === undefined || stride === 0 || more.length > 0) return undefined;
  if (end !== '' && stop < start) return `ends before it begins: ${text}`;
  return { start, count: Math.max(0, Math.ceil((Math.min(stop, size) - start) / stride)), step: stride };
}

/** Undefined for what is no whole number from 0. */
function numberOf(text: string, standard: number): number | undefined {
  if (text === '') return standard;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
