import { otherwiseTrainerState } from '../../checkpoints/roles/otherwiseTrainerState.js';
import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfOptimizerPath } from '../../tensors/componentOfPath.js';

/** What OLMo's and OLMo-core's files are, in any directory. */
export const olmoRoles: readonly Rule[] = [
  [/\.metadata\.json$/, 'checkpoint-metadata', 'trainerState', 'json'],
  [/data_paths\.txt$/, 'data-file-list', 'config', 'none'],
];

/** What they are in a directory of OLMo. */
export const olmoOwnRoles: readonly Rule[] = [
  [/(train|other)\.pt$/, 'trainer-state', 'trainerState', 'torch', otherwiseTrainerState],
  [/train\/rank\d+\.pt$/, 'trainer-state-of-rank', 'trainerState', 'torch', otherwiseTrainerState],
  [/optim\/rank\d+\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
];
