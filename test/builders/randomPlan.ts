/** Inputs of plans by chance, each within its limits: most of them usual, some at the very edge. */
import fc from 'fast-check';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import type { NumberField, PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, readInputs, type PlanInputs } from '../../src/core/planning/inputs/planInputs.js';

/** A document as a file would hold it; inputs are checked again, so that what comes out is what Stowage accepts. */
export const randomDocument: fc.Arbitrary<PlanDocument> = fc
  .record(Object.fromEntries(planKeys.map((key) => [key, valueOf(planFields[key])])), { requiredKeys: [] })
  .map((values) => {
    const { inputs, problems } = readInputs(values);
    if (problems.length > 0) throw new Error(`${problems[0]?.key}: ${problems[0]?.text}`);
    return planDocument(inputs);
  });

export function planDocument(inputs: Partial<PlanInputs>, name = 'a plan'): PlanDocument {
  return { name, inputs, origins: {}, measured: [], saved: [] };
}

function valueOf(field: PlanField): fc.Arbitrary<unknown> {
  if (field.kind === 'flag') return fc.boolean();
  if (field.kind === 'choice') return fc.constantFrom(...field.choices.map(({ value }) => value));
  const edges = [field.minimum, field.maximum, ...(field.standard === null ? [null] : [field.standard])];
  return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...edges) }, { weight: 3, arbitrary: between(field) });
}

/** Of every order of magnitude alike. */
function between({ minimum, maximum, whole }: NumberField): fc.Arbitrary<number> {
  const least = Math.max(minimum, whole === true ? 1 : 1e-9);
  return fc.double({ min: 0, max: 1, noNaN: true }).map((place) => {
    const value = least * (maximum / least) ** place;
    const bounded = Math.min(maximum, Math.max(minimum, value));
    return whole === true ? Math.round(bounded) : bounded;
  });
}
