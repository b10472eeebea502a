import type { PresetId } from '../../src/core/planning/inputs/presetNames.js';
import type { PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import type { ExportId } from '../../src/core/pages/plan/planExports.js';
import type { SectionId } from '../../src/core/pages/plan/planSection.js';
import { eventChannel } from '../shared/eventChannel.js';

/** What the parts of the panel ask of the panel. */
export interface PlannerEvents {
  /** An input has a new value. */
  'plan-input': { key: PlanKey; value: InputValue };
  /** An input goes back to its standard. */
  'plan-reset': PlanKey;
  /** The reader is done with an input: what is pending is sent at once. */
  'plan-commit': null;
  'plan-preset': PresetId;
  /** Shows an answer. */
  'plan-go': SectionId;
  'plan-action': PlannerAction;
  /** Inputs of the plans that this one is compared with. */
  'plan-alternatives': readonly string[];
  /** Text for the clipboard, and what it is. */
  'plan-copy': { text: string; what: string };
  'plan-export': ExportId;
}

/** Of any input; whether it is one of this input's is checked where it is put in. */
export type InputValue = number | string | boolean | null;

export type PlannerAction = 'save' | 'open-text' | 'copy' | 'read-cluster';

export const { emit: emitPlannerEvent, on: onPlannerEvent } = eventChannel<PlannerEvents>();
