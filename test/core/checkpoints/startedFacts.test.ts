/** Which learning rate a state of DeepSpeed has: the one that it had reached, and not the one that the job was started with. */
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/core/checkpoints/checkpointReport.js';
import { findStateFacts } from '../../../src/core/checkpoints/stateFacts.js';

const leaf = (key: string, text: string): ObjectNode => ({ key, kind: 'number', text });
const inner = (key: string, ...children: ObjectNode[]): ObjectNode => ({
  key,
  kind: 'dict',
  text: '',
  count: children.length,
  children,
});
const list = (key: string, ...children: ObjectNode[]): ObjectNode => ({ ...inner(key, ...children), kind: 'list' });

const config = inner(
  'ds_config',
  inner('optimizer', inner('params', leaf('lr', '0.001'))),
  leaf('train_micro_batch_size_per_gpu', '2'),
);
const reached = inner('optimizer_state_dict', list('param_groups', inner('0', leaf('lr', '0.0007'))));

it.each([
  ['beside a reached one', inner('', config, reached), '0.0007'],
  ['alone', inner('', config), '0.001'],
])('the config %s', (_, root, rate) => {
  const facts = findStateFacts([{ path: 'optim_states.pt', root }]);
  expect(facts.filter(({ id }) => id === 'learningRate').map(({ value }) => value)).toEqual([rate]);
  expect(facts.find(({ id }) => id === 'deviceBatchSize')?.value).toBe('2');
});
