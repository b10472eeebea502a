/** What storage is worth in GPU time, by its bandwidth: the plan’s own, and what slower and faster storage would train and cost. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { bandwidthPricePerMonth } from '../../../planning/money/bandwidthPrice.js';
import { slowestSold } from '../../../planning/money/storageMoney.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { shortDollars } from '../../../text/dollars.js';
import { counted, shortPower, shortRate, shortShare } from '../../../text/quantities.js';
import { formatCount, shortNumber } from '../../../text/units.js';
import type { Statement } from '../../statement.js';
import { gpusWords } from '../keyNumbers.js';
import { levelName } from '../levelWords.js';
import type { PlanSection } from '../planSection.js';
import { reasonWords } from '../reasonWords.js';
import { bandwidthKeys, intervalKeys, sizeKeys, statementKind } from '../statementKind.js';
import { frontierCurve } from './frontierCurve.js';
import { frontierTable } from './frontierTable.js';

export function frontierSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'frontier',
    title: 'Storage against GPU time',
    lead: plan.save.bandwidthBasis === 'pays' ? whatPays(plan, document) : whatThereIs(plan, document),
    more: power(plan, document),
    charts: plan.frontier.points.length < 2 ? [] : [frontierCurve(plan)],
    tables: [frontierTable(plan)],
    notes: reasonWords(plan),
  };
}

/** No share of the time is right by itself: what is lost costs GPU time, and what shortens it costs storage. */
function whatPays(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save, frontier } = plan;
  const { planned, twice, gpusPerMonth } = frontier;
  const rate = save.writeBytesPerSecond;
  return {
    amount: shortRate(rate),
    text:
      rate <= slowestSold
        ? 'is a line of 1 Gb/s: any shared storage is fast enough'
        : 'is worth its money: beyond it a dollar of storage saves less than a dollar of GPU time',
    detail: `${shortDollars(planned.storagePerMonth)} a month, ${gpusWords(plan)}, which cost ${shortDollars(gpusPerMonth)}. ${shortShare(planned.trainingShare)} of the time trains, at twice the bandwidth ${shortShare(twice.trainingShare)}.`,
    kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan)]),
    derivation: {
      formula: 'least of GPUs × price × (lost share at B) + B × price of bandwidth, with the best interval for each B',
      steps: [
        `${formatCount(inputs.gpus)} GPUs × $${shortNumber(inputs.gpuPricePerHour)} an hour = ${shortDollars(gpusPerMonth)} a month`,
        `bandwidth: $${shortNumber(bandwidthPricePerMonth(inputs))} a month for a GB/s; no less than ${shortRate(slowestSold)} is paid for`,
        `least at ${shortRate(rate)}: ${shortDollars(planned.lostPerMonth)} of GPU time and ${shortDollars(planned.storagePerMonth)} of storage a month`,
      ],
      source: 'Daly’s cost model; prices as given or listed (see the tiers)',
    },
  };
}

/** Of storage that is there the bandwidth is no choice. */
function whatThereIs(plan: StoragePlan, document: PlanDocument): Statement {
  const { save, frontier, recommendation } = plan;
  const { planned, cheaper } = frontier;
  const { gainShare } = recommendation.twiceTheBandwidth;
  const other =
    cheaper === null
      ? `is what ${levelName('shared-store', plan)} gives: twice as much gains ${shortShare(gainShare)} goodput`
      : `of ${levelName('shared-store', plan)} is not what costs least: ${shortRate(cheaper.bytesPerSecond)} is`;
  return {
    amount: shortRate(save.writeBytesPerSecond),
    text: other,
    detail:
      planned.storagePerMonth > 0
        ? `${shortDollars(planned.storagePerMonth)} a month, ${gpusWords(plan)}. ${shortShare(planned.trainingShare)} of the time trains.`
        : `It costs nothing more. ${shortShare(planned.trainingShare)} of the time trains; the rest is ${shortDollars(planned.lostPerMonth)} of GPU time a month.`,
    kind: statementKind(document, [...sizeKeys(plan), ...bandwidthKeys(plan)]),
    derivation: null,
  };
}

/** What draws more leaves less for GPUs. */
function power({ frontier, inputs }: StoragePlan, document: PlanDocument): Statement[] {
  const { planned, gpuWatts, worthGpusByPower } = frontier;
  if (planned.storageWatts === null) return [];
  const gpus = gpuWatts === null || worthGpusByPower === null ? null : { gpuWatts, worthGpusByPower };
  return [
    {
      amount: shortPower(planned.storageWatts),
      text: `is what the storage draws${gpus === null ? '' : `, as much as ${shortNumber(gpus.worthGpusByPower)} of the ${counted(inputs.gpus, 'GPU')}`}`,
      detail: gpus === null ? 'Name the GPU to compare.' : `The GPUs draw ${shortPower(gpus.gpuWatts)}.`,
      kind: statementKind(document, ['storageWattsPerGBps', 'storageWattsPerTB']),
      derivation: {
        formula: 'W for a GB/s × B + W for a TB × what lies there at most',
        steps: [],
        source: 'as given; no vendor publishes it for all loads',
      },
    },
  ];
}
