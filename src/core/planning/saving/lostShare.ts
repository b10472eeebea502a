/** Of all time, what a plan loses: the one such number, which the headline splits, `sensitivity` varies and the bandwidth is chosen by. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { saveLevels, type SaveLevels } from './levels.js';
import { restorePlan } from './restore.js';
import type { SavePlan } from './savePlan.js';

/** @returns between 0 and 1: what does not train at the plan's interval, and what late copies, long restores and reclaims lose besides */
export function lostShareOf(inputs: PlanInputs, save: SavePlan, { furtherLossShare, slowRestoreShare }: SaveLevels): number {
  return Math.min(1, 1 - save.shares.training + furtherLossShare + slowRestoreShare + stopShare(inputs, save));
}

/** What is lost to stops that announce themselves: machines that are taken back, and jobs that end at their walltime. */
export function stopShare(inputs: PlanInputs, save: SavePlan): number {
  return reclaimShare(inputs, save) + walltimeShare(inputs, save);
}

/** The end of a job is known: it is saved at, which is waited for, and the next one restarts. */
function walltimeShare({ walltimeSeconds, restartSeconds }: PlanInputs, { stallSeconds, saveSeconds, shares }: SavePlan): number {
  if (walltimeSeconds === null) return 0;
  return shares.training * Math.min(1, (restartSeconds + Math.max(stallSeconds, saveSeconds)) / walltimeSeconds);
}

/** Where a save fits between the warning and the end, a machine that is taken back costs that save and a restart; elsewhere it is a failure. */
function reclaimShare({ reclaimSeconds, restartSeconds }: PlanInputs, { isWarned, stallSeconds, shares }: SavePlan): number {
  if (reclaimSeconds === null || !isWarned) return 0;
  return shares.training * -Math.expm1(-(restartSeconds + stallSeconds) / reclaimSeconds);
}

/** The same from the plan of the saves alone. */
export function lostShareOfSave(inputs: PlanInputs, size: PlannedSize, save: SavePlan): number {
  return lostShareOf(inputs, save, saveLevels(inputs, size, save, restorePlan(inputs, size, save)));
}
