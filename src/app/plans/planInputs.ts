import type { PlanDocument } from '../../core/planning/inputs/planDocument.js';
import type { PlanField } from '../../core/planning/inputs/planField.js';
import { planFields } from '../../core/planning/inputs/planFields.js';
import { suppliedBy } from '../../core/planning/systems/ownSystems.js';
import { isPlanKey, problemOf } from '../../core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets, presetOf } from '../../core/planning/inputs/presets.js';
import type { SitesFile, SuppliedSystems } from '../../core/planning/inputs/sitesFile.js';
import { unitsOf } from '../../core/planning/inputs/quantities.js';
import { amountProblem, readQuantity } from '../../core/planning/inputs/quantity.js';
import { InputError } from '../useCaseError.js';
import type { PlanInput } from '../useCaseInputs.js';

/** A plan without a file to begin with. */
const emptyPlan: PlanDocument = { name: 'Plan', inputs: {}, origins: {}, measured: [], saved: [] };

/**
 * A plan with a preset below the numbers of its document, and single inputs above them.
 * @param opened what was read; null without a file
 * @param sites systems that `store` and `objectStore` may name besides the known ones; null without a sites file
 * @throws InputError for an unknown preset or input, and for a value that an input cannot have
 */
export function withInputs(
  opened: PlanDocument | null,
  { preset, set = {} }: Omit<PlanInput, 'path' | 'sites'>,
  sites: SitesFile | null = null,
): PlanDocument {
  const document = onPreset(opened, preset);
  const supplied: SuppliedSystems | null = sites === null ? null : { sites, store: null, objectStore: null };
  const inputs: Record<string, unknown> = { ...document.inputs };
  const origins = { ...document.origins };
  for (const [key, given] of Object.entries(set)) {
    if (!isPlanKey(key)) throw InputError.ofValue('set', key, 'is no input of a plan');
    if (supplied !== null && (key === 'store' || key === 'objectStore') && names(supplied.sites, given)) {
      supplied[key] = given;
      delete inputs[key];
      delete origins[key];
      continue;
    }
    inputs[key] = valueOf(key, given, planFields[key]);
    origins[key] = { kind: 'set', text: '' };
  }
  return {
    ...document,
    inputs,
    origins,
    ...(supplied === null ? {} : { supplied: suppliedBy(supplied, inputs) }),
  };
}

function names({ systems }: SitesFile, value: unknown): value is string {
  return systems.some(({ name }) => name === value);
}

function onPreset(opened: PlanDocument | null, id: string | undefined): PlanDocument {
  const document = opened ?? emptyPlan;
  if (id === undefined) return document;
  const preset = presetOf(id);
  if (preset === null) throw InputError.ofInput('preset', `takes one of ${planPresets.map((known) => known.id).join(', ')}`);
  const base = documentOfPreset(preset);
  return {
    ...document,
    name: opened === null ? base.name : document.name,
    inputs: { ...base.inputs, ...document.inputs },
    origins: { ...base.origins, ...document.origins },
  };
}

type Given = NonNullable<PlanInput['set']>[string];

function valueOf(key: string, given: Given, field: PlanField): unknown {
  const value = typeof given === 'string' ? parsed(key, given, field) : given;
  const problem = problemOf(field, value);
  if (problem !== null) throw InputError.ofInput('set', `${key} ${problem}`);
  return value;
}

/** A text as people write values: with a unit, as a share, `true`, `null`. @throws InputError for an amount that is none, or one of two */
function parsed(key: string, text: string, field: PlanField): unknown {
  if (field.kind === 'choice') return text;
  if (field.kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (text === 'null') return null;
  const read = readQuantity(text, field);
  if ('value' in read) return read.value;
  throw InputError.ofInput('set', `${key} ${amountProblem(text, read.readings, unitsOf(field.quantity).example)}`);
}
