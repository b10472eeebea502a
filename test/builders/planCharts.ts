/** Charts that have every kind of thing a chart may have. */
import type { BarChart, ChartPoint, DotChart, LineChart } from '../../src/core/pages/chart.js';
import type { PageTable } from '../../src/core/pages/table.js';

const table: PageTable = {
  id: 'values',
  caption: 'The same as numbers',
  columns: [
    { label: 'interval', isNumber: false },
    { label: 'trains', isNumber: true },
  ],
  rows: [
    ['5 min', '94.3 %'],
    ['1 h', '81.0 %'],
  ],
  note: '',
};

function curve(from: number, to: number, y: (x: number) => number): ChartPoint[] {
  return Array.from({ length: 120 }, (_none, index) => {
    const x = from * (to / from) ** (index / 119);
    return { x, y: y(x) };
  });
}

/** A log axis of durations, one line, two named places. */
export function intervalChart(): LineChart {
  const share = (tau: number): number => 1 / (1 + 5 / tau + (tau + 600) / 22_270);
  return {
    kind: 'lines',
    id: 'interval',
    title: 'Time that trains, by interval',
    summary: 'The share of the time that trains is highest, 94.3 %, at 5.5 minutes and falls to 81.0 % at an hour.',
    x: { label: 'interval between checkpoints', scale: 'log', domain: [30, 14_400], format: 'seconds' },
    y: { label: 'time that trains', scale: 'linear', domain: [0.6, 1], format: 'share' },
    lines: [{ label: 'trains', tone: 'line', isFilled: false, points: curve(30, 14_400, share) }],
    bands: [],
    marks: [
      { x: 330, y: share(330), label: 'every 5.5 min · 94.3 %', isMain: true },
      { x: 3600, y: share(3600), label: 'hourly 81.0 %', isMain: false },
    ],
    table,
  };
}

/** Two log axes, four bands. */
export function bandwidthChart(): LineChart {
  return {
    kind: 'lines',
    id: 'bandwidth',
    title: 'Time in which a save is being written, by bandwidth',
    summary: 'Below 17 GB/s saves pile up; from 172 GB/s on saving takes less than 10 % of the time.',
    x: { label: 'sustained write bandwidth', scale: 'log', domain: [10e9, 2e12], format: 'bytesPerSecond' },
    y: { label: '', scale: 'log', domain: [0.005, 2], format: 'share' },
    lines: [{ label: 'overlap', tone: 'line', isFilled: false, points: curve(10e9, 2e12, (x) => 17.2e9 / x) }],
    bands: [
      { label: 'saves pile up', tone: 'bad', from: 10e9, to: 17.2e9 },
      { label: 'competes with training', tone: 'warning', from: 17.2e9, to: 172e9 },
      { label: 'enough', tone: 'good', from: 172e9, to: 516e9 },
      { label: 'paid for nothing', tone: 'muted', from: 516e9, to: 2e12 },
    ],
    marks: [{ x: 172e9, y: 0.1, label: '172 GB/s · 10 %', isMain: true }],
    table,
  };
}

/** Linear axes, several lines, one of them filled, one that ends early. */
export function residentChart(): LineChart {
  const days = (count: number): number => count * 86_400;
  const lines = (rate: number, most: number, until: number): ChartPoint[] =>
    Array.from({ length: until + 1 }, (_none, day) => ({ x: days(day), y: Math.min(most, day * rate) }));
  return {
    kind: 'lines',
    id: 'resident',
    title: 'Bytes kept over the run',
    summary: 'The storage holds 136 TB after two days and stays there.',
    x: { label: 'since the run began', scale: 'linear', domain: [0, days(54)], format: 'seconds' },
    y: { label: 'bytes kept', scale: 'linear', domain: [0, 300e12], format: 'bytes' },
    lines: [
      { label: 'shared storage', tone: 'line', isFilled: true, points: lines(68e12, 136e12, 54) },
      { label: 'object store', tone: 'second', isFilled: false, points: lines(5e12, 270e12, 54) },
      { label: 'without deletion', tone: 'bad', isFilled: false, points: lines(60e12, 1e15, 20) },
      { label: 'exports', tone: 'fourth', isFilled: false, points: lines(1e12, 1e15, 54) },
    ],
    bands: [],
    marks: [],
    table,
  };
}

/** Ranges around a base. */
export function tornadoChart(): BarChart {
  const row = (label: string, low: number, high: number, from: string, to: string): BarChart['rows'][number] => ({
    label,
    parts: [
      { label: from, tone: 'third', from: low, to: 0.943 },
      { label: to, tone: 'line', from: 0.943, to: high },
    ],
  });
  return {
    kind: 'bars',
    id: 'tornado',
    title: 'What changes the share that trains most',
    summary: 'Half the time between failures costs most: 2.9 points.',
    x: { label: 'time that trains', scale: 'linear', domain: [0.9, 0.98], format: 'share' },
    rows: [
      row('Mean time between failures', 0.914, 0.963, 'half', 'double'),
      row('Restart and restore', 0.918, 0.957, 'double', 'half'),
      row('Stall of a save', 0.931, 0.951, 'double', 'half'),
      row('Interval', 0.941, 0.943, 'double', ''),
    ],
    marks: [{ label: 'the plan 94.3 %', x: 0.943 }],
    table,
  };
}

/** Stacked parts, a capacity, and a row that is almost nothing. */
export function memoryChart(): BarChart {
  const parts = (weights: number, gradients: number, optimizer: number): BarChart['rows'][number]['parts'] => [
    { label: 'weights', tone: 'line', from: 0, to: weights },
    { label: 'gradients', tone: 'second', from: weights, to: weights + gradients },
    { label: 'optimizer', tone: 'third', from: weights + gradients, to: weights + gradients + optimizer },
  ];
  return {
    kind: 'bars',
    id: 'memory',
    title: 'Memory of one GPU',
    summary: 'Only ZeRO-3 fits into 80 GB.',
    x: { label: 'bytes on one GPU', scale: 'linear', domain: [0, 130e9], format: 'bytes' },
    rows: [
      { label: 'ZeRO 1', parts: parts(16e9, 16e9, 90e9) },
      { label: 'ZeRO 2', parts: parts(16e9, 2e9, 70e9) },
      { label: 'ZeRO 3', parts: parts(2e9, 2e9, 40e9) },
      { label: 'LoRA', parts: parts(0.1e9, 0, 0.2e9) },
    ],
    marks: [
      { label: 'a GPU has 80 GB', x: 80e9 },
      { label: 'less reserve 76 GB', x: 76e9 },
    ],
    table,
  };
}

/** Two rows of single values, a median each, a limit across both. */
export function repeatsChart(): DotChart {
  const dots = (...rates: number[]): { label: string; x: number }[] =>
    rates.map((x, index) => ({ label: `repeat ${index + 1}`, x }));
  return {
    kind: 'dots',
    id: 'repeats',
    title: 'Each repeat',
    summary: 'Writes between 1.9 and 2.3 GB/s, reads between 3.1 and 3.6 GB/s.',
    x: { label: 'bytes a second', scale: 'linear', domain: [0, 4e9], format: 'bytesPerSecond' },
    rows: [
      { label: 'write', tone: 'line', dots: dots(1.9e9, 2.1e9, 2.3e9), middle: 2.1e9 },
      { label: 'read', tone: 'second', dots: dots(3.1e9, 3.4e9, 3.6e9), middle: 3.4e9 },
    ],
    marks: [{ label: 'needed', x: 0.31e9 }],
    table,
  };
}
