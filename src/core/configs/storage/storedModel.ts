import { precisionBytes } from '../precision.js';
import { storedWeights } from './storedWeights.js';
import type { CountedModel } from '../countModel.js';
import { modelDtype } from './modelDtype.js';

/** Weights alone, as the config's dtype or quantization stores them. */
export interface StoredModel {
  bytes: number;
  /** `bf16`, `mxfp4`, `fp8`. */
  as: string;
}

/** Null where the config does not say in what, or quantizes in a way that is not known. */
export function storedModel({ fields, groups, counts }: CountedModel): StoredModel | null {
  if (fields === null || groups === null) return null;
  const given = modelDtype(fields);
  const quantization = fields.at('quantization_config');
  if (quantization.keys.length === 0)
    return given === undefined ? null : { bytes: counts.unique * precisionBytes[given], as: given };
  // Models are quantized from 16 bits, whatever the config leaves out.
  const plain = given === undefined || given === 'f8' ? 'bf16' : given;
  const stored = storedWeights(groups, quantization, { dtype: plain, bytesPerElement: precisionBytes[plain] });
  return stored === null ? null : { bytes: stored.bytes, as: stored.method };
}
