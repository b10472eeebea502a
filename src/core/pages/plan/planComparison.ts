/** Plans side by side in words: a table with a column for each, and a sentence that decides. */
import { comparePlans, type ComparedPlan, type NamedPlan, type PlanComparison } from '../../planning/comparison.js';
import { shortDollars } from '../../text/dollars.js';
import { toJson } from '../../text/json.js';
import { counted, shortPower, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { PageTable } from '../table.js';
import { blockerWords } from './blockerWords.js';
import { decisionOf } from './decisionWords.js';

/** A table with a column for each plan, and the sentence that decides. */
export interface ComparisonPage {
  decision: string;
  /** Why plans do not work, each behind its name. */
  reasons: string[];
  table: PageTable;
  /** Below the first one. */
  tables?: PageTable[];
  /** In a terminal below the table, which cuts long cells: what has to be whole. */
  details?: string[];
}

export function comparisonPage(plans: readonly NamedPlan[]): ComparisonPage {
  const comparison = comparePlans(plans);
  return { decision: decisionOf(comparison), reasons: reasonsOf(plans), table: comparisonTable(comparison) };
}

/** `{ kind: 'plan-comparison', schemaVersion, plans, best, changes, decision, reasons }`; null for what never trains. */
export function comparisonToJson(plans: readonly NamedPlan[]): string {
  const comparison = comparePlans(plans);
  const json = {
    kind: 'plan-comparison',
    schemaVersion: 1,
    ...comparison,
    decision: decisionOf(comparison),
    reasons: reasonsOf(plans),
  };
  return `${toJson(json)}\n`;
}

function reasonsOf(plans: readonly NamedPlan[]): string[] {
  return plans.flatMap(({ name, plan }) =>
    plan.blockers.map((blocker) => {
      const { title, text, advice } = blockerWords(blocker, plan);
      return `${visibleText(name)} does not work: ${title}. ${text} ${advice}`;
    }),
  );
}

/** A row of the table; one that no plan has an amount of is left out. */
const measures: readonly [string, (plan: ComparedPlan) => string | null][] = [
  ['GPUs', ({ gpus }) => formatCount(gpus)],
  ['checkpoint', ({ checkpointBytes }) => formatBytes(checkpointBytes)],
  ['saves every', ({ intervalSeconds }) => shortTime(intervalSeconds)],
  ['write bandwidth', ({ writeBytesPerSecond }) => shortRate(writeBytesPerSecond)],
  ['goodput', ({ trainingShare }) => shortShare(trainingShare)],
  ['tokens a second', ({ tokensPerSecond }) => formatCount(Math.round(tokensPerSecond))],
  ['GPUs, a month', ({ gpusPerMonth }) => shortDollars(gpusPerMonth)],
  ['storage, a month', ({ storagePerMonth }) => shortDollars(storagePerMonth)],
  [
    'GPUs and storage: bought, written off',
    ({ capitalPerMonth }) => (capitalPerMonth > 0 ? shortDollars(capitalPerMonth) : null),
  ],
  [
    'GPUs and storage: rent and energy',
    ({ capitalPerMonth, runningPerMonth }) => (capitalPerMonth > 0 ? shortDollars(runningPerMonth) : null),
  ],
  ['power of GPUs and storage', ({ watts }) => (watts === null ? null : shortPower(watts))],
  ['for a billion tokens', ({ perBillionTokens }) => (Number.isFinite(perBillionTokens) ? shortDollars(perBillionTokens) : '–')],
  ['works', ({ blockers }) => (blockers.length === 0 ? 'yes' : `no: ${counted(blockers.length, 'reason')}`)],
];

function comparisonTable({ plans, best }: PlanComparison): PageTable {
  const rows = measures.map(([label, of]) => ({ label, amounts: plans.map(of) }));
  return {
    id: 'plan-comparison',
    caption: 'Plans side by side',
    columns: [
      { label: '', isNumber: false },
      ...plans.map(({ name }, index) => ({ label: index === best ? `${name} *` : name, isNumber: true })),
    ],
    rows: rows
      .filter(({ amounts }) => amounts.some((amount) => amount !== null))
      .map(({ label, amounts }) => [label, ...amounts.map((amount) => amount ?? '–')]),
    note: best === null ? '' : '* trains a token for least.',
  };
}
