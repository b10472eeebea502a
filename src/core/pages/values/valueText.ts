import type { ExactNumber } from '../../values/valueSummary.js';

/** `0.04168`, `−1.204e-7`: a value of a tensor, at most this many digits of it. */
export function valueText(number: ExactNumber, digits = 5): string {
  const value = Number(number);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '−Inf';
  const text = String(Number(value.toPrecision(digits)));
  return text.startsWith('-') ? `−${text.slice(1)}` : text;
}
