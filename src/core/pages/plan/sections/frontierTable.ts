/** What GPU time and storage cost together, by bandwidth. */
import { costOfPoint } from '../../../planning/saving/frontier.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortDollars } from '../../../text/dollars.js';
import { shortNumber } from '../../../text/units.js';
import { shortPower, shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';

const caption = 'Storage against GPU time, in US dollars a month, by bandwidth';

export function frontierTable({ frontier, save, inputs, recommendation }: StoragePlan): PageTable {
  const { points, planned, cheaper } = frontier;
  const hasPower = planned.storageWatts !== null;
  return {
    id: 'bandwidth-frontier',
    caption,
    columns: [
      { label: 'bandwidth', isNumber: true },
      { label: 'saves every', isNumber: true },
      { label: 'goodput', isNumber: true },
      { label: 'GPU time lost', isNumber: true },
      { label: 'storage', isNumber: true },
      { label: 'both', isNumber: true },
      ...(hasPower ? [{ label: 'its power', isNumber: true }] : []),
      { label: '', isNumber: false },
    ],
    rows: points.map((point) => [
      shortRate(point.bytesPerSecond),
      shortTime(point.intervalSeconds),
      shortShare(point.trainingShare),
      shortDollars(point.lostPerMonth),
      shortDollars(point.storagePerMonth),
      shortDollars(costOfPoint(point)),
      ...(point.storageWatts === null ? [] : [shortPower(point.storageWatts)]),
      point === planned ? 'this plan' : point === cheaper ? 'costs least' : '',
    ]),
    note: `${save.intervalBasis === 'given' && recommendation.better === null ? 'With the interval as given' : 'Each with the interval that is best under it'}; a GPU at $${shortNumber(inputs.gpuPricePerHour)} an hour.`,
  };
}
