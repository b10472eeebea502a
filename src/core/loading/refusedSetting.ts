/** A setting of config.json with which no model is made, in words. */
import { formatCount } from '../text/units.js';

export interface RefusedSetting {
  /** With a dot before each level. */
  key: string;
  /** In words: `the text "2"`, `0`. */
  value: string;
  /** In words: `a whole number`. */
  needed: string;
  /** False where some classes take it. */
  isCertain: boolean;
}

const mostLetters = 40;

/** A value in words: `the text “silu”`, `a list`. */
export function inWords(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? formatCount(value) : String(value);
  if (typeof value === 'string') return `the text “${value.slice(0, mostLetters)}”`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
