/** The sizes in config.json against the weights beside it. */
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../src/core/pages/checkpoint/headline.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const weightsOf = (vocabulary: number, width: number, layers: number): Uint8Array =>
  buildSafetensors({
    tensors: {
      'model.embed_tokens.weight': { dtype: 'F32', shape: [vocabulary, width] },
      ...Object.fromEntries(
        Array.from({ length: layers }, (_, layer) => [
          `model.layers.${layer}.mlp.up_proj.weight`,
          { dtype: 'F32', shape: [8, width] },
        ]),
      ),
    },
  });
/** Of `torch.nn.Sequential`, as in the first files of Phi-2: the embedding and the output layer have numbers among the layers. */
const sequential = (layers: number): Uint8Array => {
  const tensors: Record<string, SafetensorsTensor> = { 'layers.0.wte.weight': { dtype: 'F32', shape: [100, 16] } };
  for (let layer = 1; layer <= layers + 1; layer++) tensors[`layers.${layer}.ln.weight`] = { dtype: 'F32', shape: [16] };
  for (let layer = 1; layer <= layers; layer++) tensors[`layers.${layer}.mixer.Wqkv.weight`] = { dtype: 'F32', shape: [48, 16] };
  tensors[`layers.${layers + 1}.linear.weight`] = { dtype: 'F32', shape: [100, 16] };
  return buildSafetensors({ tensors });
};
const config = { model_type: 'llama', hidden_size: 16, vocab_size: 100, num_hidden_layers: 2 };
const weights = weightsOf(100, 16, 2);

async function differencesOf(settings: object, model = weights): Promise<string[]> {
  const { findings } = await inspectFiles({ 'config.json': json(settings), 'model.safetensors': model });
  return findings.flatMap(({ code, message }) => (code === 'config-sizes-differ' ? [message] : []));
}

const ofWidth = (own: number, stored: number): string =>
  `The config is of another model: its hidden size is ${own}, that of the weights ${stored}.`;

describe('a config of another model', () => {
  it.each<[string, object, string]>([
    ['of another width', { ...config, hidden_size: 32 }, ofWidth(32, 16)],
    ['of another vocabulary', { ...config, vocab_size: 200 }, ofWidth(200, 100).replace('hidden size', 'vocabulary')],
    ['of more layers', { ...config, num_hidden_layers: 4 }, ofWidth(4, 2).replace('hidden size', 'number of layers')],
    ['of fewer layers', { ...config, num_hidden_layers: 1 }, ofWidth(1, 2).replace('hidden size', 'number of layers')],
    ['whose width has another key', { n_embd: 32, vocab_size: 100 }, ofWidth(32, 16)],
    ['that is put together', { text_config: { ...config, hidden_size: 32 } }, ofWidth(32, 16)],
  ])('%s is an error', async (_name, settings, message) => {
    expect(await differencesOf(settings)).toEqual([message]);
  });

  it('has another number of layers between an embedding and an output layer that are numbered', async () => {
    const settings = { model_type: 'mixformer-sequential', n_embd: 16, n_layer: 3, vocab_size: 100 };
    expect(await differencesOf(settings, sequential(2))).toEqual([ofWidth(3, 2).replace('hidden size', 'number of layers')]);
  });

  it('is not told by files that no loader takes', async () => {
    const state = { 'trainer_state.json': json({ global_step: 4 }), 'teacher.safetensors': weightsOf(200, 32, 4) };
    const { findings } = await inspectFiles({ 'config.json': json(config), 'model.safetensors': weights, ...state });
    expect(findings.map(({ code }) => code)).not.toContain('config-sizes-differ');
  });

  it('does not let the report say that the weights load', async () => {
    const files = { 'config.json': json({ ...config, hidden_size: 32 }), 'model.safetensors': weights };
    const report = await inspectFiles(files);
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: ['config-sizes-differ'] });
    expect(headlineOf(report).resume).toBe('Load: fails (1 error).');
    const own = await inspectFiles({ ...files, 'config.json': json(config) });
    expect(headlineOf(own).resume).toMatch(/^Resume: weights only\. The weights load/);
    expect(own.checks.done).toContain('config.json: hidden size, vocabulary, number of layers against the shapes of the tensors');
  });
});

describe('the config of the model', () => {
  it.each<[string, object, Uint8Array?]>([
    ['agrees', config],
    [
      'of an embedding and an output layer that are numbered with the layers',
      { model_type: 'mixformer-sequential', n_embd: 16, n_layer: 2, vocab_size: 100 },
      sequential(2),
    ],
    ['of a padded vocabulary', config, weightsOf(104, 16, 2)],
    ['with layers for multi-token prediction', { ...config, num_hidden_layers: 1, num_nextn_predict_layers: 1 }],
    ['of a factorised embedding', { ...config, hidden_size: 64, embedding_size: 16 }],
    ['of several models', { model_type: 'x', text_config: config, vision_config: { hidden_size: 8, num_hidden_layers: 9 } }],
    ['without sizes', { model_type: 'x' }],
    ['with sizes that are none', { hidden_size: '32', vocab_size: null, num_hidden_layers: [4] }],
  ])('%s', async (_name, settings, model = weights) => {
    expect(await differencesOf(settings, model)).toEqual([]);
  });
});

describe('weights that torch.save wrote', () => {
  const state = (width: number): Uint8Array =>
    torchState((tensor) => ({
      'model.embed_tokens.weight': tensor([100, width]),
      'model.layers.0.up.weight': tensor([8, width]),
      'model.layers.1.up.weight': tensor([8, width]),
    }));

  it('are compared with the config beside them', async () => {
    const single = await inspectFiles({ 'config.json': json({ ...config, hidden_size: 32 }), 'pytorch_model.bin': state(16) });
    expect(single.resume).toMatchObject({ verdict: 'broken' });
    expect(single.findings.map(({ message }) => message)).toContain(ofWidth(32, 16));
  });

  it('in shards as well', async () => {
    const index = {
      metadata: {},
      weight_map: {
        'model.embed_tokens.weight': 'pytorch_model-00001-of-00001.bin',
        'model.layers.0.up.weight': 'pytorch_model-00001-of-00001.bin',
        'model.layers.1.up.weight': 'pytorch_model-00001-of-00001.bin',
      },
    };
    const files = { 'pytorch_model.bin.index.json': json(index), 'pytorch_model-00001-of-00001.bin': state(16) };
    const report = await inspectFiles({ ...files, 'config.json': json({ ...config, hidden_size: 32 }) });
    expect(report.findings.map(({ message }) => message)).toContain(ofWidth(32, 16));
  });
});
