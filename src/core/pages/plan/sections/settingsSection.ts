/** A plan in the settings of its framework, to paste. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { frameworkChoices } from '../../../planning/settings/frameworkSettings.js';
import type { PlanSettings } from '../../../planning/settings/planSettings.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { counted, shortTime } from '../../../text/quantities.js';
import type { Statement } from '../../statement.js';
import type { PlanSection } from '../planSection.js';
import { intervalKeys, statementKind } from '../statementKind.js';
import { keepWords } from '../keepWords.js';
import { inSteps } from '../stepWords.js';

export function settingsSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  const { settings } = plan.advised ?? plan;
  return {
    id: 'settings',
    title: settings === null ? 'Settings to paste' : `Settings for ${settings.framework}`,
    lead: lead(plan, document),
    more: [],
    ...(settings === null ? {} : { code: { language: settings.language, text: settings.text } }),
    charts: [],
    tables: [],
    notes: settings === null ? [] : notes(settings),
  };
}

const modeWords = {
  synchronous: 'training waits for it',
  asynchronous: 'in the background',
  'multi-level': 'near the GPUs first',
} as const;

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save, settings, recommendation } = plan;
  const { intervalSeconds } = recommendation.wanted;
  const steps = inSteps(intervalSeconds, inputs);
  const given =
    recommendation.better === null ? '' : `, not ${inSteps(save.intervalSeconds, inputs) ?? shortTime(save.intervalSeconds)}`;
  const kept = keepWords(plan);
  return {
    amount: `every ${steps ?? shortTime(intervalSeconds)}`,
    text: `a save${given}, ${modeWords[inputs.saveMode]}; ${kept}`,
    detail:
      `${settings === null ? `Name the framework for its settings: one of ${counted(frameworkChoices.length - 1, 'framework')}. ` : ''}${steps === null ? 'Frameworks count in steps: give the time of a step, or its tokens.' : ''}`.trim(),
    kind: statementKind(document, [...intervalKeys(plan), 'keepLast']),
    derivation: null,
  };
}

function notes({ framework, values, deletes, keepsEvery, savesInBackground }: PlanSettings): string[] {
  return [
    ...(keepsEvery ? [] : [`${framework} has no setting that keeps every Nth besides: copy these before they are deleted.`]),
    ...(deletes
      ? []
      : [`${framework} has no setting that keeps the last ones alone: the older ones have to be removed besides.`]),
    ...(savesInBackground
      ? []
      : [`${framework} has no setting for saves in the background: plan with saves that training waits for.`]),
    ...(values.steps === null
      ? []
      : ['Settings are named as in current versions; the time of a step changes with batch, sequence and number of GPUs.']),
  ];
}
