/** Which part of training state a variable of TensorFlow or Keras is, from its name: a path with slashes. */
import { componentOfOptimizerPath, componentOfSlashName, type PathComponent } from './componentOfPath.js';

const attribute = '/.ATTRIBUTES/VARIABLE_VALUE';
/** tf.data's iterator in a tf.train.Checkpoint (data/ops/iterator_ops.py). */
const iteratorState = '/.ATTRIBUTES/ITERATOR_STATE';
const slot = '/.OPTIMIZER_SLOT/';

/** Counters and notes that tf.train.Checkpoint keeps beside the variables. */
const bookkeeping = new Set(['_CHECKPOINTABLE_OBJECT_GRAPH', 'save_counter', 'global_step', 'step', 'epoch']);

/** Slots of TensorFlow 1 are named after the optimizer's operation, the second one with `_1` (training/slot_creator.py). */
const slotNames = new Map<string, PathComponent['part']>(
  Object.entries({
    Adam: 'firstMoment',
    Adam_1: 'secondMoment',
    Momentum: 'firstMoment',
    RMSProp: 'secondMoment',
    RMSProp_1: 'firstMoment',
    Adagrad: 'secondMoment',
    adam_m: 'firstMoment',
    adam_v: 'secondMoment',
  }),
);

/** The component of a variable's name, given as a path of one. */
export function componentOfVariable(keyPath: readonly string[]): PathComponent {
  const stored = keyPath.join('.');
  const name = stored.endsWith(attribute) ? stored.slice(0, -attribute.length) : stored;
  const parts = name.split('/');
  if (stored.endsWith(iteratorState)) return { component: 'dataLoader', part: 'whole' };
  const last = parts.at(-1) ?? '';
  if (bookkeeping.has(name)) return { component: 'trainerState', part: 'whole' };
  if (stored.includes(slot)) return componentOfOptimizerPath(parts);
  // Keras 3 keeps the model's variables in the list of its optimizer.
  if (parts.includes('_trainable_variables')) return { component: 'weights', part: 'whole' };
  if (parts.some((part) => part.startsWith('seed_generator'))) return { component: 'rng', part: 'whole' };
  if (last === 'ExponentialMovingAverage') return { component: 'ema', part: 'whole' };
  const slotPart = slotNames.get(last);
  if (slotPart !== undefined) return { component: 'optimizer', part: slotPart };
  if (/^beta[12]_power(_\d+)?$/.test(last)) return { component: 'optimizer', part: 'otherState' };
  const found = componentOfSlashName([name]);
  return found.component === 'optimizer' ? { component: 'optimizer', part: partOfMoment(parts) ?? found.part } : found;
}

/** Keras names moments after the variable (`dense_kernel_momentum`) or keeps them in lists (`_momentums/0`). */
function partOfMoment(parts: readonly string[]): PathComponent['part'] | undefined {
  for (const part of parts) {
    if (/(^|_)momentums?$/.test(part)) return 'firstMoment';
    if (/(^|_)(velocity|velocities)$/.test(part)) return 'secondMoment';
  }
  return undefined;
}
