/** US dollars as a plan says them. */
import { shortNumber } from './units.js';

/** `$151 k`, `$5.5 k`, `$816`, `$0.04`: at most three digits. `–` where the price is not known. */
export function shortDollars(dollars: number | null): string {
  if (dollars === null) return '–';
  for (const [size, letter] of [
    [1e9, ' B'],
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    // 999,600 is $1 M.
    if (Number(dollars.toPrecision(3)) >= size) return `$${shortNumber(dollars / size)}${letter}`;
  }
  return dollars > 0 && dollars < 0.01 ? '< $0.01' : `$${dollars < 1 ? Number(dollars.toFixed(2)) : shortNumber(dollars)}`;
}
