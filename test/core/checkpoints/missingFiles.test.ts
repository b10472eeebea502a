/** Files that belong together: which of them are missed. */
import { describe, expect, it } from 'vitest';
import { findMissingFiles } from '../../../src/core/checkpoints/missingFiles.js';
import type { FilePart } from '../../../src/core/checkpoints/parts.js';

const missing = (paths: string, hasWeights = true): unknown[] =>
  findMissingFiles({ files: paths.split(' ').map((path) => ({ path }) as FilePart) }, hasWeights).map((finding) =>
    finding.code === 'file-missing' || finding.code === 'index-missing' ? finding.facts.file : null,
  );

describe('a file is missed', () => {
  it.each([
    ['adapter_model.bin', 'adapter_config.json'],
    ['adapter_model.safetensors adapter_config.json second/adapter_config.json', 'second/adapter_model.safetensors'],
    ['second/adapter_model.safetensors second/adapter_config.json adapter_config.json', 'adapter_model.safetensors'],
    ['model-00001-of-00002.safetensors model-00002-of-00002.safetensors', 'model.safetensors.index.json'],
    ['unet/diffusion_pytorch_model.fp16-00001-of-00002.safetensors', 'unet/diffusion_pytorch_model.safetensors.index.fp16.json'],
    ['pytorch_model-00001-of-00002.bin', 'pytorch_model.bin.index.json'],
    ['model.safetensors generation_config.json', 'config.json'],
    ['trainer_state.json optimizer.pt model.safetensors config.json', 'training_args.bin'],
  ])('beside %s: %s', (paths, file) => {
    expect(missing(paths)).toEqual([file]);
  });
});

describe('nothing is missed', () => {
  it.each([
    ['model.safetensors'],
    ['model-00001-of-00001.safetensors'],
    ['shard-00001-model-00001-of-00002.safetensors'],
    ['model.fp16-00001-of-00002.safetensors model.safetensors.index.fp16.json'],
    ['adapter_model.bin adapter_config.json trainer_state.json optimizer.pt training_args.bin'],
    ['trainer_state.json model.safetensors config.json'],
  ])('beside %s', (paths) => {
    expect(missing(paths)).toEqual([]);
  });

  it('where there are no weights at all, which is said otherwise', () => {
    expect(missing('adapter_config.json', false)).toEqual([]);
  });
});
