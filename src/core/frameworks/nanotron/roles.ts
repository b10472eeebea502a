import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfOptimizerPath } from '../../tensors/componentOfPath.js';

/** What nanotron's files are, in any directory. */
export const nanotronRoles: readonly Rule[] = [
  [/optimizer_pp-\d+-of-\d+_.*\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
  [/lr_scheduler(_pp-.*)?\.pt$/, 'scheduler', 'scheduler', 'torch', 'scheduler'],
  [/random\/.+\.pt$/, 'rng-state-of-rank', 'rng', 'torch', 'rng'],
  [/checkpoint_metadata\.json$/, 'trainer-state', 'trainerState', 'json'],
];
