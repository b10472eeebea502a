/** Which files of a directory transformers 5.24 opened, and what it said where it opened none. */
import { describe, expect, it } from 'vitest';
import type { LoadReport } from '../../../src/core/checkpoints/loadReport.js';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildSafetensors, buildSafetensorsIndex } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

type Shapes = Record<string, number[]>;

const config = json({
  ...{ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'] },
  ...{ n_layer: 0, n_embd: 4, n_head: 1, n_positions: 8, vocab_size: 16, bos_token_id: 0, eos_token_id: 0 },
});
const shapes: Shapes = {
  'transformer.wte.weight': [16, 4],
  'transformer.wpe.weight': [8, 4],
  'transformer.ln_f.weight': [4],
  'transformer.ln_f.bias': [4],
};
/** Of a model with a tensor more. */
const stale: Shapes = { ...shapes, 'transformer.h.0.ln_1.weight': [4] };
const safetensors = (tensors: Shapes): Uint8Array =>
  buildSafetensors({
    tensors: Object.fromEntries(Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }])),
  });
const torchFile = (tensors: Shapes): Uint8Array =>
  torchState((tensor) => Object.fromEntries(Object.entries(tensors).map(([name, shape]) => [name, tensor(shape)])));
const part = (from: number, to?: number): Shapes => Object.fromEntries(Object.entries(shapes).slice(from, to));
const first = 'model-00001-of-00002.safetensors';
const second = 'model-00002-of-00002.safetensors';
const sharded: Record<string, MemoryFile> = {
  [first]: safetensors(part(0, 2)),
  [second]: safetensors(part(2)),
  'model.safetensors.index.json': buildSafetensorsIndex({
    ...Object.fromEntries(Object.keys(part(0, 2)).map((name) => [name, first])),
    ...Object.fromEntries(Object.keys(part(2)).map((name) => [name, second])),
  }),
};

async function reportOf(files: Record<string, MemoryFile>): Promise<CheckpointReport> {
  return (await inspectCheckpoint(memoryTree('save', { 'config.json': config, ...files }), { path: '/save' })).report;
}
async function loadOf(files: Record<string, MemoryFile>): Promise<LoadReport> {
  const { load } = await reportOf(files);
  if (load === undefined) throw new Error('no load check');
  return load;
}

describe('of several sets of files the first that transformers looks for is compared', () => {
  const opened: [what: string, files: Record<string, MemoryFile>, closed: string][] = [
    [
      'a file of safetensors before one of torch',
      { 'model.safetensors': safetensors(shapes), 'pytorch_model.bin': torchFile(stale) },
      'pytorch_model.bin',
    ],
    [
      'the same weights in both',
      { 'model.safetensors': safetensors(shapes), 'pytorch_model.bin': torchFile(shapes) },
      'pytorch_model.bin',
    ],
    ['one file before shards', { ...sharded, 'model.safetensors': safetensors(shapes) }, first],
    ['shards before a file of torch', { ...sharded, 'pytorch_model.bin': torchFile(stale) }, 'pytorch_model.bin'],
  ];
  it.each(opened)('%s', async (_, files, closed) => {
    const load = await loadOf(files);
    expect(load).toMatchObject({ verdict: 'loads', counts: { expected: 4, found: 4, missing: 0, unexpected: 0 } });
    expect(load.notChecked.map(({ detail }) => detail).join()).toContain(closed);
  });

  it('one stale file before whole shards', async () => {
    const load = await loadOf({ ...sharded, 'model.safetensors': safetensors(part(0, 3)) });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 1, unexpected: 0 } });
  });
});

describe('an index', () => {
  const named = (name: string): string => (Object.keys(part(0, 2)).includes(name) ? first : second);
  const places = Object.fromEntries(Object.keys(shapes).map((name) => [name, named(name)]));
  const withIndex = (index: unknown, left = [first, second]): Record<string, MemoryFile> => ({
    ...Object.fromEntries(Object.entries(sharded).filter(([path]) => left.includes(path))),
    'model.safetensors.index.json': json(index),
  });

  it.each(['metadata', 'weight_map', 'entry in weight_map'])('without %s fails', async (lacking) => {
    const index = {
      ...(lacking === 'metadata' ? {} : { metadata: {} }),
      ...(lacking === 'weight_map' ? {} : { weight_map: lacking === 'metadata' ? places : {} }),
    };
    const { load, findings } = await reportOf(withIndex(index));
    expect(load?.verdict).toBe('fails');
    expect(load?.why).toContain(`no ${lacking}.`);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'index-part-missing' }));
  });

  it('that lacks a part is not read beside one file', async () => {
    const files = { ...withIndex({ weight_map: places }), 'model.safetensors': safetensors(shapes) };
    expect(await loadOf(files)).toMatchObject({ verdict: 'loads' });
  });

  it.each([
    ['a tensor that no file has and the model does not need', { ...places, 'transformer.extra.weight': first }],
    ['tensors in the wrong one of its files', { ...places, 'transformer.wte.weight': second }],
  ])('that lists %s loads', async (_, weight_map) => {
    expect(await loadOf(withIndex({ metadata: {}, weight_map }))).toMatchObject({ verdict: 'loads' });
  });

  const inFirst = Object.fromEntries(Object.keys(part(0, 3)).map((name) => [name, first]));
  it.each<[string, Record<string, MemoryFile>, Record<string, string>]>([
    ['whose files lack a tensor of the model', { [second]: safetensors(part(3)) }, { 'transformer.ln_f.bias': first }],
    ['that does not name a file of its set', {}, {}],
  ])('%s loads without it', async (_, other, listed) => {
    const index = json({ metadata: {}, weight_map: { ...inFirst, ...listed } });
    const files = { [first]: safetensors(part(0, 3)), ...other, 'model.safetensors.index.json': index };
    expect(await loadOf(files)).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 1 } });
  });

  it('that names a file that is not there fails, whatever the model needs', async () => {
    const index = { metadata: {}, weight_map: { ...places, 'transformer.extra.weight': 'model-00009-of-00009.safetensors' } };
    expect(await loadOf(withIndex(index))).toMatchObject({ verdict: 'fails', counts: { missing: 0 } });
  });
});

it('tensors that a cut file left closed lists are none of the model', async () => {
  const whole = torchFile(stale);
  const files = { 'model.safetensors': safetensors(shapes), 'pytorch_model.bin': whole.subarray(0, whole.length >> 1) };
  expect(await loadOf(files)).toMatchObject({ verdict: 'loads', counts: { found: 4, unexpected: 0 } });
});

describe('a file whose header cannot be read', () => {
  const whole = safetensors(shapes);
  const broken: [what: string, bytes: Uint8Array][] = [
    ['without bytes', new Uint8Array()],
    ['of a length beyond the file', Uint8Array.from(whole, (byte, at) => (at === 6 ? 16 : byte))],
    ['that is cut within the header', whole.subarray(0, 50)],
    ['that is no JSON', Uint8Array.from(whole, (byte, at) => (at > 20 && at < 40 ? 63 : byte))],
  ];

  it.each(broken)('fails: %s', async (_, bytes) => {
    const { load, resume, findings } = await reportOf({ 'model.safetensors': bytes });
    expect(resume.verdict).toBe('broken');
    expect(load).toMatchObject({ verdict: 'fails', counts: { expected: 0, missing: 0 } });
    expect(load?.why).toContain(findings.find(({ severity }) => severity === 'error')?.message);
  });

  it('fails by itself as in its directory', async () => {
    for (const [, bytes] of broken) {
      const { report } = await inspectCheckpoint(memoryTree('save', { 'model.safetensors': bytes }), { path: '/save' });
      expect(report.load?.verdict).toBe('fails');
    }
  });
});

describe('a file of a name that transformers does not look for', () => {
  it.each(['llama-weights.safetensors', 'consolidated.safetensors'])('fails: %s', async (name) => {
    const { load, findings } = await reportOf({ [name]: safetensors(shapes) });
    expect(load).toMatchObject({ verdict: 'fails', counts: { missing: 0, unexpected: 0 } });
    expect(load?.why).toContain(name);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'weights-under-other-name', path: name }));
  });

  it('is opened where the config names it', async () => {
    const named = json({
      ...(JSON.parse(new TextDecoder().decode(config)) as object),
      transformers_weights: 'other.safetensors',
    });
    expect(await loadOf({ 'config.json': named, 'other.safetensors': safetensors(shapes) })).toMatchObject({ verdict: 'loads' });
  });

  it('is opened as the variant that it is of', async () => {
    const { load, findings } = await reportOf({ 'model.fp16.safetensors': safetensors(shapes) });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings' });
    expect(load?.why).toContain('variant="fp16"');
    expect(findings.map(({ code }) => code)).toContain('weights-of-variant');
  });
});

describe('a torch file', () => {
  const withValue = (value: Uint8Array): Uint8Array =>
    torchState((tensor) => ({
      ...Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, tensor(shape)])),
      args: value,
    }));

  it('with a class that torch does not take with weights_only fails', async () => {
    const value = p.newobj(p.global('transformers.models.gpt2.modeling_gpt2', 'GPT2LMHeadModel'));
    const { load, findings } = await reportOf({ 'pytorch_model.bin': withValue(value) });
    expect(load?.verdict).toBe('fails');
    expect(load?.why).toContain('GPT2LMHeadModel');
    expect(findings.map(({ code }) => code)).toContain('weights-refused');
  });

  it('of plain tensors loads', async () => {
    expect(await loadOf({ 'pytorch_model.bin': torchFile(shapes) })).toMatchObject({ verdict: 'loads' });
  });

  it('with such a class loads where safetensors is opened before it', async () => {
    const value = p.newobj(p.global('transformers.models.gpt2.modeling_gpt2', 'GPT2LMHeadModel'));
    const files = { 'model.safetensors': safetensors(shapes), 'pytorch_model.bin': withValue(value) };
    expect(await loadOf(files)).toMatchObject({ verdict: 'loads' });
  });
});
