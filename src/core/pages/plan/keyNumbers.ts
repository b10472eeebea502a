/** The three numbers of a plan: what trains, what the storage is worth, what room it takes. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import { shareOfJob } from '../../planning/inputs/sharedStorage.js';
import { slowestSold } from '../../planning/money/storageMoney.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { shortDollars } from '../../text/dollars.js';
import { listed, percentsThatSum, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatCount, shortNumber } from '../../text/units.js';
import type { Statement, StatementKind } from '../statement.js';
import { comesWithRoom } from './bandwidthWords.js';
import { levelName } from './levelWords.js';
import type { KeyNumber, PlanSection } from './planSection.js';
import { quotaStatements } from './sections/quotaWords.js';
import { bandwidthKeys, failureKeys, intervalKeys, sizeKeys, statementKind } from './statementKind.js';

/** @param sections of which the numbers are the answers @param nowMs when the run begins; null without a clock */
export function keyNumbers(
  plan: StoragePlan,
  document: PlanDocument,
  sections: readonly PlanSection[],
  nowMs: number | null,
): KeyNumber[] {
  const kind = statementKind(document, [...sizeKeys(plan), ...failureKeys(plan), ...intervalKeys(plan)]);
  return [goodput(plan, kind), money(plan, document), room(plan, document, sections, nowMs)];
}

function goodput(plan: StoragePlan, kind: StatementKind): KeyNumber {
  const { better, wanted } = plan.recommendation;
  const text =
    better === null
      ? `of the time trains; ${lostWords(plan)}`
      : `of the time trains, saving every ${shortTime(wanted.intervalSeconds)}; ${asGiven(plan)}`;
  return { id: 'goodput', section: 'sensitivity', amount: shortShare(wanted.trainingShare), text, kind };
}

function asGiven({ inputs, save, sensitivity }: StoragePlan): string {
  const given = `every ${shortTime(save.intervalSeconds)}`;
  return save.region === 'impossible' && inputs.saveMode === 'asynchronous'
    ? `${given} they pile up`
    : `${given} it is ${shortShare(1 - sensitivity.lostShare)}`;
}

/** Less has no digit beside percentages with one decimal. */
const leastPart = 0.0005;

/** Less that is lost is not divided. */
export const leastLostShare = 0.001;

/** `lost: 0.57 % saving and repeated work, …`. */
function lostWords({ recommendation }: StoragePlan): string {
  const { savingAndRepeatedShare, restartingShare, lateCopiesShare } = recommendation;
  const all = savingAndRepeatedShare + restartingShare + lateCopiesShare;
  if (all < leastLostShare) return `${shortShare(all)} is lost to saving, repeated work and restarting`;
  return `lost: ${listed(lostParts(recommendation).map(({ name, words }) => `${words} ${name}`))}`;
}

/** What the time that is lost goes to, as a reader adds it up: `0.57 %`. */
export function lostParts({
  savingAndRepeatedShare,
  restartingShare,
  lateCopiesShare,
}: StoragePlan['recommendation']): { name: string; words: string }[] {
  const parts = [
    { share: savingAndRepeatedShare, name: 'saving and repeated work' },
    { share: restartingShare, name: 'restarting' },
    { share: lateCopiesShare, name: 'copies that are late' },
  ].filter(({ share }) => share >= leastPart || share === savingAndRepeatedShare);
  const all = parts.reduce((sum, { share }) => sum + share, 0);
  const percents = percentsThatSum(parts.map(({ share }) => share));
  return parts.map(({ share, name }, index) => ({ name, words: all < 0.02 ? shortShare(share) : `${percents[index] ?? '0'} %` }));
}

function money(plan: StoragePlan, document: PlanDocument): KeyNumber {
  const kind = statementKind(document, [...sizeKeys(plan), ...bandwidthKeys(plan)]);
  return { id: 'storage', section: 'frontier', ...moneyWords(plan, statementKind(document, bandwidthKeys(plan))), kind };
}

/**
 * What the bandwidth costs, in dollars and in GPUs; of what is there, whether more would pay.
 * @param rateKind of the bandwidth alone
 */
function moneyWords(plan: StoragePlan, rateKind: StatementKind): Pick<KeyNumber, 'amount' | 'text'> {
  const { save, frontier, recommendation } = plan;
  const { planned } = frontier;
  const rate = `for ${shortRate(planned.bytesPerSecond)} of ${levelName('shared-store', plan)}`;
  if (planned.storagePerMonth === 0)
    return {
      amount: '$0 more',
      text: `${rate}, ${whence(plan, rateKind)}${save.bandwidthBasis === 'limit' || plan.blockers.length > 0 ? '' : `; ${twiceWords(plan)}`}`,
    };
  const isSlowest = save.bandwidthBasis === 'pays' && save.writeBytesPerSecond <= slowestSold;
  const gain = `twice as much gains ${shortShare(recommendation.twiceTheBandwidth.gainShare)} goodput`;
  return {
    amount: `${shortDollars(planned.storagePerMonth)} a month`,
    text: `${rate}${isSlowest ? ', a line of 1 Gb/s, which is enough' : ''}, ${gpusWords(plan)}; ${gain}${unusedPurchase(plan)}`,
  };
}

/** What was paid says nothing of a GB/s until it is known how many there are. */
function unusedPurchase({ inputs }: StoragePlan): string {
  const isUnused = inputs.storeCapitalDollars !== null && inputs.writeBytesPerSecond === null;
  return isUnused
    ? `; enter what the ${shortDollars(inputs.storeCapitalDollars ?? 0)} bought of bandwidth to count with that`
    : '';
}

/** Where a bandwidth comes from that costs nothing more. */
function whence(plan: StoragePlan, kind: StatementKind): string {
  const { inputs, save } = plan;
  const { bandwidthBasis, writeBytesPerSecond } = save;
  const given = inputs.writeBytesPerSecond;
  if (bandwidthBasis === 'nodes' && given !== null)
    return `all that the nodes carry of the ${shortRate(shareOfJob(given, inputs))} that are there`;
  if (bandwidthBasis === 'limit') return 'the most that one account or file system takes';
  if (comesWithRoom(plan)) return 'which come with your room';
  if (kind === 'assumed') return 'as is assumed';
  return inputs.jobs === 1 || bandwidthBasis !== 'given'
    ? 'which is there'
    : `this job’s share of the ${shortRate(writeBytesPerSecond * inputs.jobs)} that are there`;
}

/** Less of a GPU needs no digits. */
const leastWorthGpus = 0.1;

/** `the price of 1.3 of 512 GPUs`. */
export function gpusWords({ frontier, inputs }: Pick<StoragePlan, 'frontier' | 'inputs'>): string {
  const { worthGpus } = frontier;
  return `the price of ${worthGpus < leastWorthGpus ? `less than ${leastWorthGpus}` : shortNumber(worthGpus, 2)} of ${formatCount(inputs.gpus)} GPUs`;
}

/** Less of the time is not worth a digit. */
const leastGainShare = 0.0005;

function twiceWords({ recommendation, frontier, save }: StoragePlan): string {
  const { gainShare, gainPerMonth, costPerMonth } = recommendation.twiceTheBandwidth;
  if (frontier.twice.bytesPerSecond === frontier.planned.bytesPerSecond) return noneFaster(save.bandwidthBasis);
  if (gainShare < leastGainShare) return 'more would gain next to nothing';
  const gain = `twice as much gains ${shortShare(gainShare)} goodput, ${shortDollars(gainPerMonth)} of GPU time a month`;
  if (!frontier.isPriced) return `${gain}, at a price that is not known`;
  return costPerMonth === 0 ? gain : `${gain}, for ${shortDollars(costPerMonth)}`;
}

/** Why twice the bandwidth is not compared. */
export function noneFaster(basis: StoragePlan['save']['bandwidthBasis']): string {
  if (basis === 'nodes') return 'the nodes carry no more';
  if (basis === 'limit') return 'one account or file system takes no more';
  return basis === 'objects' ? 'more is not counted on' : 'twice as much is not enough either, or more than the nodes carry';
}

/** As the section about room answers; of room that is given what stays free of it, or when it is full. */
function room(plan: StoragePlan, document: PlanDocument, sections: readonly PlanSection[], nowMs: number | null): KeyNumber {
  const isGiven = plan.inputs.storeCapacityBytes !== null && plan.quota !== null;
  const section = isGiven ? 'retention' : 'tiers';
  const statement: Statement | undefined = isGiven
    ? quotaStatements(plan.advised ?? plan, document, nowMs)[0]
    : sections.find(({ id }) => id === section)?.lead;
  return {
    id: 'room',
    section,
    amount: statement?.amount ?? '',
    text: statement?.text ?? '',
    kind: statement?.kind ?? 'assumed',
  };
}
