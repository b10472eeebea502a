import { gpuInputs, gpuModelOf } from '../training/gpuModels.js';
import { siteInputs, siteOf } from '../systems/siteDefaults.js';
import { siteNames } from '../systems/siteNames.js';
import type { InputOrigin, PlanDocument } from './planDocument.js';
import { fitPresetReplica } from './presetReplica.js';
import type { PlanKey } from './planInputs.js';

/** Where an input comes from: as it was given, from the GPU that is named or the site; undefined for one that is assumed or derived. */
export function inputOrigin(
  document: Pick<PlanDocument, 'inputs' | 'origins' | 'supplied'>,
  key: PlanKey,
): InputOrigin | undefined {
  const { inputs, origins, supplied } = document;
  // An hour of a GPU that was bought follows from its purchase.
  if (key === 'gpuPricePerHour' && inputs.gpuCapitalDollars != null) return origins.gpuCapitalDollars;
  if (inputs[key] !== undefined) return fittedOrigin(document, key) ?? origins[key];
  if (supplied?.origins[key] !== undefined) return supplied.origins[key];
  if (inputs.gpu !== undefined && Object.hasOwn(gpuInputs(inputs.gpu), key))
    return { kind: 'read', text: gpuModelOf(inputs.gpu)?.name ?? '' };
  const given = { ...supplied?.inputs, ...inputs };
  const site = siteOf(given);
  if (site !== null && Object.hasOwn(siteInputs(given), key)) return { kind: 'read', text: siteNames[site] };
  return origins[key];
}

/** Of a parallel size of a preset that gave way to the number of GPUs. */
function fittedOrigin(
  { inputs, origins, supplied }: Pick<PlanDocument, 'inputs' | 'origins' | 'supplied'>,
  key: PlanKey,
): InputOrigin | undefined {
  const origin = origins[key];
  if (origin?.kind !== 'preset') return undefined;
  const fitted = fitPresetReplica({ ...supplied?.inputs, ...inputs }, origins)[key];
  return fitted === inputs[key]
    ? undefined
    : { ...origin, text: `${origin.text} has ${inputs[key]}, which does not divide the GPUs` };
}
