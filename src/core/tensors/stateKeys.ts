/** What the keys of a checkpoint dict say about the parts of training state below them. */
import type { ComponentId } from './component.js';

/** Keys under which training code keeps each part, compared whole and in lower case. */
const componentOfKey = new Map<string, ComponentId>();
function assign(component: ComponentId, keys: string): void {
  for (const key of keys.split(' ')) componentOfKey.set(key, component);
}
assign(
  'optimizer',
  'optimizer optimizers optim optimizer_state optimizer_states optimizer_state_dict optim_state_dict opt opt_state param_states',
);
assign('masterWeights', 'master masters master_params master_weights fp32_params fp32_from_fp16_params');
assign(
  'ema',
  'ema ema_state_dict model_ema ema_model ema_weights ema_params averaged averaged_model swa swa_model swa_state_dict shadow shadow_params state_dict_ema',
);
assign(
  'scheduler',
  'lr_scheduler lr_schedulers scheduler schedulers sched opt_param_scheduler lr_scheduler_state_dict scheduler_state_dict',
);
assign('gradScaler', 'scaler scalers grad_scaler amp_scaler loss_scaler scaler_state_dict amp');
assign(
  'rng',
  'rng rng_state rng_states random_state random_states rng_state_dict torch_rng_state cuda_rng_state cpu_rng_state torch_rng cuda_rng torch_cuda_manual_seed torch_manual_seed numpy_random_seed rng_tracker_states training_key prng_key',
);
assign(
  'dataLoader',
  'dataloader dataloaders data_loader train_dataloader dataloader_state sampler samplers sampler_state data_iterator data_state dataset_state',
);
assign('gradients', 'grads gradients');
assign(
  'trainerState',
  'args hyper_parameters hparams config callbacks loops epoch step global_step iteration metrics best_metric logs history',
);
assign(
  'weights',
  'model models module state_dict model_state_dict weights params net network generator discriminator encoder decoder',
);

/** Words in keys of any other spelling (`optimizer_G`, `g_optim`, `lr_scheduler_state`, `net_ema`); the first that is in a key decides. */
const componentOfWord: readonly (readonly [ComponentId, ReadonlySet<string>])[] = [
  ['scheduler', new Set(['scheduler', 'schedulers', 'sched'])],
  ['gradScaler', new Set(['scaler', 'scalers'])],
  ['rng', new Set(['rng', 'rngs'])],
  ['optimizer', new Set(['optimizer', 'optimizers', 'optim', 'optims', 'opt'])],
  ['ema', new Set(['ema', 'swa'])],
];

/** The component that training code keeps under a key of its checkpoint dict; undefined for a key that says nothing. */
export function componentOfStateKey(key: string): ComponentId | undefined {
  const known = componentOfKey.get(key.toLowerCase());
  // A dotted key is the name of a weight.
  if (known !== undefined || key.includes('.')) return known;
  const words = wordsOf(key);
  return componentOfWord.find(([, of]) => words.some((word) => of.has(word)))?.[0];
}

/** The component of a tensor by its own key: a weight may well be called `opt_embedding`, so that of the words only `rng` counts. */
export function componentOfTensorKey(key: string): ComponentId | undefined {
  const component = componentOfStateKey(key);
  return component === 'rng' ? component : componentOfKey.get(key.toLowerCase());
}

/** `optimizerG2` and `optimizer_g_2` as `optimizer`, `g`. */
function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
}
