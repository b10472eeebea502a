import type { Rule } from '../../checkpoints/roles/fileRule.js';
import { componentOfPath } from '../../tensors/componentOfPath.js';

/** What LitGPT's files are, in any directory. */
export const litgptRoles: readonly Rule[] = [[/lit_model\.pth(\.lora)?$/, 'torch-file', 'weights', 'torch', componentOfPath]];
