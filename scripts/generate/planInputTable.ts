/** The table of a plan's inputs in docs/plan.md. */
import { meaningOfNull, type PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys } from '../../src/core/planning/inputs/planInputs.js';
import { unitsOf } from '../../src/core/planning/inputs/quantities.js';

/** Each input with its unit, its limits and its default. */
export function planInputTable(): string {
  const rows = planKeys.map((key) => {
    const field: PlanField = planFields[key];
    const cells = [`\`${key}\``, unitOf(field), limitsOf(field), defaultOf(field), `${field.label}: ${field.hint}`];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| input | unit | limits | default | what |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function unitOf(field: PlanField): string {
  if (field.kind === 'flag') return 'true or false';
  if (field.kind === 'choice') return field.choices.map(({ value }) => `\`${value}\``).join(' ');
  return unitsOf(field.quantity).base;
}

function limitsOf(field: PlanField): string {
  if (field.kind !== 'number') return '';
  return `${limitText(field.minimum)} to ${limitText(field.maximum)}${field.whole === true ? ', whole' : ''}`;
}

/** `1e15` where digits would have to be counted. */
function limitText(limit: number): string {
  const hasManyDigits = limit !== 0 && (limit >= 1e6 || limit < 1e-3);
  return hasManyDigits ? limit.toExponential().replace('+', '') : String(limit);
}

function defaultOf(field: PlanField): string {
  if (field.kind === 'number') return meaningOfNull(field) ?? String(field.standard);
  return typeof field.standard === 'string' ? `\`${field.standard}\`` : String(field.standard);
}
