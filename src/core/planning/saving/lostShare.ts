/** Of all time, what a plan loses: the one such number, which the headline splits, `sensitivity` varies and the bandwidth is chosen by. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { saveLevels, type SaveLevels } from './levels.js';
import { restorePlan } from './restore.js';
import type { SavePlan } from './savePlan.js';

/** @returns between 0 and 1: what does not train at the plan's interval, and what late copies, long restores and reclaims lose besides */
export function lostShareOf(inputs: PlanInputs, save: SavePlan, { furtherLossShare, slowRestoreShare }: SaveLevels): number {
  return Math.min(1, 1 - save.shares.training + furtherLossShare + slowRestoreShare + reclaimShare(inputs, save));
}

/** Where a save fits between the warning and the end, a machine that is taken back costs that save and a restart; elsewhere it is a failure. */
export function reclaimShare(
  { reclaimSeconds, restartSeconds }: PlanInputs,
  { isWarned, stallSeconds, shares }: SavePlan,
): number {
  if (reclaimSeconds === null || !isWarned) return 0;
  return shares.training * -Math.expm1(-(restartSeconds + stallSeconds) / reclaimSeconds);
}

/** The same from the plan of the saves alone. */
export function lostShareOfSave(inputs: PlanInputs, size: PlannedSize, save: SavePlan): number {
  return lostShareOf(inputs, save, saveLevels(inputs, size, save, restorePlan(inputs, size, save)));
}
