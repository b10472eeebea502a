/** What GPU time and storage cost together, by bandwidth. */
import type { FrontierPoint } from '../../../planning/saving/frontier.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortDollars } from '../../../text/dollars.js';
import { shortPower, shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';

const caption = 'Storage against GPU time, by bandwidth';

export function frontierTable({ frontier, save, inputs }: StoragePlan): PageTable {
  const { points, planned } = frontier;
  const hasPower = planned.storageWatts !== null;
  return {
    id: 'bandwidth-frontier',
    caption,
    columns: [
      { label: 'bandwidth', isNumber: true },
      { label: 'saves every', isNumber: true },
      { label: 'time that trains', isNumber: true },
      { label: 'GPU time lost, a month', isNumber: true },
      { label: 'bandwidth, a month', isNumber: true },
      { label: 'both', isNumber: true },
      ...(hasPower ? [{ label: 'power of the storage', isNumber: true }] : []),
      { label: '', isNumber: false },
    ],
    rows: points.map((point) => [
      shortRate(point.bytesPerSecond),
      shortTime(point.intervalSeconds),
      shortShare(point.trainingShare),
      shortDollars(point.lostPerMonth),
      shortDollars(point.storagePerMonth),
      shortDollars(costOf(point)),
      ...(point.storageWatts === null ? [] : [shortPower(point.storageWatts)]),
      point.bytesPerSecond === planned.bytesPerSecond ? 'this plan' : '',
    ]),
    note: `${save.intervalBasis === 'given' ? 'With the interval as given' : 'Each with the interval that is best under it'}; a GPU at $${inputs.gpuPricePerHour} an hour.`,
  };
}

function costOf({ lostPerMonth, storagePerMonth }: FrontierPoint): number {
  return lostPerMonth + storagePerMonth;
}
