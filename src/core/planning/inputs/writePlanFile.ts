/** Writing of plan files: apart from reading them, which makes a plan of what it reads. */
import { planFileVersion, planKind, type PlanDocument } from './planDocument.js';
import { planKeys, type PlanInputs, type PlanKey } from './planInputs.js';

/** The text of a plan file: the inputs in the table's order, so that two plans compare line by line. Ends with a line break. */
export function writePlanFile({ name, inputs, origins, measured, saved }: PlanDocument): string {
  const inOrder = <T>(values: Partial<Record<PlanKey, T>>) =>
    Object.fromEntries(planKeys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]));
  const file = {
    kind: planKind,
    schemaVersion: planFileVersion,
    name,
    inputs: inOrder(inputs as Partial<Record<PlanKey, PlanInputs[PlanKey]>>),
    origins: inOrder(origins),
    ...(measured.length > 0 ? { measured } : {}),
    ...(saved.length > 0 ? { saved } : {}),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
