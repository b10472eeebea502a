/** What a plan comes to: the decisions that its other answers support. Worded in core/pages/plan. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { chooseBandwidth, dollarsPerSecond } from '../saving/bandwidthChoice.js';
import type { OverlapRegion } from '../saving/demand.js';
import type { BandwidthFrontier } from '../saving/frontier.js';
import type { LevelId } from '../saving/levels.js';
import { lostShareOf, lostShareOfSave, stopShare } from '../saving/lostShare.js';
import { savePlan } from '../saving/savePlan.js';
import type { PlanParts } from './feasibility.js';

export interface Recommendation {
  /** Where a save goes first: what training waits for. */
  saveTo: LevelId;
  /** Every how many saves the shared storage gets one. */
  storeEverySaves: number;
  /** What keeps saves to the shared storage within the wanted share of the time. */
  neededBytesPerSecond: number;
  region: OverlapRegion;
  overlap: number;
  /** Where an interval is given and another one is clearly better; null elsewhere. */
  better: BetterInterval | null;
  /** What twice the bandwidth gives back of the time, and what a month of that is worth and costs in US dollars. */
  twiceTheBandwidth: { gainShare: number; gainPerMonth: number; costPerMonth: number };
  /** Of the time, at the plan's interval. */
  savingAndRepeatedShare: number;
  /** With restores that take longer than a restart, machines that are taken back, and jobs that end at their walltime. */
  restartingShare: number;
  /** What saves under way and older copies of deeper levels lose besides. */
  lateCopiesShare: number;
  /** How many times the bytes of a checkpoint a restore reads that one replica could read alone; 1 where that is so. */
  restoreFactor: number;
}

export interface BetterInterval {
  intervalSeconds: number;
  bytesPerSecond: number;
  gainShare: number;
}

/** Less than this of the time is not worth another interval. */
const leastGain = 0.002;

export function recommendationOf(parts: PlanParts & { frontier: BandwidthFrontier }): Recommendation {
  const { inputs, size, save, restore, levels, frontier } = parts;
  const every = levels.levels.find(({ id }) => id === 'shared-store')?.everySaves ?? 1;
  const { stalled, repeated, restarting } = save.shares;
  return {
    saveTo: inputs.saveMode === 'synchronous' ? 'shared-store' : 'host-memory',
    storeEverySaves: every,
    neededBytesPerSecond: save.demand.requiredBytesPerSecond / every,
    region: save.region,
    overlap: save.overlap,
    better: betterInterval(parts),
    twiceTheBandwidth: {
      gainShare: frontier.twice.trainingShare - frontier.planned.trainingShare,
      gainPerMonth: frontier.planned.lostPerMonth - frontier.twice.lostPerMonth,
      costPerMonth: frontier.twice.storagePerMonth - frontier.planned.storagePerMonth,
    },
    savingAndRepeatedShare: stalled + repeated,
    restartingShare: restarting + levels.slowRestoreShare + stopShare(inputs, save),
    lateCopiesShare: levels.furtherLossShare,
    restoreFactor: restore.planned.volumeBytes / size.checkpointBytes,
  };
}

/** What the same plan would do if it were free to choose its interval, where that costs less. */
function betterInterval({ inputs, size, save, levels }: PlanParts): BetterInterval | null {
  if (save.intervalBasis !== 'given') return null;
  const free: PlanInputs = { ...inputs, intervalSeconds: null, intervalSteps: null };
  const other = savePlan(free, size, chooseBandwidth(free, size));
  const [lost, lostByOther] = [lostShareOf(inputs, save, levels), lostShareOfSave(free, size, other)];
  const isCheaper =
    dollarsPerSecond(free, other.writeBytesPerSecond, lostByOther) < dollarsPerSecond(inputs, save.writeBytesPerSecond, lost);
  if (!isCheaper || lost - lostByOther < leastGain) return null;
  return {
    intervalSeconds: other.intervalSeconds,
    bytesPerSecond: other.writeBytesPerSecond,
    gainShare: lost - lostByOther,
  };
}
