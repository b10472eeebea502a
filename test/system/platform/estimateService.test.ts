/** What the editor asks of an estimator, over the same connection but without a thread. */
import { afterEach, expect, it } from 'vitest';
import { startInPageEstimator } from '../../../src/platform/inPageEstimator.js';
import type { Estimator } from '../../../src/platform/estimator.js';
import { llamaConfig } from '../../builders/estimateText.js';

const links = { plan: 'command:plan', why: 'command:why' };
const place = { kind: 'virtual' } as const;
let estimator: Estimator | undefined;
afterEach(() => estimator?.dispose());

function start(files: Readonly<Record<string, string>> = {}): Estimator['endpoint'] {
  estimator = startInPageEstimator(({ path }) => {
    const text = files[path.replace(/^\.\//, '')];
    return Promise.resolve(text === undefined ? null : { path, text });
  });
  return estimator.endpoint;
}

it('answers line, card and page of a config', async () => {
  const endpoint = start();
  const text = llamaConfig();
  expect(await endpoint.request('estimate', { key: 'a', path: '/x/config.json', place, text })).toEqual({
    lens: '8.03 B parameters · checkpoint 112 GB (14 B/param)',
    isSaved: true,
    facts: [],
  });
  const card = await endpoint.request('card', { key: 'a', offset: text.indexOf('num_hidden_layers'), links });
  expect(card?.text).toContain('+218,112,000 parameters');
  expect(text.slice(card?.span.start, card?.span.end)).toBe('"num_hidden_layers"');
  expect(await endpoint.request('card', { key: 'a', offset: 0, links })).toBeNull();
  expect(await endpoint.request('page', { key: 'a' })).toContain('8,030,261,248 parameters');
  expect(await endpoint.request('page', { key: 'a', changes: { optimizer: 'lion' } })).toContain('10.00 bytes per parameter');
});

it('answers the report with the places in the text that it speaks of', async () => {
  const endpoint = start();
  const text = 'learning_rate: 1e-4\nmax_steps: 10000\nsave_steps: 200\nper_device_train_batch_size: 4\nsave_total_limit: many\n';
  await endpoint.request('estimate', { key: 'a', path: '/x/train.yaml', place, text });
  const placed = await endpoint.request('report', { key: 'a' });
  expect(placed?.report).toMatchObject({ kind: 'estimate', path: '/x/train.yaml' });
  const { findings, unresolved } = placed?.offsets ?? { findings: [], unresolved: [] };
  expect(findings).toHaveLength(placed?.report.findings.length ?? -1);
  expect(placed?.report.unresolved.map(({ key }) => key)).toEqual(['save_total_limit']);
  expect(unresolved.map((offset) => text.slice(offset, offset + 4))).toEqual(['many']);
  expect(await endpoint.request('report', { key: 'b' })).toBeNull();
});

it('asks for the files that a config names', async () => {
  const endpoint = start({ 'llama/config.json': llamaConfig() });
  const text = 'base_model: ./llama\nmicro_batch_size: 1\nsequence_len: 512\nlearning_rate: 1e-4\ndatasets: []\n';
  const made = await endpoint.request('estimate', { key: 'a', path: '/x/axolotl.yaml', place, text });
  expect(made?.lens).toMatch(/^8\.03 B parameters/);
});

it('has nothing for what is no config, or was forgotten', async () => {
  const endpoint = start();
  expect(await endpoint.request('estimate', { key: 'a', path: '/x/package.json', place, text: '{"name": "x"}' })).toBeNull();
  expect(await endpoint.request('page', { key: 'a' })).toBeNull();
  await endpoint.request('estimate', { key: 'b', path: '/x/config.json', place, text: llamaConfig() });
  await endpoint.request('forget', { key: 'b' });
  expect(await endpoint.request('page', { key: 'b' })).toBeNull();
});

it('refuses an unknown optimizer and an unknown precision', async () => {
  const endpoint = start();
  await endpoint.request('estimate', { key: 'a', path: '/x/config.json', place, text: llamaConfig() });
  await expect(endpoint.request('page', { key: 'a', changes: { optimizer: 'no such thing' } })).rejects.toThrow('no such thing');
  await expect(endpoint.request('page', { key: 'a', changes: { precision: 'f7' } })).rejects.toThrow('f7');
});
