/**
 * Which part of training state a leaf of a JAX tree is: the names of flax's TrainState, optax, MaxText, t5x and Levanter. Trees have no
 * dicts of their own kind as torch's optimizers do: what counts is the outermost key that says something.
 */
import { componentOfOptimizerPath, componentOfPath, type PathComponent } from './componentOfPath.js';
import { componentOfStateKey } from './stateKeys.js';

/** Keys around a whole train state. They say nothing themselves, and torch's `state` is another thing. */
const wrappers = new Set(['state', 'train_state', 'target']);

/**
 * @param around names of the directories in which the tree lies; an item may be called `params` or `rng`
 * @param keyPath the leaf's keys, several of which may be joined with `.` or `/`
 */
export function componentOfTreeLeaf(around: readonly string[], keyPath: readonly string[]): PathComponent {
  const keys = keyPath.flatMap((key) => key.split(/[./]/));
  while (keys.length > 1 && wrappers.has(keys[0] as string)) keys.shift();
  const own = componentOfKeys(keys);
  if (own.component !== 'weights') return own;
  const outer = around
    .map((key) => componentOfStateKey(key))
    .find((component) => component !== undefined && component !== 'weights');
  if (outer === undefined) return own;
  return outer === 'optimizer' ? { component: outer, part: partOfOptimizer(keys) } : { component: outer, part: 'whole' };
}

function componentOfKeys(keys: readonly string[]): PathComponent {
  const own = keys.length === 1 ? componentOfStateKey(keys[0] as string) : undefined;
  const found: PathComponent = own === undefined ? componentOfPath(keys) : { component: own, part: 'whole' };
  return found.component === 'optimizer' ? { component: 'optimizer', part: partOfOptimizer(keys) } : found;
}

/** The outermost key decides: below `mu` come the names of parameters, which may well be `v`. */
function partOfOptimizer(keys: readonly string[]): PathComponent['part'] {
  return keys.map((key) => componentOfOptimizerPath([key]).part).find((part) => part !== 'otherState') ?? 'otherState';
}
