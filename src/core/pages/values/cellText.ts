import type { ExactNumber } from '../../values/valueSummary.js';
import { digitsOfType, valueText } from './valueText.js';

/** Digits that tell any two values of a type apart; of those of 32 and 64 bits fewer, as a grid has many cells. */
const digitsOf: Readonly<Record<string, number>> = {
  bf16: 4,
  f16: 5,
  f32: 7,
  f64: 9,
  c64: 5,
  c128: 7,
  f8_e4m3: 3,
  f8_e5m2: 3,
  f8_e4m3fnuz: 3,
  f8_e5m2fnuz: 3,
  f8_e8m0: 4,
};

/** Of scaled and block types. */
const usualDigits = 5;

/** An element of a tensor in a cell: NaN and infinities by their names, integers whole, complex numbers as `1 + 2i`, pairs as `1, 2`. */
export function cellText(numbers: readonly ExactNumber[], dtype: string): string {
  const texts = numbers.map((value) => valueText(value, digitsOfType(dtype, digitsOf[dtype] ?? usualDigits)));
  if (!dtype.startsWith('c') || texts.length !== 2) return texts.join(', ');
  const [real = '', imaginary = ''] = texts;
  return imaginary.startsWith('−') ? `${real} − ${imaginary.slice(1)}i` : `${real} + ${imaginary.replace(/^\+/, '')}i`;
}

/** Whether a cell is to be marked. */
export function isOdd(numbers: readonly number[]): boolean {
  return numbers.some((value) => !Number.isFinite(value));
}
