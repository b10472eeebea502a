/** Names of an optimizer's settings in a distributed save are no state of it. */
import { describe, expect, it } from 'vitest';
import { hasOptimizerSettingsAlone } from '../../../src/core/checkpoints/optimizerSettings.js';
import type { StateObject } from '../../../src/core/checkpoints/parts.js';
import { PickleDict } from '../../../src/core/formats/pickle/pickleValue.js';

function objectsOf(...keys: string[]): { objects: StateObject[] } {
  const root = new PickleDict();
  root.keys = keys;
  root.values = keys.map(() => 1);
  return { objects: [{ path: 'step_3/.metadata', value: { kind: 'pickle', root } }] };
}

const settings = ['optim.param_groups.0.lr', 'optim.param_groups.0.betas'];

describe('settings of an optimizer alone', () => {
  it('are param_groups with betas and nothing else of it', () => {
    expect(hasOptimizerSettingsAlone(objectsOf(...settings, 'train_state.step'), 0)).toBe(true);
  });

  it('are not alone beside moments or counters', () => {
    expect(hasOptimizerSettingsAlone(objectsOf(...settings), 2)).toBe(false);
    expect(hasOptimizerSettingsAlone(objectsOf(...settings, 'optim.state.a.weight.step'), 0)).toBe(false);
  });

  it('are all that plain SGD has', () => {
    expect(hasOptimizerSettingsAlone(objectsOf('optim.param_groups.0.lr', 'optim.param_groups.0.momentum'), 0)).toBe(false);
  });
});
