/** What is typed into an input, and what an input shows. */
import type { NumberField, Quantity } from '../../src/core/planning/inputs/planField.js';
import { problemOf } from '../../src/core/planning/inputs/planInputs.js';
import { parseQuantity, shownQuantity, withUnit } from '../../src/core/planning/inputs/quantity.js';

export type ReadText = { value: number | null } | { problem: string };

const examples: Readonly<Record<Quantity, string>> = {
  count: '16,384 or 405B',
  bytes: '5.7 TB',
  seconds: '90 min',
  bytesPerSecond: '172 GB/s',
  share: '10 %',
  bytesPerValue: '14',
  flopsPerSecond: '400 TFLOP/s',
  price: '0.023',
};

/** The value of a text in the base unit; a number without a unit is in the unit behind the input. Empty gives what the plan derives. */
export function readText(text: string, field: NumberField): ReadText {
  if (text.trim() === '')
    return field.standard === null ? { value: null } : { problem: `A number is needed, such as ${examples[field.quantity]}.` };
  const value = parseQuantity(text, field, field.shown.size);
  if (value === null) return { problem: `This is no amount. Write it like ${examples[field.quantity]}.` };
  const problem = problemInUnits(field, value);
  return problem === null ? { value } : { problem };
}

/** The limits in the unit behind the input, as its reader knows no other. */
function problemInUnits(field: NumberField, value: number): string | null {
  if (problemOf(field, value) === null) return null;
  if (value < field.minimum)
    return field.minimum === 0 ? 'It must not be below 0.' : `It must be at least ${withUnit(field.minimum, field)}.`;
  if (value > field.maximum) return `It must be at most ${withUnit(field.maximum, field)}.`;
  return 'It must be a whole number.';
}

/** What is used where nothing is told: three digits of it, as more would look typed; counts are whole. */
export function derivedText(value: number, field: NumberField): string {
  if (field.quantity === 'count') return shownQuantity(Math.round(value), field);
  const { size } = field.shown;
  return shownQuantity(Number((value / size).toPrecision(3)) * size, field);
}
