import { formatBinaryBytes, formatCount } from '../../src/core/text/units.js';

/** `16,060,522,496 bytes (15.0 GiB)`: what stands behind a rounded size, for titles and details. */
export function exactBytes(bytes: number): string {
  const exact = `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < 1024 ? exact : `${exact} (${formatBinaryBytes(bytes)})`;
}

/** `0.0016 %`: two significant digits however small the share is. */
export function fineShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const percent = (part / whole) * 100;
  if (percent >= 99.95) return '100 %';
  if (percent >= 10) return `${percent.toFixed(0)} %`;
  const digits = Math.min(9, Math.max(1, 1 - Math.floor(Math.log10(percent))));
  return `${Number(percent.toFixed(digits)).toFixed(digits).replace(/0+$/, '').replace(/\.$/, '')} %`;
}

/** The same with its numbers held together with their units where a line breaks. */
export function keepUnits(text: string): string {
  return text.replace(/(\d) (?=[kMGTPE]?i?B\b|[kMT]\b|%|×)/g, '$1\u00a0');
}
