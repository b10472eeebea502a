/** Plans side by side: what each trains and costs, and which trains most for its money. */
import type { StoragePlan } from './storagePlan.js';
import { monthSeconds } from './systems/storageSystem.js';

export interface ComparedPlan {
  name: string;
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
  /** Of bandwidth, US dollars a month. */
  storagePerMonth: number;
  /** US dollars of GPUs and bandwidth for 10^9 trained tokens; Infinity where none are. */
  perBillionTokens: number;
  /** Blockers that there are. */
  blockers: number;
}

export interface PlanComparison {
  plans: ComparedPlan[];
  /** Index of the one that trains a token for least; null where plans are of different models, or none works. */
  best: number | null;
}

/** @param plans at least one, each with what it is called */
export function comparePlans(plans: readonly { name: string; plan: StoragePlan }[]): PlanComparison {
  const compared = plans.map(comparedPlan);
  const isOfOneModel = new Set(compared.map(({ parameters }) => parameters)).size === 1;
  const possible = compared.filter(({ blockers, perBillionTokens }) => blockers === 0 && Number.isFinite(perBillionTokens));
  const [cheapest] = [...possible].sort((a, b) => a.perBillionTokens - b.perBillionTokens);
  return { plans: compared, best: isOfOneModel && cheapest !== undefined ? compared.indexOf(cheapest) : null };
}

function comparedPlan({ name, plan }: { name: string; plan: StoragePlan }): ComparedPlan {
  const { inputs, size, save, feed, frontier, blockers } = plan;
  const { trainingShare, storagePerMonth } = frontier.planned;
  const tokensPerSecond = feed.tokensPerSecond * trainingShare;
  const tokensPerMonth = tokensPerSecond * monthSeconds;
  return {
    name,
    parameters: inputs.parameters,
    gpus: inputs.gpus,
    checkpointBytes: size.checkpointBytes,
    intervalSeconds: save.intervalSeconds,
    writeBytesPerSecond: save.writeBytesPerSecond,
    trainingShare,
    tokensPerSecond,
    gpusPerMonth: frontier.gpusPerMonth,
    storagePerMonth,
    perBillionTokens: tokensPerMonth > 0 ? ((frontier.gpusPerMonth + storagePerMonth) / tokensPerMonth) * 1e9 : Infinity,
    blockers: blockers.length,
  };
}
