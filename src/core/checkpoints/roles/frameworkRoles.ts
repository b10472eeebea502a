/**
 * Files of the frameworks that save with torch.save, by their names: DeepSpeed, Megatron-LM, Accelerate, Lightning, Composer, OLMo,
 * verl, LitGPT, torchtune, Meta's own releases and nanochat. Names are those of the frameworks' sources, see docs/formats.
 */
import type { Classifier } from '../../formats/sink/fileSink.js';
import type { ComponentId, TensorPart } from '../../tensors/component.js';
import { componentOfOptimizerPath, componentOfPath } from '../../tensors/componentOfPath.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';
import type { Rule } from './fileRule.js';

const deepSpeed: Rule[] = [
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

const megatron: Rule[] = [
  [/model_(optim_)?rng\.pt$/, 'training-state-of-rank', 'weights', 'torch', componentOfPath, 'padded'],
  [/distrib_optim\.pt$/, 'distributed-optimizer', 'optimizer', 'torch', distributedOptimizerTensors],
  [/layer_wise_optimizer_\d+\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
  [/mp_rank_\d{2}(_\d{3}){0,2}\.pth$/, 'gradients-of-rank', 'gradients', 'torch'],
];

const accelerate: Rule[] = [
  [/custom_checkpoint_\d+\.pkl$/, 'registered-object', 'trainerState', 'torch', otherwiseTrainerState],
  [/pytorch_model_fsdp(_\d+)?(_rank\d+)?\.bin$/, 'model-weights', 'weights', 'torch', 'weights'],
  [/pytorch_model_\d+\.bin$/, 'model-weights', 'weights', 'torch', 'weights'],
  [/model_\d+\.safetensors$/, 'model-weights', 'weights', 'safetensors', 'weights'],
];

const others: Rule[] = [
  [/ep\d+-ba\d+(-\w+)*-rank\d+\.pt$/, 'training-state-of-rank', 'weights', 'torch', componentOfPath],
  [/\.metadata\.json$/, 'checkpoint-metadata', 'trainerState', 'json'],
  [/data_paths\.txt$/, 'data-file-list', 'config', 'none'],
  [/extra_state_world_size_\d+_rank_\d+\.pt$/, 'scheduler-and-rng-state-of-rank', 'rng', 'torch', otherwiseTrainerState],
  [/lit_model\.pth(\.lora)?$/, 'torch-file', 'weights', 'torch', componentOfPath],
  [/recipe_state\.pt$/, 'recipe-state', 'optimizer', 'torch', otherwiseTrainerState],
  [/consolidated\.\d{2}\.pth$/, 'model-weights-of-tensor-rank', 'weights', 'torch', 'weights'],
  [/params\.json$/, 'configuration', 'config', 'json'],
  [/optim_\d{6}(_rank\d+)?\.pt$/, 'optimizer-state', 'optimizer', 'torch', componentOfOptimizerPath],
  [/meta_\d{6}\.json$/, 'trainer-state', 'trainerState', 'json'],
  [/latest(_universal|_checkpointed_iteration\.txt|\.txt|-rank\d+(\.pt)?\.symlink)?$/, 'latest-pointer', 'trainerState', 'text'],
];

const nanotron: Rule[] = [
  [/optimizer_pp-\d+-of-\d+_.*\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
  [/lr_scheduler(_pp-.*)?\.pt$/, 'scheduler', 'scheduler', 'torch', 'scheduler'],
  [/random\/.+\.pt$/, 'rng-state-of-rank', 'rng', 'torch', 'rng'],
  [/checkpoint_metadata\.json$/, 'trainer-state', 'trainerState', 'json'],
];

const llmc: Rule[] = [
  [/model_\d{8}\.bin$/, 'model-weights', 'weights', 'llmc', 'weights'],
  [/state_\d{8}_\d{5}\.bin$/, 'optimizer-state-of-rank', 'optimizer', 'llmc', componentOfOptimizerPath],
  [/DONE_\d{8}$/, 'finish-mark', 'container', 'none'],
];

/** The first rule that matches decides. None of the names is one that another kind of file has. */
export const frameworkRules: readonly Rule[] = [...deepSpeed, ...megatron, ...accelerate, ...nanotron, ...llmc, ...others];

/** What Lightning and Fabric keep beside a sharded checkpoint: all that is neither model nor optimizer. */
export const lightningRules: readonly Rule[] = [[/meta\.pt$/, 'trainer-state', 'trainerState', 'torch', otherwiseTrainerState]];

export const olmoRules: readonly Rule[] = [
  [/(train|other)\.pt$/, 'trainer-state', 'trainerState', 'torch', otherwiseTrainerState],
  [/train\/rank\d+\.pt$/, 'trainer-state-of-rank', 'trainerState', 'torch', otherwiseTrainerState],
  [/optim\/rank\d+\.pt$/, 'optimizer-state-of-rank', 'optimizer', 'torch', componentOfOptimizerPath],
];

export const verlRules: readonly Rule[] = [[/data\.pt$/, 'data-loader-position', 'dataLoader', 'torch']];

function always(component: ComponentId, part: TensorPart): Classifier {
  return () => ({ component, part });
}

/** Megatron's distributed optimizer calls its float32 copy of the parameters `param`, in each of its buffers. */
function distributedOptimizerTensors(keyPath: readonly string[]): ReturnType<Classifier> {
  const isMaster = keyPath.at(-1) === 'param' || keyPath.at(-2) === 'param';
  return isMaster ? { component: 'masterWeights', part: 'whole' } : componentOfOptimizerPath(keyPath);
}

/** Objects of the training code: what no key calls a part of training state is the object's own. */
function otherwiseTrainerState(keyPath: readonly string[]): ReturnType<Classifier> {
  const found = componentOfPath(keyPath);
  const isNamed = keyPath.slice(0, -1).some((key) => componentOfStateKey(key) === 'weights');
  return found.component === 'weights' && !isNamed ? { component: 'trainerState', part: 'whole' } : found;
}
