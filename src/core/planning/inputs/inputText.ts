/** Inputs of a plan as people write them: `gpus=520 store=nfs writeBytesPerSecond=2TB/s`. */
import { visibleText } from '../../text/visibleText.js';
import type { PlanField } from './planField.js';
import { planFields } from './planFields.js';
import { isPlanKey, problemOf, type PlanInputs, type PlanKey } from './planInputs.js';
import { unitsOf } from './quantities.js';
import { amountProblem, readQuantity } from './quantity.js';

/** The value of an input, or why the text is none: behind the name of the input. */
export type ReadInput = { value: unknown } | { problem: string };

/** A text with a unit, as a share, `true`, `null`, within the limits of the input. */
export function readInput(key: PlanKey, text: string): ReadInput {
  const field: PlanField = planFields[key];
  const read = parsed(text, field);
  if ('problem' in read) return read;
  const problem = problemOf(field, read.value);
  return problem === null ? read : { problem };
}

function parsed(text: string, field: PlanField): ReadInput {
  if (field.kind === 'choice') return { value: text };
  if (field.kind === 'flag') return { value: text === 'true' ? true : text === 'false' ? false : text };
  if (text === 'null') return { value: null };
  const read = readQuantity(text, field);
  return 'value' in read ? read : { problem: amountProblem(text, read.readings, unitsOf(field.quantity).example) };
}

export type Setting = [key: string, value: string];

/** `key=value`; null without `=`. */
export function settingIn(text: string): Setting | null {
  const at = text.indexOf('=');
  return at < 0 ? null : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** `flash tier: gpus=72`: a name before other inputs, which ends at a colon; empty without one. */
export function namedSettings(text: string): { name: string; settings: string } {
  const [, name = '', settings = text] = /^\s*([^=:]{1,80}):\s(.*)$/s.exec(text) ?? [];
  return { name: name.trim(), settings };
}

/** Several settings: one begins at each name. */
export function settingsIn(text: string): (Setting | null)[] {
  return text
    .trim()
    .split(/\s+(?=[A-Za-z]+=)/)
    .map(settingIn);
}

/** All inputs of a text; or the first problem of it, in a sentence. */
export function readChanges(text: string): { inputs: Partial<PlanInputs> } | { problem: string } {
  const inputs: Record<string, unknown> = {};
  for (const setting of settingsIn(namedSettings(text).settings)) {
    if (setting === null) return { problem: 'Inputs are written as gpus=544 writeBytesPerSecond=10GB/s' };
    const [key, value] = setting;
    if (!isPlanKey(key)) return { problem: `${visibleText(key)} is no input of a plan` };
    const read = readInput(key, value);
    if ('problem' in read) return { problem: `${key} ${read.problem}` };
    inputs[key] = read.value;
  }
  return { inputs };
}
