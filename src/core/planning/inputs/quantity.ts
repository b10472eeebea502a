/** Amounts as people write them: `90 min`, `2 TB/s`, `405B`, `10 %`. */
import { formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { NumberField } from './planField.js';
import { unitsOf, type Quantity } from './quantities.js';

type Amount = Pick<NumberField, 'quantity' | 'whole'>;

/** An amount in the base unit; or that there is none, with the ways to write what it may mean: none, or two. */
export type ReadQuantity = { value: number } | { readings: string[] };

/**
 * Reads an amount; limits are not checked.
 * @param bareSize what 1 without a unit is in the base unit: 1 on the command line, the unit behind the input in the panel
 */
export function readQuantity(text: string, { quantity, whole }: Amount, bareSize = 1): ReadQuantity {
  const plain = text.trim().replace(/(?<=\d)[,_](?=\d{3})/g, '');
  const form = /^(-?)(\$?)(\d{1,25}(?:\.\d{1,25})?(?:e[+-]?\d{1,2})?)\s?([a-z$%/]{0,10})$/i.exec(plain);
  const [, sign = '', dollar = '', number, unit = ''] = form ?? [];
  if (number === undefined || (dollar !== '' && quantity !== 'price' && quantity !== 'capital')) return { readings: [] };
  const sizes = unit === '' ? [{ unit, size: bareSize }] : unitsLike(unit, quantity);
  const [first] = sizes;
  if (first === undefined || sizes.length > 1) return { readings: sizes.map((one) => `${sign}${number} ${one.unit}`) };
  // Decimal fractions times a unit: 0.0231 × 1e9 must not end in …0001.
  const value = Number((Number(number) * first.size).toPrecision(15)) * (sign === '-' ? -1 : 1);
  // A part of a byte is a rounding of its unit, a part of a GPU is an error.
  const isRounded = whole === true && quantity !== 'count' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return { value: isRounded ? Math.round(value) : value };
}

interface Unit {
  unit: string;
  size: number;
}

/** The units of different sizes that one as written may be: `gb` is GB or Gbit, `4G` is GB or GiB. */
function unitsLike(written: string, quantity: Quantity): Unit[] {
  const known = Object.entries(unitsOf(quantity).units).map(([unit, size]) => ({ unit, size }));
  const lower = written.toLowerCase();
  const alike = known.filter(({ unit }) => unit.toLowerCase() === lower);
  const sizes = [...new Set(alike.map(({ size }) => size))];
  const exact = alike.filter(({ unit }) => unit === written);
  if (exact.length > 0 && (sizes.length === 1 || written !== lower)) return exact;
  if (sizes.length === 0) return multiplesOfBytes(lower, known);
  if (sizes.length === 1) return alike.slice(0, 1);
  return sizes.flatMap((size) => known.find((one) => one.size === size && /B|bit/.test(one.unit)) ?? []);
}

/** What a multiple without its unit may be one of. */
function multiplesOfBytes(lower: string, known: readonly Unit[]): Unit[] {
  const [, multiple, ending = ''] = /^([kmgtp])(\/s|ps|)$/.exec(lower) ?? [];
  if (multiple === undefined) return [];
  const prefix = multiple === 'k' ? multiple : multiple.toUpperCase();
  const names = [`${prefix}B${ending}`, `${prefix}iB${ending}`];
  return known.filter(({ unit }) => names.includes(unit));
}

/** Why a text is no amount, behind the name of what takes it. @param readings as `readQuantity` gives them */
export function amountProblem(text: string, readings: readonly string[], example: string): string {
  const written = visibleText(text);
  return readings.length === 0
    ? `takes an amount such as ${example}, not ${written}`
    : `takes ${readings.join(' or ')}: ${written} may be either`;
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
