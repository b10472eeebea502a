import { formatCount } from './units.js';
import { visibleText } from './visibleText.js';

/** `1 document`, `20 documents`, `3 entries`. */
export function unitsOf(count: number, unit: string): string {
  return `${formatCount(count)} ${count === 1 ? visibleText(unit) : pluralOf(visibleText(unit))}`;
}

/** `documents`, `entries`, `classes`. */
export function pluralOf(unit: string): string {
  if (/[^aeiou]y$/.test(unit)) return `${unit.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(unit) ? `${unit}es` : `${unit}s`;
}
