/** Amounts as people write them: `90 min`, `2 TB/s`, `405B`, `10 %`. */
import { formatCount } from '../../text/units.js';
import type { NumberField, Quantity } from './planField.js';

const counts = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 };
const bytes = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
};
const bits = { kbps: 125, mbps: 125e3, gbps: 125e6, tbps: 125e9 };
const spans = {
  ms: 1e-3,
  s: 1,
  sec: 1,
  min: 60,
  h: 3600,
  hours: 3600,
  d: 86_400,
  days: 86_400,
  w: 604_800,
  weeks: 604_800,
  y: 31_557_600,
};
const flops = { gflops: 1e9, tflops: 1e12, pflops: 1e15, 'gflop/s': 1e9, 'tflop/s': 1e12, 'pflop/s': 1e15 };
const perSecond = Object.fromEntries(Object.entries(bytes).map(([unit, size]) => [`${unit}/s`, size]));

/** What each unit is in the base unit; keys are in lower case. */
const units: Readonly<Record<Quantity, Readonly<Record<string, number>>>> = {
  count: counts,
  bytes,
  seconds: spans,
  bytesPerSecond: { ...perSecond, ...bits },
  share: { '%': 0.01 },
  bytesPerValue: { b: 1 },
  flopsPerSecond: flops,
  price: { $: 1 },
};

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
  const size = unit === '' ? bareSize : (units[quantity][unit] ?? null);
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
