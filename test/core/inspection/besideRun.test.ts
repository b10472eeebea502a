/** What lies beside the checkpoints of a run is a part of its own where it is a model, and stays with the run where it is not. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { CollectionReport } from '../../../src/core/inspection/collection/collectionReport.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

type Files = Record<string, Uint8Array>;

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const weights = buildSafetensors({ tensors: { 'lm_head.weight': { dtype: 'F32', shape: [16, 8] } } });
const gguf = fixtureBelow('gguf/alignment');
const ggufModel = Object.values(gguf)[0] as Uint8Array;

function run(steps: readonly string[] = ['checkpoint-2', 'checkpoint-4']): Files {
  const one = Object.entries(fixtureBelow('hf/trainer-ddp-2r'));
  return Object.fromEntries(
    steps.flatMap((step) => one.map(([path, bytes]) => [path.replace('checkpoint-2', step), bytes] as const)),
  );
}

const below = (directory: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${directory}/${path}`, bytes]));

const reportOf = async (files: Files, part?: string) =>
  (await inspect(memoryTree('run', files), { path: 'run', ...(part !== undefined && { part }) })).report;

async function collectionOf(files: Files): Promise<CollectionReport> {
  const report = await reportOf(files);
  if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}: ${report.layout}`);
  const bytes = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(report.totalBytes).toBe(bytes);
  expect(report.parts.reduce((sum, part) => sum + part.totalBytes, report.other.bytes)).toBe(bytes);
  expect(report.parts.reduce((sum, part) => sum + part.files, report.other.files)).toBe(Object.keys(files).length);
  return report;
}

const rows = ({ parts }: CollectionReport): string[] => parts.map(({ path, layout }) => `${path} ${layout}`).sort();

describe('beside the checkpoints of a run', () => {
  const neighbours: Record<string, [Files, string]> = {
    'a merged model': [
      { 'merged/model.safetensors': weights, 'merged/config.json': text('{"model_type": "llama"}') },
      'merged huggingface-model',
    ],
    'a GGUF in a directory': [{ 'gguf/x.gguf': ggufModel }, 'gguf gguf'],
    'a GGUF': [{ 'x.gguf': ggufModel }, 'x.gguf gguf'],
    'shards of a GGUF': [fixtureBelow('gguf/split'), `${Object.keys(fixtureBelow('gguf/split')).sort()[0]} gguf`],
    'an ONNX model': [fixtureBelow('misc/onnx-inline', 'onnx'), 'onnx onnx'],
    'weights of torch': [{ 'final.pt': fixtureBelow('torch/state-dict')['model.pt'] as Uint8Array }, 'final.pt torch-file'],
    'a distributed save': [fixtureBelow('dcp/zstd-2r', 'export'), 'export torch-distributed'],
    'the best checkpoint': [run(['best']), 'best huggingface-trainer'],
  };

  it.each(Object.entries(neighbours))('%s is a part, and the run another', async (_name, [files, row]) => {
    const report = await collectionOf({ ...run(), ...files });
    expect(rows(report)).toEqual([' run', row]);
    expect(report.other.files).toBe(0);
    const alone = report.parts.find(({ path }) => path !== '');
    expect(alone?.kind === 'checkpoint' ? alone.parameters : 0).toBeGreaterThan(0);
  });

  it('what has a part has a report by its name', async () => {
    const files = { ...run(), 'merged/model.safetensors': weights };
    const own = await reportOf(files, 'checkpoint');
    expect(own).toMatchObject({ kind: 'checkpoint', layout: 'run', totalBytes: (await reportOf(run())).totalBytes });
  });

  it('another run of another framework is a run', async () => {
    const report = await collectionOf({ ...run(), ...fixtureBelow('lightning/trainer-ema-callbacks', 'lightning') });
    expect(rows(report)[0]).toBe(' run');
    const older = await collectionOf({ ...run(), ...below('old', run()) });
    expect(rows(older)).toEqual([' run', 'old run']);
  });

  it('below other directories has its parts, too', async () => {
    const report = await collectionOf(below('home/run', { ...run(), 'merged/model.safetensors': weights }));
    expect(rows(report)).toEqual(['home/run run', 'home/run/merged huggingface-model']);
  });

  it('beside the model that the trainer left, another one with its config is a part', async () => {
    const config = text('{"model_type": "llama"}');
    const report = await collectionOf({
      ...run(),
      'config.json': config,
      'model.safetensors': weights,
      'merged/config.json': config,
      'merged/model.safetensors': weights,
      ...below('old', run()),
    });
    expect(rows(report)).toEqual([' run', 'merged huggingface-model', 'old run']);
  });

  it('a data set is still a part', async () => {
    const report = await collectionOf({
      ...run(),
      'merged/model.safetensors': weights,
      ...fixtureBelow('datasets/mds-tokens', 'data'),
    });
    expect(rows(report)).toEqual([' run', 'data mds', 'merged huggingface-model']);
  });

  it.each<[string, Files]>([
    ['logs', { 'runs/a/events.out.tfevents.1.host': text('x'.repeat(5000)), 'train.log': text('step 1\n') }],
    ['state of the trainer', { 'training_args.bin': run()['checkpoint-2/training_args.bin'] as Uint8Array }],
    ['state in a directory', { 'state/optimizer.pt': run()['checkpoint-2/optimizer.pt'] as Uint8Array }],
    ['source code', { 'src/train.py': text('print(1)\n'), 'train.py': text('print(1)\n') }],
    ['an object under a name of torch', { 'args.bin': run()['checkpoint-2/training_args.bin'] as Uint8Array }],
  ])('%s is of the run', async (_name, files) => {
    const report = await reportOf({ ...run(), ...files });
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'run' });
    expect(report.kind === 'checkpoint' ? report.run?.checkpoints.length : 0).toBe(2);
  });
});

describe('checkpoints of another trainer', () => {
  const state = Object.values(fixtureBelow('lightning/trainer-ema-callbacks'))[0] as Uint8Array;

  it.each([['epoch=0-step=3.ckpt', 'last.ckpt'], ['last.ckpt']])('in files beside a run do not tear it: %s', async (...names) => {
    const files = Object.fromEntries(names.map((name) => [name, state]));
    const report = await collectionOf({ ...run(), ...files });
    expect(rows(report)).toEqual([' run', ...names.map((name) => `${name} lightning`)]);
    const own = await reportOf({ ...run(), ...files }, 'checkpoint');
    expect(own).toMatchObject({ layout: 'run', resume: { verdict: 'complete' } });
    expect(own.kind === 'checkpoint' ? own.run?.checkpoints.map(({ path }) => path) : []).toEqual([
      'checkpoint-2',
      'checkpoint-4',
    ]);
  });

  it('in a directory beside a run do not tear it', async () => {
    const report = await collectionOf({ ...run(), 'checkpoints/a-step=3.ckpt': state, 'checkpoints/last.ckpt': state });
    expect(rows(report)).toEqual([' run', 'checkpoints run']);
  });
});

describe('a tag of DeepSpeed that no pointer names', () => {
  const save = fixtureBelow('deepspeed/zero1-bf16-w2');
  const tagAs = (name: string): Files =>
    Object.fromEntries(
      Object.entries(save).flatMap(([path, bytes]) =>
        path.startsWith('global_step6/') ? [[path.replace('global_step6', name), bytes] as const] : [],
      ),
    );

  it.each<[string, Files]>([
    ['a GGUF', { 'x.gguf': ggufModel }],
    ['a GGUF and a file of torch', { 'x.gguf': ggufModel, 'net.pt': fixtureBelow('torch/state-dict')['model.pt'] as Uint8Array }],
    ['an ONNX model', { 'x.onnx': fixtureBelow('misc/onnx-inline')['model.onnx'] as Uint8Array }],
    ['a GGUF and data', { 'x.gguf': ggufModel, ...fixtureBelow('datasets/mds-tokens', 'data') }],
  ])('is a part beside %s', async (_name, files) => {
    for (const tag of ['global_step6', 'my_tag', 'ds/global_step6']) {
      const report = await collectionOf({ ...tagAs(tag), ...files });
      const own = report.parts.find(({ layout }) => layout === 'deepspeed');
      expect(own).toMatchObject({ path: tag.split('/')[0], totalBytes: bytesOf(tagAs(tag)) });
    }
  });

  it('is of the Trainer around it', async () => {
    const files = Object.fromEntries(Object.entries(run()).map(([path, bytes]) => [path.replace(/^[^/]+\//, ''), bytes]));
    expect(await reportOf({ ...files, ...tagAs('global_step6') })).toMatchObject({
      kind: 'checkpoint',
      layout: 'huggingface-trainer',
    });
  });
});

it('a checkpoint alone does not hide the model beside it, nor that the checkpoint', async () => {
  const report = await collectionOf({ ...run(['checkpoint-2']), 'x.gguf': ggufModel });
  expect(rows(report)).toEqual(['checkpoint-2 huggingface-trainer', 'x.gguf gguf']);
});

function bytesOf(files: Files): number {
  return Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

it.each(['.venv/lib/python3.12/site-packages/x', '.git/lfs/objects/aa/bb', 'node_modules/x'])(
  'what %s holds is no part',
  async (directory) => {
    const files = { [`${directory}/model.safetensors`]: weights, [`${directory}/config.json`]: text('{}') };
    expect(await reportOf({ ...run(), ...files })).toMatchObject({ kind: 'checkpoint', layout: 'run' });
    const report = await collectionOf({ ...below('run', run()), ...fixtureBelow('datasets/mds-tokens', 'data'), ...files });
    expect(rows(report)).toEqual(['data mds', 'run run']);
  },
);

it('shards of a model whose names differ in case are one', async () => {
  const shards = Object.entries(fixtureBelow('gguf/split')).map(([path, bytes], at): [string, Uint8Array] => [
    at === 0 ? path : path.toUpperCase().replace('.GGUF', '.gguf'),
    bytes,
  ]);
  expect((await collectionOf({ ...run(), ...Object.fromEntries(shards) })).parts).toHaveLength(2);
});
