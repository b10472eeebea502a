/** What was measured or read, as the beginning of a plan. */
import { limits } from '../../bytes/limits.js';
import { placeName } from '../../files/paths.js';
import type { InputOrigin, PlanDocument, SavedCheckpoint } from '../inputs/planDocument.js';
import { planFields } from '../inputs/planFields.js';
import { planKeys, problemOf, type PlanInputs } from '../inputs/planInputs.js';
import type { MeasuredPart } from '../size/plannedSize.js';

export type PlanValues = { [Key in keyof PlanInputs]?: PlanInputs[Key] | null };

/** Inputs that there are and that a plan takes, with where they come from. */
export function documentOf(
  path: string,
  origin: InputOrigin,
  values: PlanValues,
  { measured, saved }: { measured: MeasuredPart[]; saved: SavedCheckpoint[] } = { measured: [], saved: [] },
): PlanDocument {
  const known = planKeys.filter((key) => values[key] != null && problemOf(planFields[key], values[key]) === null);
  return {
    name: shortName(placeName(path)),
    inputs: Object.fromEntries(known.map((key) => [key, values[key]])),
    origins: Object.fromEntries(known.map((key) => [key, origin])),
    measured,
    saved,
  };
}

/** As much of a name as a plan file holds. */
export function shortName(name: string): string {
  return name.slice(0, limits.planNameCharacters);
}
