/** Models saved with an adapter in them: PEFT's names for the layers that it adapts. transformers 5.24 left these layers random in each case, and loaded the rest. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

const config = {
  ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 8, num_hidden_layers: 2, intermediate_size: 16 },
  ...{ num_attention_heads: 2, vocab_size: 32, tie_word_embeddings: false },
};
const matrices: Record<string, number[]> = {
  ...{ 'self_attn.q_proj': [8, 8], 'self_attn.k_proj': [8, 8], 'self_attn.v_proj': [8, 8], 'self_attn.o_proj': [8, 8] },
  ...{ 'mlp.gate_proj': [16, 8], 'mlp.up_proj': [16, 8], 'mlp.down_proj': [8, 16] },
};

function adaptedModel(targets: RegExp, rename: (name: string) => string): Record<string, number[]> {
  const tensors: Record<string, number[]> = { 'model.embed_tokens.weight': [32, 8], 'model.norm.weight': [8] };
  tensors['lm_head.weight'] = [32, 8];
  for (const layer of [0, 1]) {
    for (const norm of ['input_layernorm', 'post_attention_layernorm']) tensors[`model.layers.${layer}.${norm}.weight`] = [8];
    for (const [module, shape] of Object.entries(matrices)) {
      const name = `model.layers.${layer}.${module}`;
      if (!targets.test(module)) {
        tensors[`${name}.weight`] = shape;
        continue;
      }
      tensors[rename(`${name}.base_layer.weight`)] = shape;
      tensors[rename(`${name}.lora_A.default.weight`)] = [4, shape[1] ?? 0];
      tensors[rename(`${name}.lora_B.default.weight`)] = [shape[0] ?? 0, 4];
    }
  }
  return tensors;
}

async function reportOf(tensors: Record<string, number[]>): Promise<CheckpointReport> {
  const shapes = Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }] as const);
  const tree = memoryTree('save', {
    'config.json': json(config),
    'model.safetensors': buildSafetensors({ tensors: Object.fromEntries(shapes) }),
  });
  return (await inspectCheckpoint(tree, { path: '/save' })).report;
}

describe('a model with layers that PEFT adapted', () => {
  it.each<[what: string, targets: RegExp, rename: (name: string) => string, missing: number]>([
    ['two of each layer', /[qv]_proj/, (name) => name, 4],
    ['two, without the name of the adapter', /[qv]_proj/, (name) => name.replace('.default', ''), 4],
    ['all', /_proj/, (name) => name, 14],
  ])('loads without them, and the wrapper is named: %s', async (_, targets, rename, missing) => {
    const { load, findings } = await reportOf(adaptedModel(targets, rename));
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing, unexpected: 3 * missing, mismatched: 0 } });
    expect(load?.why).toContain('.base_layer.weight');
    expect(findings.map(({ code }) => code)).toEqual(['tensor-names-wrapped']);
    expect(findings[0]).toMatchObject({ advice: expect.stringContaining('merge_and_unload') as string });
    expect(findings[0]?.message).toContain('PEFT adds base_layer');
  });

  it('and a copy of a module beside the one that it had', async () => {
    const { 'lm_head.weight': head = [], ...tensors } = adaptedModel(/q_proj/, (name) => name);
    const copies = { 'lm_head.original_module.weight': head, 'lm_head.modules_to_save.default.weight': head };
    const { load, findings } = await reportOf({ ...tensors, ...copies });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 3 } });
    expect(findings.map(({ code }) => code)).toEqual(['tensor-names-wrapped']);
  });
});

/** `from_pretrained` of transformers 5.24 raises no error for any of these. */
describe('a model of which names keep tensors from being found', () => {
  const plain = adaptedModel(/(?!)/, (name) => name);
  const under = (rename: (name: string) => string): Promise<CheckpointReport> =>
    reportOf(Object.fromEntries(Object.entries(plain).map(([name, shape]) => [rename(name), shape])));

  it.each<[what: string, rename: (name: string) => string, random: string, code: string]>([
    ['all in a wrapper', (name) => `module.${name}`, 'All 21 tensors', 'tensor-names-wrapped'],
    [
      'a layer compiled by itself',
      (name) => name.replace('layers.1.', 'layers.1._orig_mod.'),
      '9 of 21 tensors',
      'tensor-names-wrapped',
    ],
    ['of another model', (name) => `other.${name}`, 'All 21 tensors', 'tensors-absent'],
  ])('loads with random ones: %s', async (_, rename, random, code) => {
    const { load, findings } = await under(rename);
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', fits: [] });
    expect(load?.why).toContain(`${random} of the model would be random.`);
    expect(load?.conversions).toBeUndefined();
    expect(findings[0]).toMatchObject({ code, severity: 'error' });
    expect(findings.map((finding) => finding.code)).not.toContain('config-sizes-differ');
  });
});
