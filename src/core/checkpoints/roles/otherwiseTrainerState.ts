import type { Classifier } from '../../formats/sink/fileSink.js';
import { componentOfPath } from '../../tensors/componentOfPath.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';

/** Objects of the training code: what no key calls a part of training state is the object's own. */
export function otherwiseTrainerState(keyPath: readonly string[]): ReturnType<Classifier> {
  const found = componentOfPath(keyPath);
  const isNamed = keyPath.slice(0, -1).some((key) => componentOfStateKey(key) === 'weights');
  return found.component === 'weights' && !isNamed ? { component: 'trainerState', part: 'whole' } : found;
}
