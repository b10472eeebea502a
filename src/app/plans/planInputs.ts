import { withClusterFacts, type ClusterFacts } from '../../core/planning/cluster/clusterFacts.js';
import type { PlanDocument } from '../../core/planning/inputs/planDocument.js';
import { readInput } from '../../core/planning/inputs/inputText.js';
import { planFields } from '../../core/planning/inputs/planFields.js';
import { suppliedBy } from '../../core/planning/systems/ownSystems.js';
import { isPlanKey, problemOf, type PlanKey } from '../../core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets, presetOf } from '../../core/planning/inputs/presets.js';
import type { SitesFile, SuppliedSystems } from '../../core/planning/inputs/sitesFile.js';
import { InputError } from '../useCaseError.js';
import type { PlanInput } from '../useCaseInputs.js';

/** A plan without a file to begin with. */
const emptyPlan: PlanDocument = { name: 'Plan', inputs: {}, origins: {}, measured: [], saved: [] };

/**
 * A plan with a preset below the numbers of its document, facts of the cluster between, and single inputs above them.
 * @param opened what was read; null without a file
 * @param beside `sites` has systems that `store` and `objectStore` may name besides the known ones; both null without
 * @throws InputError for an unknown preset or input, and for a value that an input cannot have
 */
export function withInputs(
  opened: PlanDocument | null,
  { preset, set = {} }: Omit<PlanInput, 'path' | 'sites' | 'cluster'>,
  { sites, facts }: { sites: SitesFile | null; facts: ClusterFacts | null } = { sites: null, facts: null },
): PlanDocument {
  const base = onPreset(opened, preset);
  const document = facts === null ? base : withClusterFacts(base, facts);
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
    inputs[key] = valueOf(key, given);
    origins[key] = { kind: 'set', text: '' };
  }
  // A preset's name is that of its model.
  const isOther = opened === null && set['parameters'] !== undefined;
  return {
    ...document,
    name: isOther ? emptyPlan.name : document.name,
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

function valueOf(key: PlanKey, given: Given): unknown {
  const read = typeof given === 'string' ? readInput(key, given) : { value: given };
  const problem = 'problem' in read ? read.problem : problemOf(planFields[key], read.value);
  if ('problem' in read || problem !== null) throw InputError.ofInput('set', `${key} ${problem ?? ''}`);
  return read.value;
}
