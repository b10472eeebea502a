/** The sentence that decides between plans. */
import type { Change, ComparedPlan, PlanComparison } from '../../planning/comparison.js';
import { systemNames } from '../../planning/systems/systemNames.js';
import { capitalized } from '../../text/capitalized.js';
import { shortDollars } from '../../text/dollars.js';
import { counted, shortRate, shortShare } from '../../text/quantities.js';
import { shortNumber } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

/** Less than this of the money or of the training is no difference. */
const leastDifference = 0.001;

/** Between what is bought for the first plan where all others are purchases, else between the two that cost least. */
export function decisionOf(comparison: PlanComparison): string {
  const { plans, best, changes } = comparison;
  const chosen = best === null ? undefined : plans[best];
  if (chosen === undefined)
    return plans.every(({ blockers }) => blockers.length > 0)
      ? 'None of these plans works as it is.'
      : 'The plans are of different models, so that their costs decide nothing.';
  const [first] = plans;
  const [one, other] = changes;
  const areBought = plans.slice(1).every(({ bought }) => bought !== null);
  return first === undefined || one === undefined || other === undefined || !areBought
    ? `${betweenTwo(plans, chosen)}${first === undefined || one === undefined ? '' : storageInGpus(first, [toldOf(plans, one)])}`
    : betweenChanges(first, toldOf(plans, one), toldOf(plans, other), betweenTwo(plans, chosen));
}

interface ToldChange extends Change {
  /** `8 more GPUs`. */
  name: string;
  /** Of what is bought, for a verb. */
  isMany: boolean;
  isStorage: boolean;
}

function toldOf(plans: readonly ComparedPlan[], change: Change): ToldChange {
  const { bought = null, name = '' } = plans[change.plan] ?? {};
  const isStorage = bought !== null && bought.what !== 'gpus';
  if (bought === null) return { ...change, name: visibleText(name), isMany: false, isStorage };
  if (bought.what === 'gpus') return { ...change, name: counted(bought.more, 'more GPU'), isMany: bought.more > 1, isStorage };
  const system = systemNames[bought.store];
  const rate = bought.what === 'store' ? '' : ` at ${shortRate(bought.bytesPerSecond)}`;
  return { ...change, name: `${system}${rate}`, isMany: false, isStorage };
}

/** @param one gives more for its money @param byTokens what decides where none gives more: the first plan may be the purchase that is too much */
function betweenChanges(first: ComparedPlan, one: ToldChange, other: ToldChange, byTokens: string): string {
  const isNone = one.gainShare < leastDifference && other.gainShare < leastDifference;
  if (isNone && (one.costPerMonth < 0 || other.costPerMonth < 0)) return byTokens;
  if (isNone)
    return `Neither ${one.name} nor ${other.name} trains ${shortShare(leastDifference)} more than ${visibleText(first.name)}: buy nothing.`;
  const gains = `${against([one.gainShare, other.gainShare], shortShare)} training`;
  const money = `for ${against([one.costPerMonth, other.costPerMonth], shortDollars)} a month`;
  const verb =
    one.gainShare >= other.gainShare
      ? one.isMany
        ? 'beat'
        : 'beats'
      : one.isMany
        ? 'give more for their money than'
        : 'gives more for its money than';
  return `${capitalized(one.name)} ${verb} ${other.name}: ${gains}, ${money}.${storageInGpus(first, [one, other])}`;
}

function storageInGpus(first: ComparedPlan, changes: readonly ToldChange[]): string {
  return changes
    .filter(({ isStorage }) => isStorage)
    .map((change) => ` ${worthInGpus(first, change)}`)
    .join('');
}

/** What storage gives and costs, in GPUs of the first plan. */
function worthInGpus({ gpus, gpusPerMonth }: ComparedPlan, { name, gainShare, costPerMonth }: ToldChange): string {
  const worth = Math.max(0, gainShare) * gpus;
  const given = `${capitalized(name)} is worth ${worth < 0.1 ? 'less than 0.1' : shortNumber(worth, 2)} GPUs`;
  return costPerMonth > 0 && gpusPerMonth > 0
    ? `${given} and costs as much as ${shortNumber((costPerMonth * gpus) / gpusPerMonth, 2)}.`
    : `${given}.`;
}

function betweenTwo(plans: readonly ComparedPlan[], chosen: ComparedPlan): string {
  const [first] = plans
    .filter((plan) => plan !== chosen && plan.blockers.length === 0)
    .sort((a, b) => a.perBillionTokens - b.perBillionTokens);
  const name = visibleText(chosen.name);
  if (first === undefined) return `${name} is the only one that works.`;
  const saved = 1 - chosen.perBillionTokens / first.perBillionTokens;
  if (saved < leastDifference)
    return `${name} and ${visibleText(first.name)} train a token for the same money, to ${shortShare(leastDifference)}; ${gain(chosen, first)}.`;
  return `${name} is the better buy: ${shortShare(saved)} less for a token than ${visibleText(first.name)}; ${gain(chosen, first)}.`;
}

/** Which of the two trains more. */
function gain(chosen: ComparedPlan, other: ComparedPlan): string {
  const factor = chosen.tokensPerSecond / other.tokensPerSecond - 1;
  if (Math.abs(factor) < leastDifference) return 'both train as much';
  const [most, share] = factor > 0 ? [chosen, factor] : [other, 1 / (1 + factor) - 1];
  return `${visibleText(most.name)} trains ${shortShare(share)} more`;
}

/** `12.4 % against 0.2 % more`, `12.4 % more against 0.2 % less`. */
function against([one, other]: readonly [number, number], words: (amount: number) => string): string {
  const [first, second] = [words(Math.abs(one)), words(Math.abs(other))];
  const direction = (amount: number): string => (amount < 0 ? 'less' : 'more');
  const isSame = one < 0 === other < 0;
  return `${first}${isSame ? '' : ` ${direction(one)}`} against ${second} ${direction(other)}`;
}
