import { otherwiseTrainerState } from '../../checkpoints/roles/otherwiseTrainerState.js';
import type { Rule } from '../../checkpoints/roles/fileRule.js';

/** What verl's files are, in any directory. */
export const verlRoles: readonly Rule[] = [
  [/extra_state_world_size_\d+_rank_\d+\.pt$/, 'scheduler-and-rng-state-of-rank', 'rng', 'torch', otherwiseTrainerState],
];

/** What they are in a directory of verl. */
export const verlOwnRoles: readonly Rule[] = [[/data\.pt$/, 'data-loader-position', 'dataLoader', 'torch']];
