/** Changes to a plan's document; each gives a new one. */
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { problemOf, type PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import type { InputValue } from './plannerEvents.js';

/** The document with an input's new value; the same one where the value is not valid for this input. */
export function withInput(document: PlanDocument, key: PlanKey, value: InputValue): PlanDocument {
  if (problemOf(planFields[key], value) !== null) return document;
  return {
    ...document,
    inputs: { ...document.inputs, [key]: value },
    origins: { ...document.origins, [key]: { kind: 'set', text: '' } },
  };
}

/** The standard again for an input. */
export function withoutInput(document: PlanDocument, key: PlanKey): PlanDocument {
  return { ...document, inputs: without(document.inputs, key), origins: without(document.origins, key) };
}

function without<T extends object>(values: T, key: PlanKey): T {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key)) as T;
}
