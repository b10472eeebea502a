/**
 * Plans side by side: what each trains and costs, which trains most for its money, and which change of the first one gives most for what it
 * costs besides.
 */
import type { Blocker } from './advice/feasibility.js';
import type { PlanInputs } from './inputs/planInputs.js';
import { atHandRate } from './money/bandwidthPrice.js';
import { gpusMoney } from './money/gpuMoney.js';
import { bandwidthMoney, energyOfBytes, together, type MonthlyMoney } from './money/storageMoney.js';
import { peakIn } from './keeping/retention.js';
import type { StoragePlan } from './storagePlan.js';
import { monthSeconds } from './systems/storageSystem.js';

export interface ComparedPlan {
  name: string;
  /** What differs from the first plan in an input that is bought; null for the first one, and where other inputs differ. */
  bought: Bought | null;
  parameters: number;
  gpus: number;
  checkpointBytes: number;
  intervalSeconds: number;
  writeBytesPerSecond: number;
  /** Of all time, late copies and long restores too. */
  trainingShare: number;
  /** That are trained, lost time taken off. */
  tokensPerSecond: number;
  /** US dollars a month. */
  gpusPerMonth: number;
  /** Of bandwidth, US dollars a month; what the first plan has at hand costs the others nothing. */
  storagePerMonth: number;
  /** Of both, what was bought, written off over its lifetime: US dollars a month. */
  capitalPerMonth: number;
  /** Of both, rent and energy: US dollars a month. */
  runningPerMonth: number;
  /** Of GPUs and storage; null where the power of one of them is not known. */
  watts: number | null;
  /** US dollars of GPUs and bandwidth for 10^9 trained tokens; Infinity where none are. */
  perBillionTokens: number;
  /** What it cannot work for. */
  blockers: Blocker[];
}

/** What a plan has more of than the first one. */
export type Bought =
  | { what: 'gpus'; more: number }
  | { what: 'bandwidth'; bytesPerSecond: number; store: PlanInputs['store'] }
  | { what: 'store'; store: PlanInputs['store'] };

/** A change of the first plan, beside what it costs more. */
export interface Change {
  /** Index of the plan. */
  plan: number;
  /** Tokens that it trains more, of those of the first plan; below 0 where it trains fewer. */
  gainShare: number;
  /** US dollars a month more than the first plan. */
  costPerMonth: number;
}

export interface PlanComparison {
  plans: ComparedPlan[];
  /** Index of the one that trains a token for least; null where plans are of different models, or none works. */
  best: number | null;
  /** Of the first plan, the one that gives most for its money first; empty where it does not work itself. */
  changes: Change[];
}

/** A plan, what it is called, and the inputs that are set in it. */
export interface NamedPlan {
  name: string;
  plan: StoragePlan;
  given: Partial<PlanInputs>;
}

/** @param plans at least one, each with what it is called */
export function comparePlans(plans: readonly NamedPlan[]): PlanComparison {
  const [first] = plans;
  const compared = plans.map((plan) => comparedPlan(plan, first ?? plan));
  const isOfOneModel = new Set(compared.map(({ parameters }) => parameters)).size === 1;
  return {
    plans: compared,
    best: isOfOneModel ? bestOf(compared) : null,
    changes: isOfOneModel ? changesOf(compared) : [],
  };
}

function works({ blockers, perBillionTokens }: ComparedPlan): boolean {
  return blockers.length === 0 && Number.isFinite(perBillionTokens);
}

function bestOf(plans: readonly ComparedPlan[]): number | null {
  const [cheapest] = plans.filter(works).sort((a, b) => a.perBillionTokens - b.perBillionTokens);
  return cheapest === undefined ? null : plans.indexOf(cheapest);
}

function changesOf(plans: readonly ComparedPlan[]): Change[] {
  const [first, ...others] = plans;
  if (first === undefined || !works(first)) return [];
  const changes = others.flatMap((plan, index) =>
    works(plan)
      ? [
          {
            plan: index + 1,
            gainShare: plan.tokensPerSecond / first.tokensPerSecond - 1,
            costPerMonth: moneyOf(plan) - moneyOf(first),
          },
        ]
      : [],
  );
  return changes.sort((a, b) => worth(b) - worth(a));
}

function moneyOf({ gpusPerMonth, storagePerMonth }: ComparedPlan): number {
  return gpusPerMonth + storagePerMonth;
}

/** Gain for a dollar; what costs nothing more is worth all that it gives. */
function worth({ gainShare, costPerMonth }: Change): number {
  if (costPerMonth > 0) return gainShare / costPerMonth;
  return gainShare >= 0 ? Infinity : -Infinity;
}

function comparedPlan({ name, plan, given }: NamedPlan, first: NamedPlan): ComparedPlan {
  const { inputs, size, save, feed, frontier, blockers } = plan;
  const { storageWatts } = frontier.planned;
  // As planned, whatever the recommendation is.
  const trainingShare = 1 - plan.sensitivity.lostShare;
  const tokensPerSecond = feed.tokensPerSecond * trainingShare;
  const tokensPerMonth = tokensPerSecond * monthSeconds;
  const ofGpus = gpusMoney(inputs);
  const ofStorage = storageMoney(plan, first.plan);
  const [gpusPerMonth, storagePerMonth] = [together(ofGpus), together(ofStorage)];
  return {
    name,
    bought: boughtOf(given, first.given, plan, first.plan),
    parameters: inputs.parameters,
    gpus: inputs.gpus,
    checkpointBytes: size.checkpointBytes,
    intervalSeconds: save.intervalSeconds,
    writeBytesPerSecond: save.writeBytesPerSecond,
    trainingShare,
    tokensPerSecond,
    gpusPerMonth,
    storagePerMonth,
    capitalPerMonth: ofGpus.capital + ofStorage.capital,
    runningPerMonth: ofGpus.running + ofStorage.running,
    watts: frontier.gpuWatts === null || storageWatts === null ? null : frontier.gpuWatts + storageWatts,
    perBillionTokens: tokensPerMonth > 0 ? ((gpusPerMonth + storagePerMonth) / tokensPerMonth) * 1e9 : Infinity,
    blockers,
  };
}

/** Bandwidth that the first plan has at hand is there for the others as well, where they save to the same storage. */
function storageMoney({ inputs, save, retention }: StoragePlan, first: StoragePlan): MonthlyMoney {
  const isSameStore = inputs.store === first.inputs.store;
  const atHand = isSameStore ? atHandRate(first.inputs) : 0;
  const { capital, running } = bandwidthMoney(inputs, save.writeBytesPerSecond, atHand);
  return { capital, running: running + energyOfBytes(inputs, peakIn(retention, 'store')) };
}

/** Inputs that say what is paid for a change rather than what it is. */
const priceKeys: ReadonlySet<string> = new Set([
  'storePricePerGBps',
  'storePricePerGBMonth',
  'storeCapitalDollars',
  'storeLifetimeSeconds',
  'storageWattsPerGBps',
  'storageWattsPerTB',
  'storeCapacityBytes',
  'gpuPricePerHour',
  'gpuCapitalDollars',
  'gpuLifetimeSeconds',
  'energyPricePerKilowattHour',
  'readBytesPerSecond',
]);

/** By the inputs that are set: what the plan derives of them is no change of its own. */
function boughtOf(
  given: Partial<PlanInputs>,
  ofFirst: Partial<PlanInputs>,
  { inputs, save }: StoragePlan,
  { inputs: first }: StoragePlan,
): Bought | null {
  const keys = [...new Set([...Object.keys(given), ...Object.keys(ofFirst)])] as (keyof PlanInputs)[];
  const differing = new Set(keys.filter((key) => given[key] !== ofFirst[key] && !priceKeys.has(key)));
  const isOnly = (...some: (keyof PlanInputs)[]) => differing.size > 0 && [...differing].every((key) => some.includes(key));
  if (isOnly('gpus') && inputs.gpus > first.gpus) return { what: 'gpus', more: inputs.gpus - first.gpus };
  if (!isOnly('store', 'writeBytesPerSecond')) return null;
  const { store } = inputs;
  if (!differing.has('writeBytesPerSecond')) return { what: 'store', store };
  return inputs.writeBytesPerSecond === null ? null : { what: 'bandwidth', bytesPerSecond: save.writeBytesPerSecond, store };
}
