import { gpuInputs, gpuModelOf } from '../training/gpuModels.js';
import { siteInputs, siteOf } from '../systems/siteDefaults.js';
import { siteNames } from '../systems/siteNames.js';
import type { InputOrigin, PlanDocument } from './planDocument.js';
import type { PlanKey } from './planInputs.js';

/** Where an input comes from: as it was given, from the GPU that is named or the site; undefined for one that is assumed or derived. */
export function inputOrigin(
  { inputs, origins }: Pick<PlanDocument, 'inputs' | 'origins'>,
  key: PlanKey,
): InputOrigin | undefined {
  if (inputs[key] !== undefined) return origins[key];
  if (inputs.gpu !== undefined && Object.hasOwn(gpuInputs(inputs.gpu), key))
    return { kind: 'read', text: gpuModelOf(inputs.gpu)?.name ?? '' };
  const site = siteOf(inputs);
  if (site !== null && Object.hasOwn(siteInputs(inputs), key)) return { kind: 'read', text: siteNames[site] };
  return origins[key];
}
