/** Numbers of an axis in words, short. */
import type { AxisFormat } from '../chart.js';

type Unit = readonly [size: number, name: string];

const decimalUnits = (unit: string): readonly Unit[] => [
  [1e18, `E${unit}`],
  [1e15, `P${unit}`],
  [1e12, `T${unit}`],
  [1e9, `G${unit}`],
  [1e6, `M${unit}`],
  [1e3, `k${unit}`],
  [1, unit],
];

const units: Readonly<Record<AxisFormat, readonly Unit[]>> = {
  bytes: decimalUnits('B'),
  bytesPerSecond: decimalUnits('B/s'),
  seconds: [
    [31_557_600, 'y'],
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
  ],
  share: [[0.01, '%']],
  count: [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
    [1, ''],
  ],
  number: [[1, '']],
  dollars: [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
    [1, ''],
  ],
};

/** `5 min`, `200 GB/s`, `0.1 %`, `$20 k`: a tick, which is a round number. */
export function tickText(value: number, format: AxisFormat): string {
  return inUnits(value, format, (amount) => trimmed(amount, 6));
}

/** `5.51 min`, `172 GB/s`, `94.3 %`: a value that is pointed at, three digits of it. */
export function valueText(value: number, format: AxisFormat): string {
  if (!Number.isFinite(value)) return value > 0 ? 'never' : 'nothing';
  return inUnits(value, format, (amount) => (Math.abs(amount) >= 1000 ? grouped(amount) : trimmed(amount, 3)));
}

/** `−0.02 to 0.02`: a stretch of an axis. */
export function rangeWords(from: number, to: number, format: AxisFormat): string {
  return `${valueText(from, format)} to ${valueText(to, format)}`;
}

function inUnits(value: number, format: AxisFormat, write: (amount: number) => string): string {
  const all = units[format];
  const size = Math.abs(value);
  // 999.95 of a unit is 1 of the next.
  const [unitSize, name] = all.find(([unit]) => size >= unit * 0.9995) ?? baseOf(all, size);
  const amount = write(value / unitSize);
  const text = name === '' ? amount : `${amount} ${name}`;
  return format === 'dollars' ? (value < 0 ? `−$${text.slice(1)}` : `$${text}`) : text;
}

/** Of a value below all units: the smallest, and for 0 the one that is plainly named. */
function baseOf(all: readonly Unit[], size: number): Unit {
  const smallest = all.at(-1) ?? [1, ''];
  return size === 0 ? (all.find(([unit]) => unit === 1) ?? smallest) : smallest;
}

function trimmed(amount: number, digits: number): string {
  const text = String(Number(amount.toPrecision(digits)));
  return text.startsWith('-') ? `−${text.slice(1)}` : text;
}

function grouped(amount: number): string {
  const digits = String(Math.round(Math.abs(amount)));
  const text = digits.includes('e') ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',');
  return amount < 0 ? `−${text}` : text;
}
