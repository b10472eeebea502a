/** What transformers' Trainer does with a checkpoint from which something was lost or renamed. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { torchState, type State } from '../../builders/torchStateBuilder.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { buildSafetensors, buildSafetensorsIndex } from '../../builders/safetensorsBuilder.js';

async function verdictOf(files: Record<string, Uint8Array>, root = 'checkpoint-2') {
  const { report } = await inspectCheckpoint(memoryTree(root, files), { path: root });
  const codes = report.findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code);
  return { verdict: report.resume.verdict, codes, parameters: report.parameters.unique };
}

describe('a model', () => {
  it('counts once where a whole file in another dtype is beside its shards', async () => {
    const tensor = (dtype: string) => ({ dtype, shape: [4, 8], data: new Uint8Array(dtype === 'F32' ? 128 : 64).fill(1) });
    const shards = {
      'config.json': utf8('{}'),
      'model-00001-of-00002.safetensors': buildSafetensors({ tensors: { a: tensor('BF16') } }),
      'model-00002-of-00002.safetensors': buildSafetensors({ tensors: { b: tensor('BF16') } }),
      'model.safetensors.index.json': buildSafetensorsIndex({
        a: 'model-00001-of-00002.safetensors',
        b: 'model-00002-of-00002.safetensors',
      }),
    };
    const whole = buildSafetensors({ tensors: { a: tensor('F32'), b: tensor('F32') } });
    expect((await verdictOf(shards, 'm')).parameters).toBe(64);
    expect((await verdictOf({ ...shards, 'model.safetensors': whole }, 'm')).parameters).toBe(64);
  });

  it('in shards without their index does not load', async () => {
    const files = fixtureBelow('hf/llama-sharded-bf16');
    delete files['model.safetensors.index.json'];
    expect(await verdictOf(files, 'm')).toMatchObject({ verdict: 'broken', codes: ['index-missing'] });
  });

  it('in safetensors under the name of a pickle does not load', async () => {
    const { 'model.safetensors': model, ...rest } = fixtureBelow('hf/qwen3-tied');
    const files = { ...rest, 'pytorch_model.bin': model as Uint8Array };
    expect(await verdictOf(files, 'm')).toMatchObject({ verdict: 'broken', codes: ['safetensors-under-another-name'] });
  });
});

it('a save of training_args.bin beside the model is no checkpoint that lost its state', async () => {
  const bytes = fixtureBelow('hf/trainer-ddp-2r')['checkpoint-2/training_args.bin'] as Uint8Array;
  const { codes } = await verdictOf({ ...fixtureBelow('hf/qwen3-tied'), 'training_args.bin': bytes }, 'm');
  expect(codes).not.toContain('trainer-state-lost');
});

describe('optimizer state beside the weights of another model', () => {
  const below = (files: Record<string, Uint8Array>): Record<string, Uint8Array> =>
    Object.fromEntries(
      Object.entries(files).flatMap(([name, bytes]) => (name.startsWith('checkpoint-2/') ? [[name.slice(13), bytes]] : [])),
    );

  it('does not resume', async () => {
    const files = below(fixtureBelow('hf/trainer-pure-bf16'));
    expect((await verdictOf(files)).codes).not.toContain('optimizer-of-other-model');
    const other = buildSafetensors({
      tensors: Object.fromEntries(
        Array.from({ length: 20 }, (_, layer) => [`model.layers.${layer}.mlp.up_proj.weight`, { dtype: 'BF16', shape: [10, 6] }]),
      ),
    });
    const replaced = await verdictOf({ ...files, 'model.safetensors': other });
    expect(replaced).toMatchObject({ verdict: 'broken', codes: ['optimizer-of-other-model'] });
  });

  it.each(['hf/trainer-lora', 'hf/trainer-adafactor', 'hf/trainer-adamw-bnb-8bit', 'hf/trainer-adamw-torchao-8bit'])(
    'is none in %s',
    async (name) => {
      expect((await verdictOf(below(fixtureBelow(name)))).codes).not.toContain('optimizer-of-other-model');
    },
  );
});

describe('a model beside an adapter', () => {
  const adapter = (name: string): Record<string, Uint8Array> =>
    Object.fromEntries(
      Object.entries(fixtureBelow('hf/trainer-lora')).flatMap(([file, bytes]) =>
        file.startsWith(`checkpoint-2/${name}`) ? [[file.slice(13), bytes]] : [],
      ),
    );

  it.each([
    ['an adapter', 'adapter', 'peft-adapter'],
    ['a checkpoint of one', '', 'huggingface-trainer'],
  ])('is said of %s', async (_, name, layout) => {
    const files = adapter(name);
    const { report: alone } = await inspectCheckpoint(memoryTree('checkpoint-2', files), { path: 'checkpoint-2' });
    expect(alone.findings.map(({ code }) => code)).not.toContain('model-beside-adapter');
    const both = { ...files, ...fixtureBelow('hf/qwen3-tied') };
    const { report } = await inspectCheckpoint(memoryTree('checkpoint-2', both), { path: 'checkpoint-2' });
    expect(report.layout).toBe(layout);
    const codes = report.findings.map(({ code }) => code);
    expect(codes).toContain('model-beside-adapter');
    expect(codes).not.toContain('base-model-elsewhere');
    const { report: model } = await inspectCheckpoint(memoryTree('m', fixtureBelow('hf/qwen3-tied')), { path: 'm' });
    expect(report.parameters.unique).toBe(model.parameters.unique + alone.parameters.unique);
  });
});

it('two copies in one dtype count once, as shards and a whole file, and as safetensors and a pickle', async () => {
  const tensors = { a: { dtype: 'BF16', shape: [4, 8], data: new Uint8Array(64).fill(1) } };
  const pickle = buildTorchZip({ ...stateDict({ a: ['bf16', [4, 8]] }), storages: { '0': tensors.a.data } });
  const files = { 'config.json': utf8('{}'), 'model.safetensors': buildSafetensors({ tensors }), 'pytorch_model.bin': pickle };
  const { report } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
  expect(report.parameters.unique).toBe(32);
});

it('a directory under its name during the save is unfinished', async () => {
  const files = Object.fromEntries(
    Object.entries(fixtureBelow('hf/trainer-pure-bf16')).flatMap(([name, bytes]) =>
      name.startsWith('checkpoint-2/') ? [[name.slice(13), bytes]] : [],
    ),
  );
  expect((await verdictOf(files, 'checkpoint-2')).codes).toEqual([]);
  expect(await verdictOf(files, 'tmp-checkpoint-2')).toMatchObject({ verdict: 'broken', codes: ['save-unfinished'] });
  const { 'trainer_state.json': _, ...lost } = files;
  const { report } = await inspectCheckpoint(memoryTree('tmp-checkpoint-2', lost), { path: 'tmp-checkpoint-2' });
  expect(report).toMatchObject({ layout: 'huggingface-trainer', step: 2 });
});

describe('the scheduler of a Trainer checkpoint', () => {
  const files = Object.fromEntries(
    Object.entries(fixtureBelow('hf/trainer-pure-bf16')).flatMap(([name, bytes]) =>
      name.startsWith('checkpoint-2/') ? [[name.slice(13), bytes]] : [],
    ),
  );
  const at = (step: number, lastEpoch: number, more: Record<string, number> = {}): Record<string, Uint8Array> => ({
    ...files,
    'trainer_state.json': utf8(JSON.stringify({ global_step: step })),
    'scheduler.pt': torchState(() => ({ last_epoch: lastEpoch, ...more })),
  });

  const scaler = torchState(() => ({ scale: 65_536, growth_factor: 2, backoff_factor: 0.5, growth_interval: 2000 }));
  const withoutArguments = ({ 'training_args.bin': _, ...others }: Record<string, Uint8Array>) => others;

  it.each<[string, Record<string, Uint8Array>, number, string[]]>([
    ['is of the same step', at(1000, 1000), 1000, []],
    ['is behind by steps that a scaler skipped', { ...at(1000, 910), 'scaler.pt': scaler }, 1000, []],
    ['is behind by steps that a scaler may have skipped', withoutArguments(at(1000, 910)), 1000, ['file-missing']],
    ['is behind without a scaler', at(1000, 999), 1000, ['scheduler-step-differs']],
    ['is of an earlier save', at(1000, 500), 1000, ['scheduler-step-differs']],
    ['is of a later save', at(500, 1000), 500, ['scheduler-step-differs']],
    ['follows a metric', at(1000, 4, { num_bad_epochs: 1 }), 1000, []],
  ])('%s', async (_, checkpoint, step, expected) => {
    expect((await verdictOf(checkpoint, `checkpoint-${step}`)).codes).toEqual(expected);
  });

  const state = (config: Record<string, State>, scheduler: State): Record<string, Uint8Array> => ({
    'trainer_state.json': utf8('{"global_step":3}'),
    'config.json': utf8('{"transformers_version":"4.50.0"}'),
    'rng_state.pth': torchState((tensor) => ({ python: 1, cpu: tensor([8]) })),
    latest: utf8('global_step3'),
    'global_step3/mp_rank_00_model_states.pt': torchState((tensor) => ({
      module: { 'a.weight': tensor([4, 4]) },
      optimizer: { state: { '0': { exp_avg: tensor([4, 4]) } } },
      lr_scheduler: scheduler,
      global_steps: 3,
      ds_config: { bf16: { enabled: true }, ...config },
    })),
  });
  const torch = { last_epoch: 3 };
  const saved = { 'scheduler.pt': torchState(() => torch) };

  it.each<[string, Record<string, Uint8Array>, boolean]>([
    ['belongs to it where DeepSpeed’s config sets neither optimizer nor scheduler', state({}, torch), true],
    ['is there', { ...state({}, torch), ...saved }, false],
    ['is DeepSpeed’s own', state({}, { last_batch_iteration: 3 }), false],
    ['is stepped by DeepSpeed’s optimizer', state({ optimizer: { type: 'AdamW' } }, torch), false],
    ['was not saved by old releases', { ...state({}, torch), 'config.json': utf8('{"transformers_version":"4.28.1"}') }, false],
  ])('beside DeepSpeed: %s', async (_, checkpoint, isMissing) => {
    const { codes, verdict } = await verdictOf(checkpoint, 'checkpoint-3');
    expect(codes.includes('scheduler-missing')).toBe(isMissing);
    expect(verdict).toBe(isMissing ? 'partial' : 'complete');
  });
});
