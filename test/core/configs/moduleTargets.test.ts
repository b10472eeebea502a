/** Targets of an adapter, as many as a file may have: time follows from their number, not from their number times that of the modules. */
import { afterEach, expect, it, vi } from 'vitest';
import { adapterParameters } from '../../../src/core/configs/adapters/adapterTensors.js';
import { modulesOfAdapter } from '../../../src/core/configs/adapters/adapterModules.js';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { countModel, type CountedModel } from '../../../src/core/configs/countModel.js';
import { Fields } from '../../../src/core/configs/fields.js';
import type { AdapterPlan } from '../../../src/core/configs/trainingPlan.js';

const none = (): Promise<null> => Promise.resolve(null);

async function llama(): Promise<CountedModel> {
  const sizes = { hidden_size: 64, num_hidden_layers: 50, num_attention_heads: 4, intermediate_size: 128, vocab_size: 100 };
  const fields = Fields.fromValues({ model_type: 'llama', ...sizes });
  const { model } = await countModel({ kind: 'fields', fields }, createConfigAccess({ read: none, readCached: none }));
  if (model === null) throw new Error('the model is not counted');
  return model;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const many = Array.from({ length: 300_000 }, (_, at) => `module${at}.${at}`);

it.each<[what: string, plan: Partial<AdapterPlan>]>([
  ['targets', { targets: ['q_proj', ...many] }],
  ['excluded modules', { targets: ['q_proj'], excludedModules: many }],
  ['modules that are saved', { targets: ['q_proj'], savedModules: many }],
  ['parameters', { targets: ['q_proj'], targetParameters: many }],
  ['patterns', { targets: ['q_proj', ...many.map((text) => `${text}+`)] }],
])('are not each tried on each module: %s', async (_, plan) => {
  const model = await llama();
  const tried = vi.spyOn(String.prototype, 'endsWith');
  const adapter: AdapterPlan = { kind: 'lora', rank: 4, targets: [], ...plan };
  expect(modulesOfAdapter(model, adapter)?.adapted).toHaveLength(50);
  adapterParameters(model.groups ?? [], adapter, 'llama');
  // Of 50 layers, 9 groups and 300,000 texts there are 135,000,000 pairs.
  expect(tried.mock.calls.length).toBeLessThan(100_000);
});

it('are taken in their order, at the ends of names and in modules around', async () => {
  const model = await llama();
  const adapted = (plan: Partial<AdapterPlan>): string[] | undefined =>
    modulesOfAdapter(model, { kind: 'lora', rank: 4, targets: [], ...plan })?.adapted.flatMap(({ pattern, layer }) =>
      (layer ?? 0) === 0 ? [pattern] : [],
    );
  expect(adapted({ targets: ['attn.q_proj', 'self_attn.q_proj', 'own_proj'] })).toEqual(['model.layers.N.self_attn.q_proj']);
  expect(adapted({ targets: ['all-linear'], excludedModules: ['q_proj', '.*mlp.*'] })).toEqual(
    ['k_proj', 'v_proj', 'o_proj'].map((name) => `model.layers.N.self_attn.${name}`),
  );
  expect(adapted({ targets: ['q_proj', 'k_proj', 'up_proj'], savedModules: ['attn'] })).toEqual(['model.layers.N.mlp.up_proj']);
});
