/** Which part of training state a tensor is, from the key path under which a framework stored it. */
import type { ComponentId, TensorPart } from './component.js';

export interface PathComponent {
  component: ComponentId;
  part: TensorPart;
}

/** Leaf keys of optimizer state, by what they are: the names that torch, bitsandbytes, torchao, transformers and DeepSpeed use. */
const firstMomentKeys = new Set([
  'exp_avg',
  'momentum_buffer',
  'momentum',
  'm',
  'mu',
  'trace',
  'exp_avg_slow',
  'z',
  'state1',
  'absmax1',
  'qmap1',
  'max1',
  'new_max1',
  'ax',
]);
const secondMomentKeys = new Set([
  'exp_avg_sq',
  'max_exp_avg_sq',
  'square_avg',
  'sum',
  'exp_inf',
  'v',
  'nu',
  'acc_delta',
  'state2',
  'absmax2',
  'qmap2',
  'max2',
  'new_max2',
  'exp_avg_sq_row',
  'exp_avg_sq_col',
  'exp_avg_res_row',
  'exp_avg_res_col',
  'row_var',
  'col_var',
  'variance',
  'hessian',
  'second_momentum_buffer',
]);
const masterKeys = new Set([
  'master_param',
  'master_params',
  'master_weights',
  'master',
  'fp32_param',
  'fp32_params',
  'fp32_flat_groups',
  'single_partition_of_fp32_groups',
  'fp32_from_fp16_params',
  'fp32_from_fp16',
  'fp32_groups',
]);
/** Keys of optimizer state that are safe to recognise in a flat name: no weight of a model is called that. */
const unmistakableKeys = new Set(
  [...firstMomentKeys, ...secondMomentKeys].filter(
    (key) => key.includes('_') && (key.startsWith('exp_') || key.endsWith('_buffer') || key.endsWith('_sq')),
  ),
);

/** Keys of a checkpoint dict under which training code keeps each part; compared whole and in lower case. */
const componentOfKey = new Map<string, ComponentId>();
function assign(component: ComponentId, keys: string): void {
  for (const key of keys.split(' ')) componentOfKey.set(key, component);
}
assign(
  'optimizer',
  'optimizer optimizers optim optimizer_state optimizer_states optimizer_state_dict optim_state_dict opt opt_state',
);
assign('masterWeights', 'master masters master_params master_weights fp32_params fp32_from_fp16_params');
assign(
  'ema',
  'ema ema_state_dict model_ema ema_model ema_weights ema_params averaged averaged_model swa swa_model swa_state_dict shadow_params state_dict_ema',
);
assign(
  'scheduler',
  'lr_scheduler lr_schedulers scheduler schedulers sched opt_param_scheduler lr_scheduler_state_dict scheduler_state_dict',
);
assign('gradScaler', 'scaler scalers grad_scaler amp_scaler loss_scaler scaler_state_dict amp');
assign(
  'rng',
  'rng rng_state rng_states random_state random_states rng_state_dict torch_rng_state cuda_rng_state cpu_rng_state torch_rng cuda_rng torch_cuda_manual_seed torch_manual_seed numpy_random_seed rng_tracker_states',
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

/** A tensor below an optimizer's key: which moment, master weights, or other state. */
export function componentOfOptimizerPath(keyPath: readonly string[]): PathComponent {
  for (let index = keyPath.length - 1; index >= 0; index--) {
    const key = keyPath[index] as string;
    if (masterKeys.has(key)) return { component: 'masterWeights', part: 'whole' };
    if (firstMomentKeys.has(key)) return { component: 'optimizer', part: 'firstMoment' };
    if (secondMomentKeys.has(key)) return { component: 'optimizer', part: 'secondMoment' };
  }
  return { component: 'optimizer', part: 'otherState' };
}

/** A tensor anywhere in a checkpoint of any training code; weights where no key says otherwise. */
export function componentOfPath(keyPath: readonly string[]): PathComponent {
  if (keyPath.length === 1) return componentOfFlatName(keyPath[0] as string);
  // An optimizer's own state_dict, saved by itself.
  if (keyPath[0] === 'state' && keyPath.length >= 3) return componentOfOptimizerPath(keyPath);
  for (const key of keyPath) {
    const component = componentOfKey.get(key.toLowerCase());
    if (component === 'optimizer') return componentOfOptimizerPath(keyPath);
    if (component !== undefined) return { component, part: 'whole' };
  }
  return componentOfFlatName(keyPath.at(-1) as string);
}

/** A dotted name from a format without nesting: only what cannot be a weight's name counts. */
export function componentOfFlatName(name: string): PathComponent {
  const parts = name.split('.');
  if (parts.some((part) => unmistakableKeys.has(part))) return componentOfOptimizerPath(parts);
  const first = parts[0]?.toLowerCase() ?? '';
  if (parts.length > 1 && (first === 'optimizer' || first === 'optim')) return componentOfOptimizerPath(parts);
  if (parts.length > 1 && (first === 'ema' || first === 'model_ema')) return { component: 'ema', part: 'whole' };
  if (componentOfKey.get(first) === 'rng' && parts.length === 1) return { component: 'rng', part: 'whole' };
  return { component: 'weights', part: 'whole' };
}

/** The component that training code keeps under a key of its checkpoint dict; undefined for a key that says nothing. */
export function componentOfStateKey(key: string): ComponentId | undefined {
  return componentOfKey.get(key.toLowerCase());
}
