import type { Rule } from '../../checkpoints/roles/fileRule.js';
import type { Classifier } from '../../formats/sink/fileSink.js';
import type { ComponentId, TensorPart } from '../../tensors/component.js';
import { componentOfOptimizerPath, componentOfPath } from '../../tensors/componentOfPath.js';

/** What DeepSpeed's files are, in any directory. */
export const deepspeedRoles: readonly Rule[] = [
  [/(zero_pp_rank_\d+_)?mp_rank_\d+_model_states\.pt$/, 'model-state-of-rank', 'weights', 'torch', componentOfPath],
  [
    /(bf16_|fp16_)?zero_pp_rank_\d+_mp_rank_\d+_optim_states\.pt$/,
    'optimizer-state-of-rank',
    'optimizer',
    'torch',
    componentOfPath,
  ],
  [/layer_\d+-.*model_states\.pt$/, 'pipeline-layer', 'weights', 'torch'],
  [/(layer_\d+_)?expert_\d+_mp_rank_\d+_model_states\.pt$/, 'expert-weights', 'weights', 'torch'],
  [/expp_rank_\d+_mp_rank_\d+_optim_states\.pt$/, 'optimizer-state-of-experts', 'optimizer', 'torch', componentOfPath],
  [/zero_to_(fp32|torch)\.py$/, 'conversion-script', 'config', 'none'],
  [/zero\/[^/]+\/fp32\.pt$/, 'master-weights-of-parameter', 'masterWeights', 'torch'],
  [/zero\/[^/]+\/exp_avg\.pt$/, 'first-moment-of-parameter', 'optimizer', 'torch', always('optimizer', 'firstMoment')],
  [/zero\/[^/]+\/exp_avg_sq\.pt$/, 'second-moment-of-parameter', 'optimizer', 'torch', always('optimizer', 'secondMoment')],
  [/zero\/[^/]+\/[^/]+\.pt$/, 'optimizer-state-of-parameter', 'optimizer', 'torch', always('optimizer', 'otherState')],
  [/zero\/optimizer_state\.pt$/, 'shared-optimizer-state', 'optimizer', 'torch', componentOfOptimizerPath],
];

function always(component: ComponentId, part: TensorPart): Classifier {
  return () => ({ component, part });
}
