/** Plans side by side in words: a table with a column for each, and a sentence that decides. */
import { comparePlans, type ComparedPlan, type PlanComparison } from '../../planning/comparison.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { shortDollars } from '../../text/dollars.js';
import { toJson } from '../../text/json.js';
import { counted, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { PageTable } from '../table.js';

/** Less than this of the money or of the training is no difference. */
const leastDifference = 0.001;

export interface NamedPlan {
  name: string;
  plan: StoragePlan;
}

/** A table with a column for each plan, and the sentence that decides. */
export interface ComparisonPage {
  decision: string;
  table: PageTable;
}

export function comparisonPage(plans: readonly NamedPlan[]): ComparisonPage {
  const comparison = comparePlans(plans);
  return { decision: decision(comparison), table: comparisonTable(comparison) };
}

/** `{ kind: 'plan-comparison', schemaVersion, plans, best, decision }`; null for what never trains. */
export function comparisonToJson(plans: readonly NamedPlan[]): string {
  const comparison = comparePlans(plans);
  return `${toJson({ kind: 'plan-comparison', schemaVersion: 1, ...comparison, decision: decision(comparison) })}\n`;
}

const measures: readonly [string, (plan: ComparedPlan) => string][] = [
  ['GPUs', ({ gpus }) => formatCount(gpus)],
  ['checkpoint', ({ checkpointBytes }) => formatBytes(checkpointBytes)],
  ['saves every', ({ intervalSeconds }) => shortTime(intervalSeconds)],
  ['write bandwidth', ({ writeBytesPerSecond }) => shortRate(writeBytesPerSecond)],
  ['time that trains', ({ trainingShare }) => shortShare(trainingShare)],
  ['tokens a second', ({ tokensPerSecond }) => formatCount(Math.round(tokensPerSecond))],
  ['GPUs, a month', ({ gpusPerMonth }) => shortDollars(gpusPerMonth)],
  ['bandwidth, a month', ({ storagePerMonth }) => shortDollars(storagePerMonth)],
  ['for a billion tokens', ({ perBillionTokens }) => (Number.isFinite(perBillionTokens) ? shortDollars(perBillionTokens) : '–')],
  ['works', ({ blockers }) => (blockers === 0 ? 'yes' : `no: ${counted(blockers, 'reason')}`)],
];

function comparisonTable({ plans, best }: PlanComparison): PageTable {
  return {
    id: 'plan-comparison',
    caption: 'Plans side by side',
    columns: [
      { label: '', isNumber: false },
      ...plans.map(({ name }, index) => ({ label: index === best ? `${name} *` : name, isNumber: true })),
    ],
    rows: measures.map(([label, of]) => [label, ...plans.map(of)]),
    note: best === null ? '' : '* trains a token for least.',
  };
}

function decision({ plans, best }: PlanComparison): string {
  const chosen = best === null ? undefined : plans[best];
  if (chosen === undefined)
    return plans.every(({ blockers }) => blockers > 0)
      ? 'None of these plans works as it is.'
      : 'The plans are of different models, so that their costs decide nothing.';
  const [first] = plans
    .filter((plan) => plan !== chosen && plan.blockers === 0)
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
  const [more, share] = factor > 0 ? [chosen, factor] : [other, 1 / (1 + factor) - 1];
  return `${visibleText(more.name)} trains ${shortShare(share)} more`;
}
