/** What a checkpoint of adapters holds: they alone are trained and saved, the base is not. */
import type { PlanInputs } from '../inputs/planInputs.js';

/** PEFT trains and saves adapters in 32 bits (`autocast_adapter_dtype`): weights, gradients, two moments. Bytes for each adapter parameter. */
export const adapterState = { weights: 4, gradients: 4, optimizer: 8 } as const;

/** Of the parameters, where no number of an adapter's is given. */
const usualAdapterShare = 0.005;

export function adapterParametersOf({
  adapterParameters,
  parameters,
}: Pick<PlanInputs, 'adapterParameters' | 'parameters'>): number {
  return adapterParameters ?? Math.ceil(parameters * usualAdapterShare);
}
