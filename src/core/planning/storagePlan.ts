/** From the inputs of a plan to all of its answers. Pure and quick: the panel makes a plan for every key that is pressed. */
import type { PlanDocument } from './inputs/planDocument.js';
import { planKeys, standardInputs, type PlanInputs, type PlanKey } from './inputs/planInputs.js';
import { intervalStudy, type IntervalStudy } from './saving/intervalStudy.js';
import { saveLevels, type SaveLevels } from './saving/levels.js';
import { restorePlan, type RestorePlan } from './saving/restore.js';
import { savePlan, type SavePlan } from './saving/savePlan.js';
import { plannedSize, type PlannedSize } from './size/plannedSize.js';

/** All that a plan answers. Each part is the work of the function of its name. */
export interface StoragePlan {
  /** Every input, told or standard. */
  inputs: PlanInputs;
  size: PlannedSize;
  save: SavePlan;
  study: IntervalStudy;
  restore: RestorePlan;
  levels: SaveLevels;
}

/** @param document inputs that were checked, as readPlanFile and presets give them. Never throws. */
export function makePlan(document: Pick<PlanDocument, 'inputs' | 'measured' | 'saved'>): StoragePlan {
  const inputs = completeInputs(document.inputs);
  const size = plannedSize(inputs, document.measured);
  const save = savePlan(inputs, size);
  const restore = restorePlan(inputs, size, save);
  return {
    inputs,
    size,
    save,
    study: intervalStudy(inputs, size, save),
    restore,
    levels: saveLevels(inputs, size, save, restore),
  };
}

/** Standards for what was not told. */
export function completeInputs(told: Partial<PlanInputs>): PlanInputs {
  const values: Record<string, unknown> = { ...standardInputs };
  for (const key of planKeys) if (told[key] !== undefined) values[key] = told[key];
  return values as Record<PlanKey, unknown> as PlanInputs;
}
