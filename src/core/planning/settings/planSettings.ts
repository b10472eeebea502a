/** What a plan decides of saving, in the settings of its framework. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { SaveLevels } from '../saving/levels.js';
import { stepSecondsOf } from '../training/stepTime.js';
import { settingsOf, type SaveValues } from './frameworkSettings.js';

export interface PlanSettings {
  framework: string;
  language: 'yaml' | 'toml' | 'bash';
  /** Lines to paste. */
  text: string;
  values: SaveValues;
  /** False where no setting of the framework keeps the last ones alone, as the plan does. */
  deletes: boolean;
  /** False where no setting keeps every Nth for ever, as the plan does. */
  keepsEvery: boolean;
  /** False where training waits for each save, though the plan goes on. */
  savesInBackground: boolean;
}

/**
 * @param intervalSeconds what is recommended: the plan's own, or the better one
 * @param keep how many of the newest are to stay; null for all
 * @returns null where no framework is named whose settings are known
 */
export function planSettings(
  inputs: PlanInputs,
  levels: SaveLevels,
  intervalSeconds: number,
  keep: number | null,
): PlanSettings | null {
  const settings = settingsOf(inputs.framework);
  if (settings === null) return null;
  const values = saveValues(inputs, levels, intervalSeconds, keep);
  return {
    framework: settings.label,
    language: settings.language,
    text: settings.lines(values).join('\n'),
    values,
    deletes: values.keep === null || (settings.deletes && values.keep >= (settings.leastKept ?? 1)),
    keepsEvery: inputs.keepEvery < 2 || settings.keepsEvery === true,
    savesInBackground: settings.savesInBackground || !values.isInBackground,
  };
}

function saveValues(inputs: PlanInputs, { levels }: SaveLevels, intervalSeconds: number, keep: number | null): SaveValues {
  const stepSeconds = stepSecondsOf(inputs);
  const storeSeconds = levels.find(({ id }) => id === 'shared-store')?.intervalSeconds ?? intervalSeconds;
  const every = Math.max(1, Math.round(storeSeconds / intervalSeconds));
  const nearSteps = stepSeconds === null ? null : Math.max(1, Math.round(intervalSeconds / stepSeconds));
  const isMultiLevel = inputs.saveMode === 'multi-level';
  return {
    steps: nearSteps === null ? null : nearSteps * every,
    nearSteps: isMultiLevel && every > 1 ? nearSteps : null,
    keep,
    keepEverySteps: nearSteps === null || inputs.keepEvery < 2 ? null : nearSteps * every * inputs.keepEvery,
    isInBackground: inputs.saveMode !== 'synchronous',
    gpusPerNode: inputs.gpusPerNode,
  };
}
