import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfOptimizerPath } from '../../tensors/componentOfPath.js';

/** What the files of llm.c are, in any directory. */
export const llmcRoles: readonly Rule[] = [
  [/model_\d{8}\.bin$/, 'model-weights', 'weights', 'llmc', 'weights'],
  [/state_\d{8}_\d{5}\.bin$/, 'optimizer-state-of-rank', 'optimizer', 'llmc', componentOfOptimizerPath],
  [/DONE_\d{8}$/, 'finish-mark', 'container', 'none'],
];
