/** The inputs of a plan, all in base units: bytes, seconds, shares of 1. */
import { planFields } from './planFields.js';
import type { ChoiceField, FieldValue, PlanField } from './planField.js';

export type PlanKey = keyof typeof planFields;
export type PlanInputs = { [Key in PlanKey]: FieldValue<(typeof planFields)[Key]> };

/** All keys in the panel's order. */
export const planKeys = Object.keys(planFields) as PlanKey[];

/** What each input is unless it is given. */
export const standardInputs = Object.fromEntries(planKeys.map((key) => [key, planFields[key].standard])) as PlanInputs;

/** An input that cannot be used, and what was used in its place. */
export interface InputProblem {
  key: string;
  text: string;
}

/**
 * The values of an object that are inputs and within their limits. Values that are not are reported and ignored, so that one wrong
 * number never takes the others with it.
 */
export function readInputs(values: Readonly<Record<string, unknown>>): { inputs: Partial<PlanInputs>; problems: InputProblem[] } {
  const inputs: Record<string, unknown> = {};
  const problems: InputProblem[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (!isPlanKey(key)) {
      problems.push({ key, text: 'is no input of a plan' });
      continue;
    }
    const problem = problemOf(planFields[key], value);
    if (problem === null) inputs[key] = value;
    else problems.push({ key, text: problem });
  }
  return { inputs: inputs, problems };
}

export function isPlanKey(key: string): key is PlanKey {
  return Object.hasOwn(planFields, key);
}

/** Why a value cannot be this field's; null where it can. */
export function problemOf(field: PlanField, value: unknown): string | null {
  if (field.kind === 'flag') return typeof value === 'boolean' ? null : 'must be true or false';
  if (field.kind === 'choice') return choiceProblem(field, value);
  if (value === null) return field.standard === null ? null : 'must be a number';
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (field.whole === true && !Number.isInteger(value)) return 'must be a whole number';
  if (value < field.minimum) return field.minimum === 0 ? 'must not be below 0' : `must be at least ${field.minimum}`;
  return value > field.maximum ? `must be at most ${field.maximum}` : null;
}

function choiceProblem({ choices, refused = {} }: ChoiceField, value: unknown): string | null {
  if (choices.some((choice) => choice.value === value)) return null;
  const reason = typeof value === 'string' && Object.hasOwn(refused, value) ? refused[value] : undefined;
  return reason === undefined
    ? `must be one of ${choices.map((choice) => choice.value).join(', ')}`
    : `cannot be ${String(value)}: ${reason}`;
}
