/** A file that is called as a conversion of the model beside it is one only where its embedding and its size are the model's. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
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
    const report = await reportOf({ 'x.gguf': gguf(shapes) });
    expect(differences(report)).toEqual(['x.gguf']);
    expect(report.parameters.unique).toBe(parameters);
    expect(report.parameters.source).toMatch(/of other models left out/);
    expect(report.parameters.source).not.toMatch(/taken for copies/);
    expect(report.storedTwice.items).toEqual([]);
  });

  it('a smaller model of the same tokenizer is another model', async () => {
    const large = { ...model, 'model.layers.1.mlp.up_proj.weight': [4_800, 16] };
    const report = await reportOf({ 'x.gguf': gguf({ 'token_embd.weight': [64, 16] }) }, safetensors(large));
    expect(differences(report)).toEqual(['x.gguf']);
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
    const report = await reportOf({ 'onnx/model.onnx': onnx });
    expect(differences(report)).toEqual(['onnx/model.onnx']);
    expect(report.parameters.unique).toBe(parameters);
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
