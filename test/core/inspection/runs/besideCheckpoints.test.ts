/** What Trainer leaves in the directory of its checkpoints: a model is one of them, configs, arguments and logs are none. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import { memoryTree } from '../../../builders/memoryTree.js';

type Files = Record<string, Uint8Array>;

const one = fixtureBelow('hf/trainer-ddp-2r');
const run = (steps: readonly number[]): Files =>
  Object.fromEntries(
    steps.flatMap((step) =>
      Object.entries(one).map(([path, bytes]) => [path.replace('checkpoint-2', `checkpoint-${step}`), bytes] as const),
    ),
  );
const copied = (...names: string[]): Files =>
  Object.fromEntries(names.map((name) => [name, one[`checkpoint-2/${name}`] as Uint8Array]));

async function rowsOf(files: Files) {
  const { report } = await inspect(memoryTree('run', files), { path: 'run' });
  if (report.kind !== 'checkpoint') throw new Error(`this is a ${report.kind}`);
  expect(report.totalBytes).toBe(Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0));
  const severe = report.findings.filter(({ severity, code }) => severity === 'error' || code.endsWith('-missing'));
  return { layout: report.layout, rows: report.run?.checkpoints.map(({ path }) => path), severe, verdict: report.resume.verdict };
}

describe.each([1, 2])('beside %d checkpoints', (count) => {
  const steps = [2, 4].slice(0, count);
  const names = steps.map((step) => `checkpoint-${step}`);

  it.each([
    [['config.json']],
    [['config.json', 'generation_config.json']],
    [['training_args.bin']],
    [['trainer_state.json']],
    [['config.json', 'trainer_state.json', 'training_args.bin']],
  ])('%s are of the run', async (own) => {
    expect(await rowsOf({ ...run(steps), ...copied(...own) })).toEqual({
      layout: 'run',
      rows: names,
      severe: [],
      verdict: 'complete',
    });
  });

  it.each([
    [['config.json', 'model.safetensors']],
    [['config.json', 'model.safetensors', 'training_args.bin']],
    [['config.json', 'model.safetensors', 'trainer_state.json', 'training_args.bin']],
  ])('%s are the model that was left', async (own) => {
    expect(await rowsOf({ ...run(steps), ...copied(...own) })).toEqual({
      layout: 'run',
      rows: [...names, ''],
      severe: [],
      verdict: 'complete',
    });
  });

  it('a pickled model with the arguments is the model that was left', async () => {
    const model = fixtureBelow('hf/old-bin')['pytorch_model.bin'] as Uint8Array;
    const { rows } = await rowsOf({ ...run(steps), ...copied('config.json', 'training_args.bin'), 'pytorch_model.bin': model });
    expect(rows).toEqual([...names, '']);
  });
});

it('the config of an adapter beside checkpoints is no adapter that lost its weights', async () => {
  const files = fixtureBelow('hf/trainer-lora');
  const config = files['checkpoint-2/adapter_config.json'] as Uint8Array;
  expect(await rowsOf({ ...files, 'adapter_config.json': config })).toMatchObject({
    rows: ['checkpoint-2', 'checkpoint-4'],
    severe: [],
  });
});

it('an index whose shards are lost is a model beside its checkpoints', async () => {
  const index = new TextEncoder().encode('{"weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}');
  const { rows, severe } = await rowsOf({
    ...run([2, 4]),
    ...copied('config.json'),
    'model.safetensors.index.json': index,
  });
  expect(rows).toEqual(['checkpoint-2', 'checkpoint-4', '']);
  expect(severe.map(({ code }) => code)).toContain('index-shard-missing');
});

it('an optimizer beside checkpoints is a checkpoint whose model is lost', async () => {
  const { report } = await inspect(memoryTree('run', { ...run([2]), ...copied('optimizer.pt', 'trainer_state.json') }), {
    path: 'run',
  });
  expect(report).toMatchObject({ kind: 'collection' });
});
