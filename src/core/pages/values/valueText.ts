import type { ExactNumber } from '../../values/valueSummary.js';

/**
 * `0.04168`, `−1.204e-7`: a value of a tensor, at most this many digits of it. Zeros do not stand for digits that were left out: `6.554e+4`.
 * Integers that no double holds are whole.
 */
export function valueText(value: ExactNumber, digits = 5): string {
  if (typeof value === 'string') return value.replace('-', '−');
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '−Inf';
  const rounded = Number(value.toPrecision(digits));
  const isPadded = rounded !== value && Math.abs(rounded) >= 10 ** digits;
  return (isPadded ? value.toExponential(digits - 1) : String(rounded)).replace(/^-/, '−');
}

/** Digits of a value of this type: all of an integer. @param usual of others */
export function digitsOfType(dtype: string, usual: number): number {
  return /^(?:[iu]\d+|bool|q?u?int\d+|bits\d+)\*?$/.test(dtype) ? 17 : usual;
}
