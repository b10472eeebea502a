/** Which part of training state a tensor is, from the key path under which a framework stored it. */
import type { ComponentId, TensorPart } from './component.js';
import { componentOfStateKey, componentOfTensorKey } from './stateKeys.js';

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
/** Leaf keys of torch's optimizers that are no moment: counters, and what Rprop, ASGD, NAdam and centered RMSprop remember. */
const otherStateKeys = new Set(['step', 'prev', 'step_size', 'eta', 'mu_product', 'grad_avg']);
/** Keys of optimizer state that are safe to recognise in a flat name: no weight of a model is called that. */
const unmistakableKeys = new Set(
  [...firstMomentKeys, ...secondMomentKeys].filter(
    (key) => key.includes('_') && (key.startsWith('exp_') || key.endsWith('_buffer') || key.endsWith('_sq')),
  ),
);

const scalerKeys = new Set(['grad_scaler', 'loss_scaler']);

/** A tensor below an optimizer's key: which moment, master weights, or other state. */
export function componentOfOptimizerPath(keyPath: readonly string[]): PathComponent {
  // Megatron keeps the loss scale of fp16 inside of the optimizer's dict (optimizer.py: MixedPrecisionOptimizer.state_dict).
  if (keyPath.some((key) => scalerKeys.has(key))) return { component: 'gradScaler', part: 'whole' };
  for (let index = keyPath.length - 1; index >= 0; index--) {
    const own = keyPath[index] as string;
    // torchtitan flattens an optimizer's dict: `state.layers.0.wq.weight.exp_avg` is one key of it.
    const key = index === keyPath.length - 1 ? own.slice(own.lastIndexOf('.') + 1) : own;
    if (masterKeys.has(key)) return { component: 'masterWeights', part: 'whole' };
    if (firstMomentKeys.has(key)) return { component: 'optimizer', part: 'firstMoment' };
    if (secondMomentKeys.has(key)) return { component: 'optimizer', part: 'secondMoment' };
  }
  return { component: 'optimizer', part: 'otherState' };
}

/** A tensor anywhere in a checkpoint of any training code; weights where no key says otherwise. */
export function componentOfPath(keyPath: readonly string[]): PathComponent {
  const [first = ''] = keyPath;
  if (keyPath.length <= 1) return componentOfFlatName(first);
  // A dict that was flattened by hand in part: `optim.state` above the names of the parameters.
  if (first.includes('.')) return componentOfPath([...first.split('.'), ...keyPath.slice(1)]);
  const component = componentAround(keyPath);
  if (component === 'optimizer' || (isOptimizerEntry(keyPath) && !(component === 'weights' && isNamedModel(keyPath))))
    return componentOfOptimizerPath(keyPath);
  if (component !== undefined) return { component, part: 'whole' };
  return componentOfStateName((keyPath.at(-1) as string).split('.')) ?? { component: 'weights', part: 'whole' };
}

/** Parts that training code keeps inside of a network's own dict, as in `generator.optimizer`. No weight lies below such a key. */
const partsOfNetworks = new Set<ComponentId>(['optimizer', 'masterWeights', 'ema', 'gradients', 'gradScaler', 'scheduler']);

/** What the outermost known key says; a network's dict may hold parts of its own. */
function componentAround(keyPath: readonly string[]): ComponentId | undefined {
  let found: ComponentId | undefined;
  for (const [index, key] of keyPath.entries()) {
    const isTensorsOwn = index === keyPath.length - 1;
    // Below a network the last key is the name of a weight, whatever it says.
    if (found === 'weights' && isTensorsOwn) break;
    if (key === 'opt' && isModelCalledOpt(keyPath.slice(index + 1))) continue;
    const component = isTensorsOwn ? componentOfTensorKey(key) : componentOfStateKey(key);
    if (found === undefined || (component !== undefined && partsOfNetworks.has(component))) found = component;
    if (found !== undefined && found !== 'weights') return found;
  }
  return found;
}

/** Last keys of modules' parameters in flax and Keras. */
const parameterKeys = new Set(['kernel', 'bias', 'weight', 'embedding', 'scale', 'gamma', 'beta']);

/** OPT is a model, too: below `opt` are modules and a parameter's name then, and nothing that an optimizer has. */
function isModelCalledOpt(below: readonly string[]): boolean {
  const last = below.at(-1) ?? '';
  return below.length > 1 && parameterKeys.has(last) && !below.some((key) => isOptimizersOwn(key));
}

function isOptimizersOwn(key: string): boolean {
  return isStateLeaf(key) || /^(\d+|state|count|inner_states?|hyperparams|param_states|moments?|adam\w*)$/.test(key);
}

/** An optimizer's own state_dict, at the root or under any key. */
function isOptimizerEntry(keyPath: readonly string[]): boolean {
  return (keyPath[0] === 'state' && keyPath.length >= 3) || hasNumberedState(keyPath);
}

/** Composer keeps the whole checkpoint below `state`: `state.model.layers.0.weight` is no moment of a parameter called `model`. */
function isNamedModel(keyPath: readonly string[]): boolean {
  return keyPath[1] === 'model' && !isStateLeaf(keyPath.at(-1) as string);
}

/** `state.12.exp_avg`: torch numbers the parameters of an optimizer. */
function hasNumberedState(keyPath: readonly string[]): boolean {
  return keyPath.some(
    (key, index) => key === 'state' && index < keyPath.length - 2 && /^\d+$/.test(keyPath[index + 1] as string),
  );
}

/** A dotted name from a format without nesting: only what cannot be a weight's name counts. */
export function componentOfFlatName(name: string): PathComponent {
  const parts = name.split('.');
  const state = componentOfStateName(parts);
  if (state !== undefined) return state;
  const first = parts[0]?.toLowerCase() ?? '';
  if (parts.length > 1 && (first === 'optimizer' || first === 'optim')) return componentOfOptimizerPath(parts);
  if (parts.length > 1 && (first === 'ema' || first === 'model_ema')) return { component: 'ema', part: 'whole' };
  if (parts.length === 1 && componentOfTensorKey(first) === 'rng') return { component: 'rng', part: 'whole' };
  return { component: 'weights', part: 'whole' };
}

/** A name whose parts are separated by slashes, as archives of arrays and HDF5 have them. */
export function componentOfSlashName(keyPath: readonly string[]): PathComponent {
  const parts = keyPath.join('.').split('/');
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return componentOfPath(parts);
  // A counter beside the arrays (`step`) is no weight.
  const component = componentOfTensorKey(only);
  return component === undefined ? componentOfFlatName(only) : { component, part: 'whole' };
}

/** The parts of a name that only optimizer state has; undefined for any other. */
function componentOfStateName(parts: readonly string[]): PathComponent | undefined {
  return hasNumberedState(parts) || isFlatState(parts) || parts.some((part) => unmistakableKeys.has(part))
    ? componentOfOptimizerPath(parts)
    : undefined;
}

/** `state.layers.0.weight.step`: a flattened optimizer has the name of the parameter between (torch's `_flatten_optim_state_dict`). */
function isFlatState(parts: readonly string[]): boolean {
  const leaf = parts.at(-1) ?? '';
  return parts[0] === 'state' && parts.length >= 3 && isStateLeaf(leaf);
}

function isStateLeaf(key: string): boolean {
  return firstMomentKeys.has(key) || secondMomentKeys.has(key) || masterKeys.has(key) || otherStateKeys.has(key);
}
