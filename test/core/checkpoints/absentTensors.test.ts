/** Tensors that a layer lacks and its siblings have, and output embeddings that nothing ties. */
import { describe, expect, it } from 'vitest';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';

type Tensors = Record<string, SafetensorsTensor>;
const modules = { 'self_attn.q_proj': 16, 'mlp.gate_proj': 32, 'mlp.up_proj': 32 };
const llama = { architectures: ['LlamaForCausalLM'], model_type: 'llama', tie_word_embeddings: false, hidden_size: 16 };

function modelOf(layers: number, suffix = 'weight'): Tensors {
  const own: Tensors = {
    'model.embed_tokens.weight': { dtype: 'F32', shape: [100, 16] },
    'lm_head.weight': { dtype: 'F32', shape: [100, 16] },
  };
  for (let layer = 0; layer < layers; layer++)
    for (const [module, rows] of Object.entries(modules))
      own[`model.layers.${layer}.${module}.${suffix}`] = { dtype: suffix === 'weight' ? 'F32' : 'I32', shape: [rows, 16] };
  return own;
}

async function absentOf(tensors: Tensors, config: object, ...without: string[]): Promise<string[]> {
  for (const name of without) delete tensors[name];
  const { findings } = await inspectFiles({
    'config.json': json(config),
    'model.safetensors': buildSafetensors({ tensors }),
  });
  return findings.flatMap(({ code, message }) => (code === 'tensors-absent' ? [message] : []));
}

const oneOf = (name: string): string[] => [`A tensor of the model is in no file: ${name}.`];

describe('a tensor that is in no file is an error', () => {
  it('of a layer whose siblings have it', async () => {
    const name = 'model.layers.1.mlp.up_proj.weight';
    expect(await absentOf(modelOf(2), llama, name)).toEqual(oneOf(name));
    expect(await absentOf(modelOf(4), { ...llama, model_type: 'unheard_of' }, name)).toEqual(oneOf(name));
  });

  it('of packed weights by their modules', async () => {
    const config = { ...llama, quantization_config: { quant_method: 'gptq', bits: 4 } };
    const names = await absentOf(modelOf(2, 'qweight'), config, 'model.layers.1.mlp.up_proj.qweight');
    expect(names).toEqual(oneOf('model.layers.1.mlp.up_proj'));
  });

  it('of the head where the config does not tie it', async () => {
    expect(await absentOf(modelOf(2), llama, 'lm_head.weight')).toEqual(oneOf('lm_head.weight'));
    expect(await absentOf(modelOf(2), { ...llama, tie_word_embeddings: true }, 'lm_head.weight')).toEqual([]);
    expect(await absentOf(modelOf(2), { ...llama, architectures: ['LlamaModel'] }, 'lm_head.weight')).toEqual([]);
  });

  it('of a whole layer between others', async () => {
    const of = Object.keys(modules).map((module) => `model.layers.1.${module}.weight`);
    expect(await absentOf(modelOf(3), llama, ...of)).toEqual(oneOf('model.layers.1'));
  });
});

describe('layers that differ by design lack nothing', () => {
  it.each<[what: string, without: string[]]>([
    ['the whole model', []],
    ['attention in some layers', ['model.layers.1.self_attn.q_proj.weight']],
    ['a part of the last layer', ['model.layers.3.mlp.up_proj.weight']],
    ['a part of half of the layers', ['model.layers.1.mlp.up_proj.weight', 'model.layers.2.mlp.up_proj.weight']],
  ])('%s', async (_, without) => {
    expect(await absentOf(modelOf(4), { ...llama, model_type: 'unheard_of' }, ...without)).toEqual([]);
  });
});

it('what was compared is among the checks', async () => {
  const files = { 'config.json': json(llama), 'model.safetensors': buildSafetensors({ tensors: modelOf(2) }) };
  const { checks } = await inspectFiles(files);
  expect(checks.done).toContain('tensors of each layer against those of the other layers');
  expect(checks.notDone.join()).toContain('whether all tensors of the architecture are there');
});

describe('tensors that are in no file', () => {
  it('are counted without a list of them: a file may have a kind of tensor for each layer', async () => {
    const layers = 10_000;
    const own: Tensors = {
      'model.embed_tokens.weight': { dtype: 'F32', shape: [1] },
      'lm_head.weight': { dtype: 'F32', shape: [1] },
    };
    for (let layer = 0; layer < layers; layer++) own[`model.layers.${layer}.mlp.m${layer}.weight`] = { dtype: 'F32', shape: [1] };
    // Each kind is in one layer, and lacks in all others.
    const [message = ''] = await absentOf(own, llama);
    expect(message).toContain((layers * (layers - 1)).toLocaleString('en-US'));
    // Where layers may differ, a kind that one inner layer lacks is compared with the parts of its own module.
    expect(await absentOf({ ...own }, { ...llama, model_type: 'unheard_of' })).toEqual([]);
  });
});
