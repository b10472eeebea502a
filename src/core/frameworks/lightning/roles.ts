import { otherwiseTrainerState } from '../../checkpoints/roles/otherwiseTrainerState.js';
import type { Rule } from '../../checkpoints/roles/fileRule.js';

/** What Lightning and Fabric keep beside a sharded checkpoint: all that is neither model nor optimizer. */
export const lightningOwnRoles: readonly Rule[] = [
  [/meta\.pt$/, 'trainer-state', 'trainerState', 'torch', otherwiseTrainerState],
];
