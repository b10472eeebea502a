import { otherwiseTrainerState } from '../../checkpoints/roles/otherwiseTrainerState.js';
import type { Rule } from '../../checkpoints/roles/fileRule.js';

/** What torchtune's files are, in any directory. */
export const torchtuneRoles: readonly Rule[] = [
  [/recipe_state\.pt$/, 'recipe-state', 'optimizer', 'torch', otherwiseTrainerState],
];
