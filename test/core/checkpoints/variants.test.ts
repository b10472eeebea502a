/** One model in several dtypes and formats: its parameters count once, and what repeats them is a duplicate by its names. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';

const sizes: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 };

/** Weights by name and shape in one dtype; another `seed` gives other values. */
function weights(shapes: Record<string, number[]>, dtype: string, seed = 0): Uint8Array {
  const tensors = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const bytes = shape.reduce((product, size) => product * size, sizes[dtype] ?? 4);
      return [name, { dtype, shape, data: patternBytes(bytes + seed).slice(seed) }];
    }),
  );
  return buildSafetensors({ tensors });
}

const unet = { 'conv_in.weight': [4, 3, 3, 3], 'mid.weight': [16, 16] };
const text = { 'embed.weight': [32, 8] };
const [unetParameters, textParameters] = [108 + 256, 256];

const pipeline = {
  'model_index.json': utf8('{"_class_name": "StableDiffusionPipeline", "_diffusers_version": "0.35.1"}'),
  'unet/diffusion_pytorch_model.safetensors': weights(unet, 'F32'),
  'text_encoder/model.safetensors': weights(text, 'F32'),
};

async function reportOf(files: Record<string, MemoryFile>): Promise<CheckpointReport> {
  return (await inspectCheckpoint(memoryTree('m', files), { path: 'm' })).report;
}

describe('a pipeline of diffusers', () => {
  it('with fp16 variants', async () => {
    const report = await reportOf({
      ...pipeline,
      'unet/diffusion_pytorch_model.fp16.safetensors': weights(unet, 'F16', 1),
      'text_encoder/model.fp16.safetensors': weights(text, 'F16', 1),
    });
    expect(report.parameters).toMatchObject({
      stored: 2 * (unetParameters + textParameters),
      unique: unetParameters + textParameters,
    });
    expect(report.storedTwice).toMatchObject({
      bytes: 2 * (unetParameters + textParameters),
      items: [
        { what: 'parameters of text_encoder/model.safetensors in f16', basis: 'names' },
        { what: 'parameters of unet/diffusion_pytorch_model.safetensors in f16', basis: 'names' },
      ],
    });
  });

  it('with a variant in fewer shards', async () => {
    const report = await reportOf({
      ...pipeline,
      'unet/diffusion_pytorch_model.safetensors': new Uint8Array(0),
      'unet/diffusion_pytorch_model-00001-of-00002.safetensors': weights({ 'conv_in.weight': [4, 3, 3, 3] }, 'F32'),
      'unet/diffusion_pytorch_model-00002-of-00002.safetensors': weights({ 'mid.weight': [16, 16] }, 'F32'),
      'unet/diffusion_pytorch_model.fp16.safetensors': weights(unet, 'F16', 1),
    });
    expect(report.parameters.unique).toBe(unetParameters + textParameters);
  });

  it('counts the weights that were not averaged: they are other parameters', async () => {
    const report = await reportOf({
      ...pipeline,
      'unet/diffusion_pytorch_model.non_ema.safetensors': weights(unet, 'F32', 1),
      'unet/diffusion_pytorch_model.fp16.non_ema.safetensors': weights(unet, 'F16', 1),
    });
    expect(report.parameters.unique).toBe(2 * unetParameters + textParameters);
    expect(report.storedTwice.items.map(({ what }) => what)).toEqual([
      'parameters of unet/diffusion_pytorch_model.non_ema.safetensors in f16',
    ]);
  });

  it('counts a variant with other shapes', async () => {
    const other = { 'conv_in.weight': [4, 9, 3, 3], 'mid.weight': [16, 16] };
    const report = await reportOf({ ...pipeline, 'unet/diffusion_pytorch_model.fp16.safetensors': weights(other, 'F16') });
    expect(report.parameters.unique).toBe(unetParameters + textParameters + 4 * 9 * 9 + 256);
  });

  it('with the single file of its first release', async () => {
    const release = {
      'model.diffusion_model.a': [4, 3, 3, 3],
      'model.diffusion_model.b': [16, 16],
      'cond_stage_model.c': [32, 8],
    };
    const report = await reportOf({ ...pipeline, 'v1-5-pruned.safetensors': weights(release, 'F32') });
    expect(report.parameters.unique).toBe(unetParameters + textParameters);
    const lora = await reportOf({ ...pipeline, 'lora.safetensors': weights({ 'unet.up.lora_A.weight': [4, 4] }, 'F32') });
    expect(lora.parameters.unique).toBe(unetParameters + textParameters + 16);
  });

  it('with models of other formats in its directories', async () => {
    const onnx = fixtureBelow('misc/onnx-inline')['model.onnx'] as Uint8Array;
    const report = await reportOf({ ...pipeline, 'text_encoder/model.onnx': onnx, 'vae_decoder/model.onnx': onnx });
    expect(report.layout).toBe('huggingface-model');
    expect(report.parameters.unique).toBe(unetParameters + textParameters);
    expect(report.parameters.stored).toBeGreaterThan(report.parameters.unique);
  });
});

describe('a model of transformers', () => {
  it('in files of several frameworks is one, and of its library’s layout', async () => {
    const report = await reportOf({
      'config.json': utf8('{"model_type": "bert"}'),
      'pytorch_model.bin': fixtureBelow('hf/old-bin')['pytorch_model.bin'] as Uint8Array,
      'flax_model.msgpack': fixtureBelow('orbax/flax-msgpack-chunked')['checkpoint_5'] as Uint8Array,
      'tf_model.h5': fixtureBelow('misc/keras-h5')['legacy.h5'] as Uint8Array,
    });
    const alone = await reportOf({ 'pytorch_model.bin': fixtureBelow('hf/old-bin')['pytorch_model.bin'] as Uint8Array });
    expect(report.layout).toBe('huggingface-model');
    expect(report.parameters.unique).toBe(alone.parameters.unique);
    expect(report.storedTwice.items).toMatchObject([{ what: 'the model in other formats or precisions', basis: 'names' }]);
  });

  it('whose safetensors were cast from the older file', async () => {
    const report = await reportOf({
      'config.json': utf8('{}'),
      'model.safetensors': weights(text, 'F16'),
      'pytorch_model.safetensors': weights(text, 'F32'),
    });
    expect(report.parameters.unique).toBe(textParameters);
    expect(report.storedTwice.items).toMatchObject([
      { what: 'parameters of model.safetensors in f32', bytes: 4 * textParameters },
    ]);
  });
});
