/** What is typed into an input, and what an input shows. */
import type { NumberField } from '../../src/core/planning/inputs/planField.js';
import { problemOf } from '../../src/core/planning/inputs/planInputs.js';
import { unitsOf } from '../../src/core/planning/inputs/quantities.js';
import { readQuantity, shownQuantity, withUnit } from '../../src/core/planning/inputs/quantity.js';

export type ReadText = { value: number | null } | { problem: string };

/** The value of a text in the base unit; a number without a unit is in the unit behind the input. Empty gives what the plan derives. */
export function readText(text: string, field: NumberField): ReadText {
  const { example } = unitsOf(field.quantity);
  if (text.trim() === '')
    return field.standard === null ? { value: null } : { problem: `A number is needed, such as ${example}.` };
  const read = readQuantity(text, field, field.shown.size);
  if (!('value' in read))
    return {
      problem:
        read.readings.length === 0
          ? `This is no amount. Write it like ${example}.`
          : `This may be ${read.readings.join(' or ')}. Write one of them.`,
    };
  const problem = problemInUnits(field, read.value);
  return problem === null ? read : { problem };
}

/** The limits in the unit behind the input, the only one that its reader sees. */
function problemInUnits(field: NumberField, value: number): string | null {
  if (problemOf(field, value) === null) return null;
  if (value < field.minimum)
    return field.minimum === 0 ? 'It must not be below 0.' : `It must be at least ${withUnit(field.minimum, field)}.`;
  if (value > field.maximum) return `It must be at most ${withUnit(field.maximum, field)}.`;
  return 'It must be a whole number.';
}

/** What is used where nothing is set: three digits of it, as more would look typed; counts are whole. */
export function derivedText(value: number, field: NumberField): string {
  if (field.quantity === 'count') return shownQuantity(Math.round(value), field);
  const { size } = field.shown;
  return shownQuantity(Number((value / size).toPrecision(3)) * size, field);
}
