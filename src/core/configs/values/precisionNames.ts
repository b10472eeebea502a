import { entryOf } from '../../text/entryOf.js';
import type { Precision } from '../trainingPlan.js';

const names: Readonly<Record<string, Precision>> = {
  bf16: 'bf16',
  bfloat16: 'bf16',
  'bf16-mixed': 'bf16',
  'bf16-true': 'bf16',
  amp_bf16: 'bf16',
  bfp16: 'bf16',
  fp16: 'f16',
  float16: 'f16',
  f16: 'f16',
  half: 'f16',
  '16': 'f16',
  '16-mixed': 'f16',
  '16-true': 'f16',
  amp_fp16: 'f16',
  amp: 'f16',
  fp32: 'f32',
  float32: 'f32',
  f32: 'f32',
  float: 'f32',
  '32': 'f32',
  '32-true': 'f32',
  fp8: 'f8',
  amp_fp8: 'f8',
  float8: 'f8',
  'transformer-engine': 'f8',
  'transformer-engine-float16': 'f8',
};

/** A precision by any name that frameworks give it: `bf16`, `torch.bfloat16`, `amp_bf16`, `bf16-mixed`. */
export function precisionOf(name: string | number | undefined): Precision | undefined {
  return name === undefined
    ? undefined
    : entryOf(
        names,
        String(name)
          .toLowerCase()
          .replace(/^(?:torch|jnp)\./, ''),
      );
}
