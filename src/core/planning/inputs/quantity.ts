/** Amounts as people write them: `90 min`, `2 TB/s`, `405B`, `10 %`. */
import { formatCount } from '../../text/units.js';
import type { NumberField } from './planField.js';
import { unitsOf } from './quantities.js';

type Amount = Pick<NumberField, 'quantity' | 'whole'>;

/**
 * @param bareSize what 1 without a unit is in the base unit: 1 on the command line, the unit behind the input in the panel
 * @returns the amount in the base unit, or null for what is none; limits are not checked
 */
export function parseQuantity(text: string, { quantity, whole }: Amount, bareSize = 1): number | null {
  const plain = text.trim().replace(/(?<=\d)[,_](?=\d{3})/g, '');
  const [, sign, number, suffix] = /^(-?)\$?(\d{1,25}(?:\.\d{1,25})?(?:e[+-]?\d{1,2})?)\s?([a-z$%/]{0,10})$/i.exec(plain) ?? [];
  if (number === undefined || suffix === undefined) return null;
  const unit = suffix.toLowerCase();
  const size = unit === '' ? bareSize : (unitsOf(quantity).units[unit] ?? null);
  if (size === null) return null;
  // Decimal fractions times a unit: 0.0231 × 1e9 must not end in …0001.
  const value = Number((Number(number) * size).toPrecision(15)) * (sign === '-' ? -1 : 1);
  return whole === true && Math.abs(value) < Number.MAX_SAFE_INTEGER ? Math.round(value) : value;
}

/** `90 min`, `16,384`: a value with the unit behind its input. */
export function withUnit(value: number, field: Pick<NumberField, 'shown' | 'quantity'>): string {
  return `${shownQuantity(value, field)} ${field.shown.unit}`.trim();
}

/** A value as the panel's input shows it, in the unit behind the input: `3.0931` of hours, `16,384`. */
export function shownQuantity(value: number, { shown, quantity }: Pick<NumberField, 'shown' | 'quantity'>): string {
  const amount = value / shown.size;
  if (quantity === 'count' && Number.isSafeInteger(amount)) return formatCount(amount);
  const short = Number(amount.toPrecision(6));
  return Math.abs(short) >= 1e4 && Number.isInteger(short) ? formatCount(short) : String(short);
}
