import { limits } from '../../bytes/limits.js';

/** A whole number above 0, of a key that takes words too (`devices: auto`). */
export function wholeNumber(value: string | number | boolean | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= limits.configNumber ? value : undefined;
}

/** A number above 0; undefined for 0 and less, which mean "all", "none" or "not set" in configs. */
export function positive(value: number | undefined): number | undefined {
  return value === undefined || value <= 0 ? undefined : value;
}
