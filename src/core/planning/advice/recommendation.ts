/** What a plan comes to: the decisions that its other answers support. Worded in core/pages/plan. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { LevelId } from '../saving/levels.js';
import type { IntervalStudy } from '../saving/intervalStudy.js';
import type { OverlapRegion } from '../saving/demand.js';
import type { SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { PlanParts } from './feasibility.js';

export interface Recommendation {
  /** Where a save goes first: what training waits for. */
  saveTo: LevelId;
  /** The best, or the given one where it is as good. */
  intervalSeconds: number;
  /** What is given instead, where the best one is clearly better. */
  worseIntervalSeconds: number | null;
  /** Every how many saves the shared storage gets one. */
  storeEverySaves: number;
  /** What the shared storage should be able to take. */
  neededBytesPerSecond: number;
  /** Null where none is given. */
  givenBytesPerSecond: number | null;
  region: OverlapRegion;
  overlap: number;
  /** What twice the bandwidth gives back: of the stall where training waits, else of what saves under way lose. */
  twiceTheBandwidthShare: number;
  /** What the longest interval within half a point of the best needs; null where the plan's interval or bandwidth is given, or training waits. */
  frugalBytesPerSecond: number | null;
  /** Of the time, at the plan's interval. */
  savingAndRepeatedShare: number;
  restartingShare: number;
  /** What saves under way and older copies of deeper levels lose besides. */
  lateCopiesShare: number;
  /** How many times the bytes of a checkpoint a restore reads that one replica could read alone; 1 where that is so. */
  restoreFactor: number;
}

/** Less than this of the time is not worth another interval. */
const leastGain = 0.002;

export function recommendationOf({
  inputs,
  size,
  save,
  restore,
  levels,
  study,
}: PlanParts & { study: IntervalStudy }): Recommendation {
  const isBetter = save.intervalBasis === 'given' && study.best.goodput - study.planned.goodput > leastGain;
  const every = levels.levels.find(({ id }) => id === 'shared-store')?.everySaves ?? 1;
  const { stalled, repeated, restarting } = save.shares;
  const interval = isBetter ? study.best.intervalSeconds : save.intervalSeconds;
  return {
    saveTo: inputs.saveMode === 'synchronous' ? 'shared-store' : 'host-memory',
    intervalSeconds: interval,
    worseIntervalSeconds: isBetter ? save.intervalSeconds : null,
    storeEverySaves: every,
    neededBytesPerSecond:
      save.bandwidthBasis === 'pays'
        ? save.writeBytesPerSecond
        : size.checkpointBytes / (inputs.overlapTarget * interval * every),
    givenBytesPerSecond: save.bandwidthBasis === 'given' ? save.writeBytesPerSecond : null,
    region: save.region,
    overlap: save.overlap,
    twiceTheBandwidthShare: Math.max(0, study.twiceTheBandwidth.goodput - study.best.goodput) + levels.drainLossShare / 2,
    frugalBytesPerSecond: frugalBandwidth(inputs, size, save, study),
    savingAndRepeatedShare: stalled + repeated,
    restartingShare: restarting,
    lateCopiesShare: levels.furtherLossShare,
    restoreFactor: restore.planned.volumeBytes / size.checkpointBytes,
  };
}

/** Where training waits, the stall and with it the best interval follow the bandwidth: there is no such choice. */
function frugalBandwidth(inputs: PlanInputs, size: PlannedSize, save: SavePlan, { best, frugal }: IntervalStudy): number | null {
  const isOpen = save.intervalBasis === 'optimum' && save.bandwidthBasis === 'needed' && inputs.saveMode === 'asynchronous';
  if (!isOpen || frugal.intervalSeconds <= best.intervalSeconds) return null;
  return size.checkpointBytes / (inputs.overlapTarget * frugal.intervalSeconds);
}
