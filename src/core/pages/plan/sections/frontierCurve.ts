/** What trains, by the bandwidth of the storage. */
import { costOfPoint } from '../../../planning/saving/frontier.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortDollars } from '../../../text/dollars.js';
import { shortRate, shortShare } from '../../../text/quantities.js';
import type { LineChart } from '../../chart.js';

/** @param plan with two points at least */
export function frontierCurve(plan: StoragePlan): LineChart {
  const { points, planned, cheaper } = plan.frontier;
  const named = points.filter(
    (point, index) => point === planned || point === cheaper || index === 0 || index === points.length - 1,
  );
  const shares = points.map(({ trainingShare }) => trainingShare);
  const [least, most] = boundsOf(shares);
  const room = Math.max(0.001, (most - least) * 0.25);
  const [slowest, fastest] = boundsOf(points.map(({ bytesPerSecond }) => bytesPerSecond));
  return {
    kind: 'lines',
    id: 'frontier',
    title: 'Goodput by bandwidth',
    summary: `${shortShare(planned.trainingShare)} of the time trains at ${shortRate(planned.bytesPerSecond)}, the plan’s bandwidth; between ${shortRate(slowest)} and ${shortRate(fastest)} it is ${shortShare(least)} to ${shortShare(most)}.`,
    x: {
      label: 'sustained write bandwidth',
      scale: 'log',
      domain: [slowest / 1.3, fastest * 1.3],
      format: 'bytesPerSecond',
    },
    y: {
      label: 'time that trains',
      scale: 'linear',
      domain: [Math.max(0, least - room), Math.min(1, most + room)],
      format: 'share',
    },
    lines: [
      {
        label: 'goodput',
        tone: 'line',
        isFilled: false,
        points: points.map(({ bytesPerSecond: x, trainingShare: y }) => ({ x, y })),
      },
    ],
    bands: [],
    marks: named.map((point) => ({
      x: point.bytesPerSecond,
      y: point.trainingShare,
      label: `${shortRate(point.bytesPerSecond)} · ${shortDollars(costOfPoint(point))} a month with lost GPU time`,
      isMain: point === planned,
    })),
    table: {
      id: 'frontier',
      caption: 'Goodput by bandwidth',
      columns: [
        { label: 'bandwidth', isNumber: true },
        { label: 'time that trains', isNumber: true },
      ],
      rows: points.map(({ bytesPerSecond, trainingShare }) => [shortRate(bytesPerSecond), shortShare(trainingShare)]),
      note: '',
    },
  };
}

function boundsOf(values: readonly number[]): [number, number] {
  return [
    values.reduce((least, value) => Math.min(least, value), Infinity),
    values.reduce((most, value) => Math.max(most, value), -Infinity),
  ];
}
