/** The share of the time that trains, by the interval between two saves. */
import { goodput } from '../../../planning/saving/interval.js';
import type { IntervalAndShare, IntervalStudy } from '../../../planning/saving/intervalStudy.js';
import { extentOf, logSpaced } from '../../../planning/saving/samples.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortShare, shortTime } from '../../../text/quantities.js';
import type { LineChart } from '../../chart.js';
import type { PageTable } from '../../table.js';

/** An interval that the curve names. */
interface NamedInterval extends IntervalAndShare {
  label: string;
}

/** Intervals that are this many times apart from the best are not drawn. */
const farthestFactor = 300;

export function intervalCurve({ save, study }: StoragePlan): LineChart {
  const { costs, best } = study;
  const others = namedIntervals(study, save.intervalBasis === 'given');
  const [nearest, farthest] = extentOf([best, ...others].map(({ intervalSeconds }) => intervalSeconds));
  const domain: [number, number] = [
    Math.min(best.intervalSeconds / 12, nearest / 1.5),
    Math.max(best.intervalSeconds * 40, farthest * 1.5),
  ];
  const [worst] = extentOf([best, ...others].map((mark) => mark.goodput));
  const least = Math.max(0, Math.floor(worst * 10 - 1) / 10);
  const points = logSpaced(domain[0], domain[1], 160).map((interval) => ({ x: interval, y: goodput(interval, costs) }));
  return {
    kind: 'lines',
    id: 'interval-curve',
    title: 'Time that trains, by the interval',
    summary: `The share of the time that trains is greatest, ${shortShare(best.goodput)}, when saving every ${shortTime(best.intervalSeconds)}, and falls on both sides.`,
    x: { label: 'interval between checkpoints', scale: 'log', domain, format: 'seconds' },
    y: { label: 'time that trains', scale: 'linear', domain: [least, 1], format: 'share' },
    lines: [{ label: 'time that trains', tone: 'line', isFilled: false, points: points.filter(({ y }) => y >= least) }],
    bands:
      save.leastIntervalSeconds <= domain[0]
        ? []
        : [{ label: 'saves pile up', tone: 'bad', from: domain[0], to: Math.min(domain[1], save.leastIntervalSeconds) }],
    marks: [
      { ...placeOf({ ...best, label: `every ${shortTime(best.intervalSeconds)}` }), isMain: true },
      ...others.map((mark) => ({ ...placeOf(mark), isMain: false })),
    ],
    table: curveTable(study, save.leastIntervalSeconds),
  };
}

function placeOf({ intervalSeconds, goodput: share, label }: NamedInterval): { x: number; y: number; label: string } {
  return { x: intervalSeconds, y: share, label: `${label} · ${shortShare(share)}` };
}

/** Hourly, and the given interval, where no other one has their place. */
function namedIntervals({ best, planned, hourly }: IntervalStudy, isGiven: boolean): NamedInterval[] {
  const isHourly = planned.intervalSeconds === hourly?.intervalSeconds;
  const named = [
    ...(hourly === null ? [] : [{ ...hourly, label: 'hourly' }]),
    ...(isGiven && !isHourly ? [{ ...planned, label: `planned, ${shortTime(planned.intervalSeconds)}` }] : []),
  ];
  return named.filter(({ intervalSeconds }) => {
    const factor = intervalSeconds / best.intervalSeconds;
    return factor !== 1 && factor < farthestFactor && factor > 1 / farthestFactor;
  });
}

function curveTable({ best, costs }: IntervalStudy, leastSeconds: number): PageTable {
  const intervals = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32].map((factor) => best.intervalSeconds * factor);
  const rows = intervals
    .filter((interval) => interval >= leastSeconds)
    .map((interval) => {
      return [shortTime(interval), shortShare(goodput(interval, costs)), shortShare(costs.stallSeconds / interval)];
    });
  return {
    id: 'interval-curve',
    caption: 'Time that trains, by the interval',
    columns: [
      { label: 'interval', isNumber: true },
      { label: 'time that trains', isNumber: true },
      { label: 'stall, of the interval', isNumber: true },
    ],
    rows,
    note: '',
  };
}
