/** One estimate, as the command line and other faces ask for it. */
import { describe, expect, it } from 'vitest';
import { estimatePath } from '../../../src/app/estimates/estimatePath.js';
import { InputError, PathError } from '../../../src/app/useCaseError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { memoryPlatform, type MemoryPlatformOptions } from '../../builders/memoryPlatform.js';

const axolotl = (base: string): string =>
  `base_model: ${base}\nmicro_batch_size: 1\nsequence_len: 512\nlearning_rate: 1e-4\ndatasets: []\noptimizer: sgd\n`;

function machine(options: MemoryPlatformOptions = {}) {
  return memoryPlatform(
    {
      '/m/config.json': llamaConfig(),
      '/share/a/config.json': llamaConfig(),
      '/share/a/model.safetensors': buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [2] } } }),
      '/share/b/model.safetensors': buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [2] } } }),
      '/runs/axolotl.yaml': axolotl('./llama'),
      '/runs/llama/config.json': llamaConfig(),
      '/runs/cached.yaml': axolotl('meta/llama'),
      '/package.json': '{"name": "x"}',
      '/long.json': ' '.repeat(limits.configCharacters + 1),
    },
    options,
  );
}

describe('estimatePath', () => {
  it('takes a config, and of a folder the config in it', async () => {
    const { report, markdown } = await estimatePath(machine(), { path: '/m' });
    expect(report).toMatchObject({ path: '/m/config.json', parameters: { unique: 8_030_261_248 } });
    expect(markdown()).toContain('8,030,261,248 parameters');
    expect((await estimatePath(machine(), { path: '/m/config.json' })).report).toEqual(report);
  });

  it('asks for one of several things', async () => {
    await expect(estimatePath(machine(), { path: '/share' })).rejects.toThrow(
      'holds several things and no config.json. Name one: a, b',
    );
  });

  it('reads the files that a config names, and the cache of the Hub', async () => {
    const beside = await estimatePath(machine(), { path: '/runs/axolotl.yaml' });
    expect(beside.report.parameters?.unique).toBe(8_030_261_248);
    const cached = await estimatePath(machine({ hub: { 'meta/llama': llamaConfig() } }), { path: '/runs/cached.yaml' });
    expect(cached.report.parameters?.unique).toBe(8_030_261_248);
  });

  it('says why no model is counted, and takes the one that is given', async () => {
    const { report, terminal } = await estimatePath(machine(), { path: '/runs/cached.yaml' });
    expect(report).toMatchObject({ model: null, missingModel: { why: 'not-found', name: 'meta/llama' } });
    expect(terminal({ width: 80, color: false })).toMatch(/meta\/llama is not counted: .* Bytes are per parameter\./);
    for (const model of ['/m', '/m/config.json', 'meta-llama/Meta-Llama-3-8B'])
      expect((await estimatePath(machine(), { path: '/runs/cached.yaml', model })).report).toMatchObject({
        missingModel: null,
        parameters: { unique: 8_030_261_248 },
      });
    await expect(estimatePath(machine(), { path: '/runs/cached.yaml', model: '/package.json' })).rejects.toThrow(
      '/package.json is no config.json of a model',
    );
  });

  it('says of a config without a model, and of an architecture that is not supported, what is missing', async () => {
    const missing = async (text: string) => (await estimateText('train.json', text)).report.missingModel;
    expect(await missing('{"zero_optimization": {"stage": 2}, "train_batch_size": 8}')).toMatchObject({
      why: 'not-set',
      name: null,
    });
    expect(await missing('{"model_type": "no-such", "architectures": ["NoSuch"], "hidden_size": 8}')).toMatchObject({
      why: 'unknown-architecture',
      name: 'no-such',
    });
  });

  it('compares with the free bytes of the output folder', async () => {
    const { report } = await estimatePath(machine({ freeBytes: 5 }), { path: '/m' });
    expect(report.run.freeBytes).toBe(5);
  });

  it('takes changes in place of the config', async () => {
    const changes = { optimizer: 'lion', precision: 'bf16-mixed', steps: 100, saveInterval: 10, keep: 2 };
    const { report } = await estimatePath(machine(), { path: '/runs/axolotl.yaml', ...changes });
    expect(report.training).toMatchObject({ optimizer: 'lion', precision: 'bf16', steps: 100, saveIntervalSteps: 10, keep: 2 });
    expect(report.run).toMatchObject({ saves: 10, kept: 2 });
  });

  it.each([
    [{ optimizer: 'no such' }, 'optimizer: no such is not supported'],
    [{ precision: 'f7' }, 'precision takes f32, bf16, f16 or f8, not f7'],
    [{ steps: 1.5 }, 'steps takes a whole number'],
    [{ saveInterval: NaN }, 'saveInterval takes a whole number'],
  ])('refuses %o before it reads the path', async (changes, message) => {
    const failed = estimatePath(machine(), { path: '/nowhere', ...changes });
    await expect(failed).rejects.toThrow(InputError);
    await expect(failed).rejects.toThrow(message);
  });

  it.each([
    ['/nowhere', '/nowhere cannot be read: it does not exist'],
    ['/runs', '/runs/config.json cannot be read: it does not exist'],
    ['/package.json', '/package.json is not a supported model or training config'],
    ['/long.json', '/long.json cannot be read: it has 4000001 characters, more than the 1048576 that are read of a config'],
  ])('names what is wrong with %s', async (path, message) => {
    const failed = estimatePath(machine(), { path });
    await expect(failed).rejects.toThrow(PathError);
    await expect(failed).rejects.toThrow(message.replace('4000001', String(limits.configCharacters + 1)));
  });
});
