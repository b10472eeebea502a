import { gpuInputs, gpuModelOf } from '../training/gpuModels.js';
import type { InputOrigin, PlanDocument } from './planDocument.js';
import type { PlanKey } from './planInputs.js';

/** Where an input comes from: as it was given, or from the GPU that is named; undefined for one that is assumed or derived. */
export function inputOrigin(
  { inputs, origins }: Pick<PlanDocument, 'inputs' | 'origins'>,
  key: PlanKey,
): InputOrigin | undefined {
  if (inputs[key] !== undefined || inputs.gpu === undefined || !Object.hasOwn(gpuInputs(inputs.gpu), key)) return origins[key];
  return { kind: 'read', text: gpuModelOf(inputs.gpu)?.name ?? '' };
}
