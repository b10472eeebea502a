/** What a plan comes to: the decisions that its other answers support. Worded in core/pages/plan. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { chooseBandwidth, dollarsPerSecond } from '../saving/bandwidthChoice.js';
import type { OverlapRegion } from '../saving/demand.js';
import type { BandwidthFrontier } from '../saving/frontier.js';
import type { LevelId } from '../saving/levels.js';
import { lostShareOf, lostShareOfSave, stopShare } from '../saving/lostShare.js';
import { savePlan, type SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
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
  /** How to save: as planned, or at the interval that is clearly better than the given one. */
  wanted: WantedSaves;
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

export interface WantedSaves {
  intervalSeconds: number;
  bytesPerSecond: number;
  /** Share of the time in which a save is being written. */
  overlap: number;
  region: OverlapRegion;
  /** Of all time, late copies and long restores too. */
  trainingShare: number;
}

/** The plan that is free to choose its interval, where that is better than the given one. */
export interface BetterPlan {
  inputs: PlanInputs;
  save: SavePlan;
  gainShare: number;
}

/** Less than this of the time is not worth another interval. */
export const leastGain = 0.002;

/** @param better as `betterPlan` has it @param frontier of that plan, or of the plan itself */
export function recommendationOf(parts: PlanParts & { frontier: BandwidthFrontier; better: BetterPlan | null }): Recommendation {
  const { inputs, size, save, restore, levels, frontier, better } = parts;
  const every = levels.levels.find(({ id }) => id === 'shared-store')?.everySaves ?? 1;
  const { stalled, repeated, restarting } = save.shares;
  const wanted = better?.save ?? save;
  return {
    saveTo: inputs.saveMode === 'synchronous' ? 'shared-store' : 'host-memory',
    storeEverySaves: every,
    neededBytesPerSecond: save.demand.requiredBytesPerSecond / every,
    region: save.region,
    overlap: save.overlap,
    wanted: {
      intervalSeconds: wanted.intervalSeconds,
      bytesPerSecond: wanted.writeBytesPerSecond,
      overlap: wanted.overlap,
      region: wanted.region,
      trainingShare: frontier.planned.trainingShare,
    },
    better:
      better === null
        ? null
        : {
            intervalSeconds: better.save.intervalSeconds,
            bytesPerSecond: better.save.writeBytesPerSecond,
            gainShare: better.gainShare,
          },
    twiceTheBandwidth: {
      gainShare: frontier.twice.trainingShare - frontier.planned.trainingShare,
      gainPerMonth: frontier.planned.lostPerMonth - frontier.twice.lostPerMonth,
      costPerMonth: frontier.twice.storagePerMonth - frontier.planned.storagePerMonth,
    },
    savingAndRepeatedShare: stalled + repeated,
    // No more is lost than there is.
    restartingShare: Math.min(
      restarting + levels.slowRestoreShare + stopShare(inputs, save, levels),
      Math.max(0, 1 - stalled - repeated - levels.furtherLossShare),
    ),
    lateCopiesShare: levels.furtherLossShare,
    restoreFactor: restore.planned.volumeBytes / size.checkpointBytes,
  };
}

/** What the same plan would do if it were free to choose its interval, where that costs less, or where saves pile up at the given one. */
export function betterPlan({ inputs, size, save, levels }: PlanParts): BetterPlan | null {
  if (save.intervalBasis !== 'given') return null;
  const free: PlanInputs = { ...inputs, intervalSeconds: null, intervalSteps: null };
  const other = savePlan(free, size, chooseBandwidth(free, size));
  const isPilingUp = save.region === 'impossible' && inputs.saveMode === 'asynchronous';
  const lost = isPilingUp ? lostWhilePiledUp(inputs, size, save) : lostShareOf(inputs, save, levels);
  const lostByOther = lostShareOfSave(free, size, other);
  const isCheaper =
    dollarsPerSecond(free, other.writeBytesPerSecond, lostByOther) <= dollarsPerSecond(inputs, save.writeBytesPerSecond, lost);
  if (!isPilingUp && (!isCheaper || lost - lostByOther < leastGain)) return null;
  return { inputs: free, save: other, gainShare: Math.max(0, lost - lostByOther) };
}

/** Saves that pile up come as often as they can be written, as each waits for the one before. */
function lostWhilePiledUp(inputs: PlanInputs, size: PlannedSize, save: SavePlan): number {
  const slowed: PlanInputs = { ...inputs, intervalSeconds: save.saveSeconds };
  const own = { bytesPerSecond: save.writeBytesPerSecond, basis: save.bandwidthBasis };
  return lostShareOfSave(slowed, size, savePlan(slowed, size, own));
}
