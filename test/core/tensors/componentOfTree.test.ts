import { expect, it } from 'vitest';
import { componentOfTreeLeaf } from '../../../src/core/tensors/componentOfTree.js';

it.each([
  [['config'], ['lr'], 'trainerState'],
  [['metrics'], ['eval', 'loss'], 'trainerState'],
  [['state'], ['params', 'dense', 'kernel'], 'weights'],
  [['default'], ['dense', 'kernel'], 'weights'],
  [['params'], ['dense', 'kernel'], 'weights'],
])('in %j %j is %s', (around, keyPath, component) => {
  expect(componentOfTreeLeaf(around, keyPath).component).toBe(component);
});
