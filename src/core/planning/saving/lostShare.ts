/** Of all time, what a plan loses: the one such number, which the headline splits, `sensitivity` varies and the bandwidth is chosen by. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { saveLevels, type SaveLevels } from './levels.js';
import { restorePlan } from './restore.js';
import type { SavePlan } from './savePlan.js';
import { jobEndSeconds } from './jobEnd.js';

/** @returns between 0 and 1: what does not train at the plan's interval, and what late copies, long restores and reclaims lose besides */
export function lostShareOf(inputs: PlanInputs, save: SavePlan, levels: SaveLevels): number {
  const { furtherLossShare, slowRestoreShare } = levels;
  return Math.min(1, 1 - save.shares.training + furtherLossShare + slowRestoreShare + stopShare(inputs, save, levels));
}

/**
 * What is lost to stops that announce themselves: machines that are taken back, and jobs that end at their walltime. Of what failures and their
 * restores leave, as each of the three takes its share of the rest.
 */
export function stopShare(inputs: PlanInputs, save: SavePlan, levels: SaveLevels): number {
  const left = Math.max(0, save.shares.training - levels.slowRestoreShare);
  const stays =
    (1 - reclaimShare(inputs, save, readAfterNodeLoss(levels))) * (1 - endShare(inputs, save, levels.storeReadSeconds));
  return left * (1 - stays);
}

/** From the level that survives a machine, as after a failure of one. */
function readAfterNodeLoss({ recoveries, storeReadSeconds }: SaveLevels): number {
  const recovery = recoveries.find(({ failure }) => failure === 'node');
  return recovery?.level === 'shared-store' ? storeReadSeconds : (recovery?.readSeconds ?? storeReadSeconds);
}

/** The end of a job is known: it is saved at, which is waited for, and the next one restarts. */
function endShare(inputs: PlanInputs, save: SavePlan, readSeconds: number): number {
  const { walltimeSeconds } = inputs;
  return walltimeSeconds === null ? 0 : Math.min(1, jobEndSeconds(inputs, save, readSeconds) / walltimeSeconds);
}

/** Where a save fits between the warning and the end, a machine that is taken back costs that save and a restart; elsewhere it is a failure. */
function reclaimShare(
  { reclaimSeconds, restartSeconds }: PlanInputs,
  { isWarned, stallSeconds }: SavePlan,
  readSeconds: number,
): number {
  if (reclaimSeconds === null || !isWarned) return 0;
  return -Math.expm1(-(Math.max(restartSeconds, readSeconds) + stallSeconds) / reclaimSeconds);
}

/** The same from the plan of the saves alone. */
export function lostShareOfSave(inputs: PlanInputs, size: PlannedSize, save: SavePlan): number {
  return lostShareOf(inputs, save, saveLevels(inputs, size, save, restorePlan(inputs, size, save)));
}
