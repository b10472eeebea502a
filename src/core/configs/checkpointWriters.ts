/** How a writer keeps 16-bit training exact: a 32-bit copy in the optimizer, parameters in 32 bits themselves, or not at all. */
export type MixedPrecision = 'master' | 'f32' | 'pure';

/**
 * By who writes the checkpoint, which decides its parts where the config does not say. Megatron: core/optimizer (main_params); DeepSpeed:
 * runtime/zero/stage_1_and_2.py (single_partition_of_fp32_groups); nanotron: optim/gradient_accumulator.py. The others keep parameters in
 * 32 bits and cast for the forward pass (autocast, FSDP's mixed precision, JAX's `weight_dtype`). torchtune trains in the dtype that it is
 * given.
 */
export const mixedPrecision = {
  megatron: 'master',
  nemo: 'master',
  deepspeed: 'master',
  'gpt-neox': 'master',
  nanotron: 'master',
  'mlperf-storage': 'master',
  'huggingface-trainer': 'f32',
  fsdp: 'f32',
  torchtitan: 'f32',
  lightning: 'f32',
  composer: 'f32',
  olmo: 'f32',
  nanogpt: 'f32',
  litgpt: 'f32',
  maxtext: 'f32',
  levanter: 'f32',
  lingua: 'f32',
  verl: 'f32',
  fairseq: 'f32',
  torchtune: 'pure',
  mergekit: 'pure',
} as const satisfies Record<string, MixedPrecision>;

/** Who writes a checkpoint. */
export type CheckpointWriter = keyof typeof mixedPrecision;
