/** Agents of Stable-Baselines3 in directories of their own, as RL Baselines3 Zoo has them. */
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const [saved] = Object.values(fixtureBelow('stable-baselines3/ppo', '.'));
const monitor = utf8('#{"t_start": 1.0, "env_id": "CartPole-v1"}\nr,l,t\n1.0,2,3.0\n');

function agent(directory: string, name: string): Record<string, Uint8Array> {
  return {
    [`${directory}/${name}.zip`]: saved as Uint8Array,
    [`${directory}/0.monitor.csv`]: monitor,
    [`${directory}/${name}/config.yml`]: utf8('gamma: 0.9\n'),
  };
}

const zoo = {
  ...agent('ppo/CartPole-v1_1', 'CartPole-v1'),
  ...agent('ppo/Pendulum-v1_1', 'Pendulum-v1'),
  ...agent('a2c/CartPole-v1_1', 'CartPole-v1'),
};

it('are parts of a collection, each with the files beside it', async () => {
  const report = await inspectAnyHostile(memoryTree('zoo', { ...zoo, 'benchmark.md': utf8('# Scores\n') }));
  expect(report.kind).toBe('collection');
  if (report.kind !== 'collection') return;
  expect(report.parts.map(({ path, files }) => ({ path, files }))).toEqual(
    ['a2c/CartPole-v1_1', 'ppo/CartPole-v1_1', 'ppo/Pendulum-v1_1'].map((path) => ({ path, files: 3 })),
  );
  expect(report.parts.map((part) => part.kind)).toEqual(['checkpoint', 'checkpoint', 'checkpoint']);
});

it('alone are no collection', async () => {
  expect(await inspectAnyHostile(memoryTree('one', agent('a2c/CartPole-v1_1', 'CartPole-v1')))).toMatchObject({
    kind: 'checkpoint',
  });
});

it('of one run beside each other are one thing', async () => {
  const steps = { 'agent_1000_steps.zip': saved as Uint8Array, 'agent_2000_steps.zip': saved as Uint8Array };
  expect(await inspectAnyHostile(memoryTree('logs', steps))).toMatchObject({ kind: 'checkpoint' });
});

it('are not any archives', async () => {
  const other = zipSync({ 'notes.txt': utf8('text') });
  const report = await inspectAnyHostile(memoryTree('archives', { 'a/x.zip': other, 'b/y.zip': other }));
  expect(report.kind).toBe('checkpoint');
});
