import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfOptimizerPath } from '../../tensors/componentOfPath.js';

/** What nanochat's files are, in any directory. */
export const nanochatRoles: readonly Rule[] = [
  [/optim_\d{6}(_rank\d+)?\.pt$/, 'optimizer-state', 'optimizer', 'torch', componentOfOptimizerPath],
  [/meta_\d{6}\.json$/, 'trainer-state', 'trainerState', 'json'],
];
