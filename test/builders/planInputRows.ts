import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, type PlanKey } from '../../src/core/planning/inputs/planInputs.js';

/** Rows of the table of inputs in docs/plan.md: what the code has. */
export function planInputRows(): string[] {
  return planKeys.map(
    (key) => `| \`${key}\` | ${unitOf(key)} | ${standardOf(key)} | ${planFields[key].label}: ${planFields[key].hint} |`,
  );
}

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

function unitOf(key: PlanKey): string {
  const field = planFields[key];
  if (field.kind === 'flag') return 'true or false';
  if (field.kind === 'choice') return field.choices.map(({ value }) => `\`${value}\``).join(' ');
  return quantityUnits[field.quantity];
}

function standardOf(key: PlanKey): string {
  const field = planFields[key];
  if (field.kind === 'number' && field.derived !== undefined) return field.derived;
  return typeof field.standard === 'string' ? `\`${field.standard}\`` : String(field.standard);
}
