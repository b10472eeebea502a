/** Each 1,000 of the one before. */
export const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;
const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** `128.5 GB`: decimal units (1 GB = 10^9 bytes), three or four significant digits. Whole bytes below 1 kB. */
export function formatBytes(bytes: number): string {
  return scale(bytes, 1000, decimalUnits);
}

/** Two sizes so that they differ in print: `128.5 GB` and `128.4 GB`, or `128,501,592,299 bytes` where the short forms are the same. */
export function formatDifferentBytes(one: number, other: number): [string, string] {
  const short: [string, string] = [formatBytes(one), formatBytes(other)];
  return short[0] === short[1] ? [`${formatCount(one)} bytes`, `${formatCount(other)} bytes`] : short;
}

/** `119.7 GiB`: binary units (1 GiB = 2^30 bytes). */
export function formatBinaryBytes(bytes: number): string {
  return scale(bytes, 1024, binaryUnits);
}

/**
 * `8,030,261,248`: thousands separated by commas, in every locale, as reports are compared and pasted. By hand, as the first use
 * of Intl loads its locale data, which takes longer than reading a checkpoint does.
 */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `8.03 B`: a count of parameters in short. */
export function formatShortCount(count: number): string {
  for (const [size, letter] of [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (count >= size) return `${trimmed(count / size)} ${letter}`;
  }
  return formatCount(count);
}

/** `57.1 %` of a share between 0 and 1; `< 0.1 %` for what is there but would round to nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}

/** `14.00`: bytes for each parameter. */
export function formatPerParameter(bytesPerParameter: number): string {
  return bytesPerParameter.toFixed(2);
}

function scale(bytes: number, base: number, units: readonly string[]): string {
  let value = bytes;
  let unit = 0;
  // 999.95 would print as 1000.0 of the smaller unit.
  while (unit < units.length - 1 && (unit === 0 ? value >= base : value >= base - 0.05)) {
    value /= base;
    unit += 1;
  }
  return `${unit === 0 ? formatCount(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

function trimmed(value: number): string {
  if (value >= 1000) return formatCount(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
