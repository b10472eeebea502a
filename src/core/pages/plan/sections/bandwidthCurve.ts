/** The share of the time that a save is under way, by bandwidth: too slow, good, and paid for nothing. */
import { overlapOf, wastedFactor } from '../../../planning/saving/demand.js';
import { logSpaced } from '../../../planning/saving/samples.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { ChartTone, LineChart } from '../../chart.js';
import type { PageTable } from '../../table.js';

export function bandwidthCurve(plan: StoragePlan): LineChart {
  const { save, inputs } = plan;
  const needed = save.demand.requiredBytesPerSecond;
  const domain = domainOf(plan);
  const overlapAt = overlapBy(plan);
  return {
    kind: 'lines',
    id: 'bandwidth-curve',
    title: 'Time that a save is under way, by bandwidth',
    summary: summaryOf(plan),
    x: { label: 'sustained write bandwidth', scale: 'log', domain, format: 'bytesPerSecond' },
    y: {
      label: 'overlap: share of the time',
      scale: 'log',
      domain: [overlapAt(domain[1]) / 1.5, overlapAt(domain[0]) * 1.2],
      format: 'share',
    },
    lines: [
      {
        label: 'overlap',
        tone: 'line',
        isFilled: false,
        points: logSpaced(domain[0], domain[1], 60).map((rate) => ({ x: rate, y: overlapAt(rate) })),
      },
    ],
    bands: bandsOf(plan, domain),
    marks: [
      { x: needed, y: inputs.overlapTarget, label: `${shortRate(needed)} · ${shortShare(inputs.overlapTarget)}`, isMain: true },
      ...ownMark(plan),
    ],
    table: curveTable(plan, domain),
  };
}

function overlapBy({ size, save }: StoragePlan): (rate: number) => number {
  return (rate) => overlapOf(size.checkpointBytes, save.intervalSeconds, rate);
}

/** Whether the plan's own bandwidth is given, and near enough to be drawn. */
function isOwnShown({ save }: StoragePlan): boolean {
  const { requiredBytesPerSecond: needed, leastBytesPerSecond: least } = save.demand;
  return save.bandwidthBasis === 'given' && save.writeBytesPerSecond > least / 1000 && save.writeBytesPerSecond < needed * 1000;
}

function domainOf(plan: StoragePlan): [number, number] {
  const { requiredBytesPerSecond: needed, leastBytesPerSecond: least } = plan.save.demand;
  const own = plan.save.writeBytesPerSecond;
  const isShown = isOwnShown(plan);
  return [Math.min(least * 0.6, isShown ? own / 1.5 : least), Math.max(needed * 11, isShown ? own * 1.5 : needed)];
}

function ownMark(plan: StoragePlan): LineChart['marks'] {
  const { writeBytesPerSecond: x, overlap: y } = plan.save;
  return isOwnShown(plan) ? [{ x, y, label: `planned ${shortRate(x)} · ${shortShare(y)}`, isMain: false }] : [];
}

function summaryOf({ save, inputs }: StoragePlan): string {
  const { requiredBytesPerSecond: needed, leastBytesPerSecond: least } = save.demand;
  if (inputs.saveMode === 'synchronous')
    return `Below ${shortRate(least)} training waits longer than it trains, from ${shortRate(needed)} on it waits for less than ${shortShare(inputs.overlapTarget)} of an interval.`;
  return `Below ${shortRate(least)} saves pile up, up to ${shortRate(needed)} they compete with training, up to ${shortRate(needed * wastedFactor)} is enough, and more is paid for nothing.`;
}

interface Region {
  label: string;
  tone: ChartTone;
  to: number;
}

function regionsOf({ save, inputs }: StoragePlan, most: number): Region[] {
  const { requiredBytesPerSecond: needed, leastBytesPerSecond: least } = save.demand;
  const isWaiting = inputs.saveMode === 'synchronous';
  return [
    { label: isWaiting ? 'saves longer than training' : 'saves pile up', tone: 'bad', to: least },
    { label: isWaiting ? 'training waits too long' : 'competes with training', tone: 'warning', to: needed },
    { label: 'enough', tone: 'good', to: needed * wastedFactor },
    { label: isWaiting ? 'more than the goal asks for' : 'paid for nothing', tone: 'muted', to: most },
  ];
}

function bandsOf(plan: StoragePlan, [least, most]: [number, number]): LineChart['bands'] {
  let from = least;
  return regionsOf(plan, most).flatMap(({ label, tone, to }) => {
    const band = { label, tone, from, to };
    if (to <= from) return [];
    from = to;
    return [band];
  });
}

function curveTable(plan: StoragePlan, [least, most]: [number, number]): PageTable {
  const overlapAt = overlapBy(plan);
  const regions = regionsOf(plan, Infinity);
  const rows = logSpaced(least, most, 12).map((rate) => [
    shortRate(rate),
    shortShare(overlapAt(rate)),
    shortTime(overlapAt(rate) * plan.save.intervalSeconds),
    regions.find(({ to }) => rate < to)?.label ?? '',
  ]);
  return {
    id: 'bandwidth-curve',
    caption: 'Time that a save is under way, by bandwidth',
    columns: [
      { label: 'bandwidth', isNumber: true },
      { label: 'overlap', isNumber: true },
      { label: 'a save takes', isNumber: true },
      { label: 'which is', isNumber: false },
    ],
    rows,
    note: '',
  };
}
