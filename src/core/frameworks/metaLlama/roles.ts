import type { Rule } from '../../checkpoints/roles/fileRule.js';

/** What the files of Meta's own releases are, in any directory. */
export const metaLlamaRoles: readonly Rule[] = [
  [/consolidated\.\d{2}\.pth$/, 'model-weights-of-tensor-rank', 'weights', 'torch', 'weights'],
  [/params\.json$/, 'configuration', 'config', 'json'],
];
