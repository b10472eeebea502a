/** Parameters of OFT: a skew-symmetric matrix for each block of a module's inputs (peft/tuners/oft/layer.py, update_layer). */
import type { AdapterPlan } from '../trainingPlan.js';

/** Of a module with so many inputs. Null where the config sets neither the size of blocks nor their number, or both. */
export function orthogonalParameters(inputs: number, { rank, blockSize = 0, sharesBlocks }: AdapterPlan): number | null {
  if (rank > 0 === blockSize > 0 || inputs <= 0) return null;
  const size = blockSize > 0 ? nearestDivisor(inputs, blockSize) : inputs / nearestDivisor(inputs, rank);
  const blocks = sharesBlocks === true ? 1 : inputs / size;
  return (blocks * size * (size - 1)) / 2;
}

/** PEFT takes the nearest number that divides the inputs where the one that is set does not, of two equally near the smaller. */
function nearestDivisor(inputs: number, wanted: number): number {
  if (wanted >= inputs) return inputs;
  for (let distance = 0; distance < inputs; distance++)
    for (const candidate of [wanted - distance, wanted + distance])
      if (candidate > 0 && inputs % candidate === 0) return candidate;
  return inputs;
}
