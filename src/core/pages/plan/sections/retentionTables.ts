/** What stays over a run and what it costs, as a curve and in tables. */
import type { PlaceCost } from '../../../planning/keeping/cost.js';
import type { PlaceId } from '../../../planning/keeping/retention.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { formatBytes, formatCount } from '../../../text/units.js';
import { shortDollars } from '../../../text/dollars.js';
import { ordinal } from '../../../text/ordinal.js';
import { counted, listed, shortTime } from '../../../text/quantities.js';
import type { LineChart } from '../../chart.js';
import type { PageTable } from '../../table.js';

export const placeNames: Readonly<Record<PlaceId, string>> = {
  store: 'shared storage',
  object: 'object store',
  region: 'second region',
};

export function curve({ retention, inputs }: StoragePlan): LineChart {
  const { points, residentBytes } = retention;
  const all = points.map(({ seconds: x, latestBytes, objectLatestBytes, foreverBytes, exportBytes }) => ({
    x,
    y: latestBytes + objectLatestBytes + foreverBytes + exportBytes,
  }));
  const part = (label: string, tone: 'second' | 'third' | 'fourth', bytesOf: (point: (typeof points)[number]) => number) => ({
    label,
    tone,
    isFilled: false,
    points: points.map((point) => ({ x: point.seconds, y: bytesOf(point) })),
  });
  const end = all.at(-1) ?? { x: 0, y: 0 };
  const lines = [
    { label: 'all', tone: 'line' as const, isFilled: true, points: all },
    part('newest', 'second', ({ latestBytes, objectLatestBytes }) => latestBytes + objectLatestBytes),
    part('for ever, all copies', 'third', ({ foreverBytes }) => foreverBytes),
    part('exported weights, all copies', 'fourth', ({ exportBytes }) => exportBytes),
  ].filter(({ points: own }) => own.some(({ y }) => y > 0));
  return {
    kind: 'lines',
    id: 'resident-bytes',
    title: 'Bytes on storage over the run',
    summary: `${formatBytes(residentBytes)} lie on storage at the end, after ${counted(retention.saves, 'save')}.`,
    x: { label: 'time since the beginning', scale: 'linear', domain: [0, inputs.runSeconds], format: 'seconds' },
    y: { label: 'bytes on storage', scale: 'linear', domain: [0, Math.max(1, highest(all)) * 1.1], format: 'bytes' },
    lines,
    bands: [],
    marks: [{ ...end, label: formatBytes(end.y), isMain: true }],
    table: curveTable(retention.points),
  };
}

function highest(points: readonly { y: number }[]): number {
  return points.reduce((most, { y }) => Math.max(most, y), 0);
}

/** Rows of a table that reads well: eleven of the points. */
function curveTable(points: StoragePlan['retention']['points']): PageTable {
  const rows = Math.min(points.length, 11);
  return {
    id: 'resident-bytes',
    caption: 'Bytes on storage over the run',
    columns: [
      { label: 'after', isNumber: true },
      { label: 'newest', isNumber: true },
      { label: 'for ever', isNumber: true },
      { label: 'exports', isNumber: true },
    ],
    rows: Array.from({ length: rows }, (_, index) => {
      const point = points[rows < 2 ? 0 : Math.round((index * (points.length - 1)) / (rows - 1))];
      return point === undefined
        ? ['', '', '', '']
        : [
            shortTime(point.seconds),
            formatBytes(point.latestBytes + point.objectLatestBytes),
            formatBytes(point.foreverBytes),
            formatBytes(point.exportBytes),
          ];
    }),
    note: 'All copies. One save more is there while it is written.',
  };
}

export function keptTable({ retention, inputs, size }: StoragePlan): PageTable {
  const rows = retention.places.map(({ place, count, bytes, peakBytes, objects }) => [
    placeNames[place],
    formatCount(count.latest),
    formatCount(count.forever),
    formatCount(count.exports),
    formatBytes(bytes),
    formatBytes(peakBytes),
    formatCount(objects),
  ]);
  const policy = [
    `the last ${formatCount(inputs.keepLast)}`,
    ...(inputs.keepEvery > 0 ? [`every ${ordinal(inputs.keepEvery)} for ever`] : []),
    ...(inputs.milestones > 0 ? [counted(inputs.milestones, 'milestone')] : []),
    ...(inputs.legalHolds > 0 ? [`${formatCount(inputs.legalHolds)} under legal hold`] : []),
    ...(inputs.exportEvery > 0 ? [`the weights of every ${ordinal(inputs.exportEvery)}`] : []),
  ];
  return {
    id: 'kept',
    caption: 'What stays where at the end',
    columns: [
      { label: 'place', isNumber: false },
      { label: 'newest', isNumber: true },
      { label: 'for ever', isNumber: true },
      { label: 'exports', isNumber: true },
      { label: 'bytes', isNumber: true },
      { label: 'at most', isNumber: true },
      { label: 'files', isNumber: true },
    ],
    rows,
    note: `Policy: ${listed(policy)}. A full checkpoint takes ${formatBytes(size.checkpointBytes)}, an export ${formatBytes(retention.exportBytes)}.`,
  };
}

export function costTable({ cost }: StoragePlan): PageTable {
  return {
    id: 'costs',
    caption: 'What it costs',
    columns: [
      { label: 'place', isNumber: false },
      { label: 'system', isNumber: false },
      { label: 'paid for', isNumber: true },
      { label: 'a month', isNumber: true },
      { label: 'stored, run', isNumber: true },
      { label: 'requests, run', isNumber: true },
      { label: 'egress, run', isNumber: true },
      { label: 'together, run', isNumber: true },
      { label: 'price', isNumber: false },
    ],
    rows: [
      ...cost.places.map((row) => [
        placeNames[row.place],
        row.system.name,
        formatBytes(row.paidBytes),
        shortDollars(row.perMonth),
        shortDollars(row.storedForRun),
        shortDollars(row.requestsForRun),
        shortDollars(row.egressForRun),
        shortDollars(togetherForRun(row)),
        priceWords(row),
      ]),
      ['all that is known', '', '', shortDollars(cost.perMonth), '', '', '', shortDollars(cost.forRun), ''],
    ],
    note: '– is a price that is not known, and is in no sum. Prices are inputs: enter yours.',
  };
}

/** Null where a price is missing. */
function togetherForRun({ storedForRun, requestsForRun, egressForRun }: PlaceCost): number | null {
  if (storedForRun === null || requestsForRun === null || egressForRun === null) return null;
  return storedForRun + requestsForRun + egressForRun;
}

function priceWords({ priceBasis, priceDate }: PlaceCost): string {
  if (priceBasis === 'missing') return 'not known';
  return priceBasis === 'given' ? 'as given' : `list, ${priceDate ?? ''}`;
}
