/** The table of a plan's inputs in docs/plan.md, and what its numbers are in. */
import type { NumberField, PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys } from '../../src/core/planning/inputs/planInputs.js';

/** What numbers of a plan are in. */
export const quantityUnits = {
  count: 'number',
  bytes: 'bytes',
  seconds: 's',
  bytesPerSecond: 'bytes/s',
  share: 'share of 1',
  bytesPerValue: 'bytes',
  flopsPerSecond: 'FLOP/s',
  price: 'US$',
} as const;

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
  return quantityUnits[field.quantity];
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
  if (field.kind === 'number') return derivationOf(field) ?? String(field.standard);
  return typeof field.standard === 'string' ? `\`${field.standard}\`` : String(field.standard);
}

function derivationOf({ derived }: NumberField): string | null {
  return derived ?? null;
}
