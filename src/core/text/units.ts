/**
 * Sizes and counts. One quantity has one rounding wherever it is shown (panel, hover, terminal, Markdown, plan): three significant
 * digits without zeros at the end. Where the exact number matters it is beside, in a tooltip, in what is copied and in JSON.
 */

/** Each 1,000 of the one before. */
const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;
const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** `5.68`, `172`, `16,384`, `0.0051`: at most this many digits that count. `no end of` where the number has none. */
export function shortNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return 'no end of';
  const rounded = Number(value.toPrecision(digits));
  return Math.abs(rounded) >= 1000 ? formatCount(rounded) : String(rounded);
}

/** `5.68 TB`, `112 GB`: decimal units (1 GB = 10^9 bytes). Whole bytes below 1 kB. */
export function formatBytes(bytes: number): string {
  return scale(bytes, 1000, decimalUnits);
}

/** Two sizes so that they differ in print: `129 GB` and `128 GB`, or `128,501,592,299 bytes` where the short forms are the same. */
export function formatDifferentBytes(one: number, other: number): [string, string] {
  const short: [string, string] = [formatBytes(one), formatBytes(other)];
  return short[0] === short[1] ? [`${formatCount(one)} bytes`, `${formatCount(other)} bytes`] : short;
}

/** `105 GiB`, `16 MiB`: binary units (1 GiB = 2^30 bytes). */
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
  // 999.9 of a unit would print as 1,000 of it; 1,024 would print as 1,020. A plan prints thousands of sizes: far below, nothing is rounded.
  while (unit < units.length - 1 && (value >= base || (value >= base * 0.99 && Number(value.toPrecision(3)) >= base))) {
    value /= base;
    unit += 1;
  }
  return `${unit === 0 ? formatCount(value) : shortNumber(value)} ${units[unit] ?? ''}`;
}

function trimmed(value: number): string {
  if (value >= 1000) return formatCount(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
