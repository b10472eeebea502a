import { entryOf } from '../../text/entryOf.js';

/** A length of training: what is not in the unit is left out. */
export interface Duration {
  steps?: number;
  epochs?: number;
  tokens?: number;
  samples?: number;
}

/**
 * `1000`, `"500ba"`, `"2ep"`, `"10Btok"`, `"2e12T"`, `"100000sp"` (Composer's Time, composer/core/time.py; OLMo's max_duration).
 * A bare number counts steps.
 */
export function durationOf(value: string | number | boolean | undefined): Duration {
  const match = /^\s*(\d[\d_]*(?:\.\d*)?(?:e[+-]?\d{1,2})?)\s*([kmbt]?)\s*(ba|ep|tok|sp|iter|)\s*$/i.exec(String(value ?? ''));
  if (match === null) return {};
  const [, digits = '', letter = '', unit = ''] = match;
  const number = Number(digits.replaceAll('_', ''));
  // OLMo writes tokens as `2e12T`; Composer as `10Btok`.
  const isTokens = unit === 'tok' || (unit === '' && letter === 'T');
  const scale = unit === '' && letter === 'T' ? 1 : (entryOf(scales, letter.toLowerCase()) ?? 1);
  const amount = number * scale;
  if (!Number.isFinite(amount) || amount <= 0 || amount > Number.MAX_SAFE_INTEGER) return {};
  if (isTokens) return { tokens: Math.ceil(amount) };
  if (unit === 'ep') return { epochs: amount };
  if (unit === 'sp') return { samples: Math.ceil(amount) };
  return Number.isInteger(amount) ? { steps: amount } : {};
}

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };
