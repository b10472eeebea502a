/** A file that is called as a conversion of the model beside it is one only where its embedding and its size are the model's. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildGguf } from '../../builders/ggufBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

type Shapes = Record<string, readonly number[]>;

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const safetensors = (shapes: Shapes, dtype = 'F32'): Uint8Array =>
  buildSafetensors({ tensors: Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { dtype, shape }])) });
function gguf(shapes: Shapes): Uint8Array {
  let offset = 0;
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const tensor = { name, type: 0, dimensions: [...shape].reverse(), offset };
    offset += 4 * shape.reduce((product, size) => product * size, 1);
    return tensor;
  });
  return buildGguf({ tensors, data: new Uint8Array(offset) });
}

const model: Shapes = { 'model.embed_tokens.weight': [64, 16], 'model.layers.0.mlp.up_proj.weight': [48, 16] };
const parameters = 64 * 16 + 48 * 16;

async function reportOf(files: Record<string, Uint8Array>, own = safetensors(model)): Promise<CheckpointReport> {
  const all = { 'config.json': text('{"model_type": "llama"}'), 'model.safetensors': own, ...files };
  return (await inspectCheckpoint(memoryTree('model', all), { path: 'model' })).report;
}

const differences = ({ findings }: CheckpointReport): (string | null)[] =>
  findings.filter(({ code }) => code === 'other-model-beside').map(({ path }) => path);

/** The parts of a directory of several models by their paths, with their parameters; each has a report that says the same. */
async function partsOf(files: Record<string, Uint8Array>, own = safetensors(model)): Promise<Record<string, number | null>> {
  const all = { 'config.json': text('{"model_type": "llama"}'), 'model.safetensors': own, ...files };
  const { report } = await inspect(memoryTree('model', all), { path: 'model' });
  if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
  const bytes = Object.values(all).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(report.totalBytes).toBe(bytes);
  expect(report.parts.reduce((sum, part) => sum + part.totalBytes, 0)).toBe(bytes);
  const self = await inspect(memoryTree('model', all), { path: 'model', part: 'checkpoint' });
  expect(self.report.totalBytes).toBe(report.parts.find(({ path }) => path === '')?.totalBytes);
  return Object.fromEntries(report.parts.map((part) => [part.path, part.kind === 'checkpoint' ? part.parameters : null]));
}

describe('beside a model', () => {
  it.each<[string, Shapes]>([
    ['all of it', { 'token_embd.weight': [64, 16], 'blk.0.ffn_up.weight': [48, 16] }],
    ['its tied output too', { 'token_embd.weight': [64, 16], 'output.weight': [64, 16], 'blk.0.ffn_up.weight': [48, 16] }],
    ['a few more tokens', { 'token_embd.weight': [66, 16], 'blk.0.ffn_up.weight': [48, 16] }],
    ['a part without tokens', { 'v.blk.0.ffn_up.weight': [48, 16] }],
  ])('a GGUF with %s is its conversion', async (_name, shapes) => {
    const report = await reportOf({ 'gguf/x.gguf': gguf(shapes) });
    expect(differences(report)).toEqual([]);
    expect(report.parameters.unique).toBe(parameters);
    expect(report.storedTwice.items).toMatchObject([{ what: 'the model in other formats or precisions', basis: 'names' }]);
  });

  it.each<[string, Shapes]>([
    ['another width', { 'token_embd.weight': [64, 32], 'blk.0.ffn_up.weight': [48, 16] }],
    ['another vocabulary', { 'token_embd.weight': [96, 16], 'blk.0.ffn_up.weight': [48, 16] }],
    ['many more layers', { 'token_embd.weight': [64, 16], 'blk.0.ffn_up.weight': [480, 16] }],
    ['much more without tokens', { 'blk.0.ffn_up.weight': [480, 16] }],
  ])('a GGUF with %s is another model', async (_name, shapes) => {
    const other = Object.values(shapes).reduce((sum, [rows = 0, width = 0]) => sum + rows * width, 0);
    expect(await partsOf({ 'x.gguf': gguf(shapes) })).toEqual({ '': parameters, 'x.gguf': other });
  });

  it('safetensors of any name with another embedding are another model, and the config is not that of both', async () => {
    const config = text('{"model_type": "llama", "hidden_size": 16, "vocab_size": 64}');
    const other = safetensors({ 'transformer.wte.weight': [512, 16] });
    expect(await partsOf({ 'config.json': config, 'other.safetensors': other })).toEqual({
      '': parameters,
      'other.safetensors': 512 * 16,
    });
  });

  it('safetensors of any name with parts of a model are of the model', async () => {
    const report = await reportOf({ 'value_head.safetensors': safetensors({ 'v_head.summary.weight': [1, 16] }) });
    expect(report.parameters.unique).toBe(parameters + 16);
  });

  it('another model has a row among those of other directories, too', async () => {
    const files = {
      'a/config.json': text('{"model_type": "llama"}'),
      'a/model.safetensors': safetensors(model),
      'a/x.gguf': gguf({ 'token_embd.weight': [96, 16] }),
      'b/config.json': text('{"model_type": "llama"}'),
      'b/model.safetensors': safetensors(model),
    };
    const { report } = await inspect(memoryTree('models', files), { path: 'models' });
    if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
    expect(report.parts.map(({ path }) => path).sort()).toEqual(['a', 'a/x.gguf', 'b']);
  });

  it('in a checkpoint of a run it is said, and its parameters are left out', async () => {
    const step = (at: number) => ({
      [`step-${at}/config.json`]: text('{"model_type": "llama"}'),
      [`step-${at}/model.safetensors`]: safetensors(model),
    });
    const files = { ...step(1), ...step(2), 'step-2/x.gguf': gguf({ 'token_embd.weight': [96, 16] }) };
    const { report } = await inspectCheckpoint(memoryTree('run', files), { path: 'run' });
    expect(differences(report)).toEqual(['step-2/x.gguf']);
    expect(report.parameters.unique).toBe(parameters);
    expect(report.parameters.source).toMatch(/of other models left out/);
    expect(report.parameters.source).not.toMatch(/taken for copies/);
    expect(report.storedTwice.items).toEqual([]);
  });

  it('a smaller model of the same tokenizer is another model', async () => {
    const large = { ...model, 'model.layers.1.mlp.up_proj.weight': [4_800, 16] };
    expect(await partsOf({ 'x.gguf': gguf({ 'token_embd.weight': [64, 16] }) }, safetensors(large))).toEqual({
      '': parameters + 4_800 * 16,
      'x.gguf': 64 * 16,
    });
  });

  it('with packed weights the sizes of conversions are not compared', async () => {
    const packed = buildSafetensors({
      tensors: {
        'model.embed_tokens.weight': { dtype: 'F16', shape: [64, 16] },
        'model.layers.0.mlp.up_proj.qweight': { dtype: 'I32', shape: [2, 48] },
      },
    });
    const whole = gguf({ 'token_embd.weight': [64, 16], 'blk.0.ffn_up.weight': [4_800, 16] });
    expect(differences(await reportOf({ 'x.gguf': whole }, packed))).toEqual([]);
  });

  it('shards of a conversion are one', async () => {
    const report = await reportOf({
      'x-00001-of-00002.gguf': gguf({ 'token_embd.weight': [64, 16] }),
      'x-00002-of-00002.gguf': gguf({ 'blk.0.ffn_up.weight': [48, 16] }),
    });
    expect(differences(report)).toEqual([]);
  });

  it('a model of ONNX that is larger is another one', async () => {
    const onnx = fixtureBelow('misc/onnx-inline')['model.onnx'] as Uint8Array;
    const parts = await partsOf({ 'onnx/model.onnx': onnx });
    expect([Object.keys(parts).sort(), parts['']]).toEqual([['', 'onnx/model.onnx'], parameters]);
  });

  it('of ranks of Meta, each with a share of the embedding, is its first release', async () => {
    const share = safetensors({ 'tok_embeddings.weight': [64, 8], 'layers.0.feed_forward.w3.weight': [24, 16] });
    const report = await reportOf({
      'original/consolidated.00.safetensors': share,
      'original/consolidated.01.safetensors': share,
    });
    expect(differences(report)).toEqual([]);
  });
});
