import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfPath } from '../../tensors/componentOfPath.js';

/** What Composer's files are, in any directory. */
export const composerRoles: readonly Rule[] = [
  [/ep\d+-ba\d+(-\w+)*-rank\d+\.pt$/, 'training-state-of-rank', 'weights', 'torch', componentOfPath],
];
