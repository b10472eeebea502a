import { otherwiseTrainerState } from '../../checkpoints/roles/otherwiseTrainerState.js';
import type { Rule } from '../../checkpoints/roles/fileRule.js';

/** What Accelerate's files are, in any directory. */
export const accelerateRoles: readonly Rule[] = [
  [/custom_checkpoint_\d+\.pkl$/, 'registered-object', 'trainerState', 'torch', otherwiseTrainerState],
  [/pytorch_model_fsdp(_\d+)?(_rank\d+)?\.bin$/, 'model-weights', 'weights', 'torch', 'weights'],
  [/pytorch_model_\d+\.bin$/, 'model-weights', 'weights', 'torch', 'weights'],
  [/model_\d+\.safetensors$/, 'model-weights', 'weights', 'safetensors', 'weights'],
];
