import type { Rule } from '../../checkpoints/roles/fileRule.js';
import type { Classifier } from '../../formats/sink/fileSink.js';
import { componentOfOptimizerPath, componentOfPath } from '../../tensors/componentOfPath.js';

/** What the files of Megatron-LM's torch saves are, in any directory. */
export const megatronRoles: readonly Rule[] = [
  [/model_(optim_)?rng\.pt$/, 'training-state-of-rank', 'weights', 'torch', componentOfPath, 'padded'],
  [/distrib_optim\.pt$/, 'distributed-optimizer', 'optimizer', 'torch', distributedOptimizerTensors],
  [/layer_wise_optimizer_\d+\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
  [/mp_rank_\d{2}(_\d{3}){0,2}\.pth$/, 'gradients-of-rank', 'gradients', 'torch'],
];

/** Megatron's distributed optimizer calls its float32 copy of the parameters `param`, in each of its buffers. */
function distributedOptimizerTensors(keyPath: readonly string[]): ReturnType<Classifier> {
  const isMaster = keyPath.at(-1) === 'param' || keyPath.at(-2) === 'param';
  return isMaster ? { component: 'masterWeights', part: 'whole' } : componentOfOptimizerPath(keyPath);
}
