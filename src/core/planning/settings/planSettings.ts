/** What a plan decides of saving, in the settings of its framework. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { SaveLevels } from '../saving/levels.js';
import type { SavePlan } from '../saving/savePlan.js';
import { stepSecondsOf } from '../training/stepTime.js';
import { settingsOf, type SaveValues } from './frameworkSettings.js';

export interface PlanSettings {
  framework: string;
  language: 'yaml' | 'toml' | 'bash';
  /** Lines to paste. */
  text: string;
  values: SaveValues;
  /** False where the framework deletes no checkpoints, though the plan does. */
  deletes: boolean;
  /** False where training waits for each save, though the plan goes on. */
  savesInBackground: boolean;
}

/** @returns null where no framework is named whose settings are known */
export function planSettings(inputs: PlanInputs, save: SavePlan, levels: SaveLevels): PlanSettings | null {
  const settings = settingsOf(inputs.framework);
  if (settings === null) return null;
  const values = saveValues(inputs, save, levels);
  return {
    framework: settings.label,
    language: settings.language,
    text: settings.lines(values).join('\n'),
    values,
    deletes: settings.deletes || values.keep === null,
    savesInBackground: settings.savesInBackground || !values.isInBackground,
  };
}

function saveValues(inputs: PlanInputs, save: SavePlan, { levels }: SaveLevels): SaveValues {
  const stepSeconds = stepSecondsOf(inputs);
  const every = levels.find(({ id }) => id === 'shared-store')?.everySaves ?? 1;
  const nearSteps = stepSeconds === null ? null : Math.max(1, Math.round(save.intervalSeconds / stepSeconds));
  const isMultiLevel = inputs.saveMode === 'multi-level';
  return {
    steps: nearSteps === null ? null : nearSteps * every,
    nearSteps: isMultiLevel && every > 1 ? nearSteps : null,
    keep: inputs.keepEvery === 1 ? null : Math.max(1, inputs.keepLast),
    isInBackground: inputs.saveMode !== 'synchronous',
  };
}
