/** Inputs of a plan by chance: any subset of the fields, each anywhere within its limits, the ends as often as the middle. */
import fc from 'fast-check';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, readInputs, type PlanInputs } from '../../src/core/planning/inputs/planInputs.js';
import type { PlanField } from '../../src/core/planning/inputs/planField.js';

function valueOf(field: PlanField): fc.Arbitrary<unknown> {
  if (field.kind === 'flag') return fc.boolean();
  if (field.kind === 'choice') return fc.constantFrom(...field.choices.map(({ value }) => value));
  const { minimum, maximum } = field;
  const ends = fc.constantFrom(minimum, maximum);
  // As often a thousand as a million: sizes differ by powers of ten.
  const least = Math.log10(Math.max(minimum, field.whole === true ? 1 : 1e-9));
  const between = fc.double({ min: least, max: Math.log10(maximum), noNaN: true }).map((power) => {
    const value = Math.min(maximum, Math.max(minimum, 10 ** power));
    return field.whole === true ? Math.round(value) : value;
  });
  return fc.oneof({ weight: 1, arbitrary: ends }, { weight: 4, arbitrary: between });
}

/** Only inputs that a plan file may hold. */
export function randomPlanInputs(fixed: Partial<PlanInputs> = {}): fc.Arbitrary<Partial<PlanInputs>> {
  const all = Object.fromEntries(planKeys.map((key) => [key, valueOf(planFields[key])]));
  return fc.record(all, { requiredKeys: [] }).map((values) => readInputs({ ...values, ...fixed }).inputs);
}

/** Every number in a value, with the way to it. */
export function numbersIn(value: unknown, path = ''): { path: string; value: number }[] {
  if (typeof value === 'number') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => numbersIn(item, `${path}.${key}`));
}

/** Every text in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => textsIn(item));
}
