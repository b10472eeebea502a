/** Configs with values that no model has: null or exact counts, and nothing else, in bounded time. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArchitecture } from '../../../../src/core/configs/architectures/readArchitecture.js';
import { countGroups } from '../../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../../src/core/configs/fields.js';
import { runs } from '../../../builders/seed.js';

type Config = Record<string, unknown>;

const configs: Config[] = readFileSync(path.resolve('test/fixtures/model-configs/decoders.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const { modelType, base } = JSON.parse(line) as { modelType: string; base?: Config };
    return { ...base, model_type: modelType };
  });

const absurd = fc.oneof(
  fc.constantFrom<unknown>(
    -1,
    0,
    1.5,
    1e30,
    -1e30,
    2 ** 50,
    2 ** 53,
    NaN,
    Infinity,
    '',
    '4096',
    '12abc',
    '${hidden_size}',
    '{{ layers }}',
  ),
  fc.constantFrom<unknown>(
    'auto',
    '10000000000000000000000',
    null,
    true,
    false,
    [],
    [1],
    [-1, 0],
    ['x'],
    ['attention'],
    {},
    { a: 1 },
  ),
  fc.integer({ min: 0, max: 1_000_000_000 }),
);

/** What must hold whatever a config says. */
function check(config: Config): void {
  const reading = readArchitecture(Fields.fromValues(config));
  if (reading === null) return;
  const counts = countGroups(reading.tensors.groups);
  const isExact = [counts?.unique, counts?.total, counts?.active].every(
    (count) => Number.isSafeInteger(count) && (count ?? 0) >= 0,
  );
  expect(isExact, JSON.stringify(config)).toBe(true);
  expect(
    (counts?.active ?? 0) <= (counts?.unique ?? 0) && (counts?.unique ?? 0) <= (counts?.total ?? 0),
    JSON.stringify(config),
  ).toBe(true);
  expect(reading.extras.every(({ parameters }) => Number.isSafeInteger(parameters) && parameters > 0)).toBe(true);
}

describe('absurd values', () => {
  it.each(configs.map((config) => ({ modelType: String(config['model_type']), config })))('$modelType', ({ config }) => {
    const keys = [
      ...Object.keys(config).filter((key) => key !== 'model_type'),
      'layer_types',
      'num_nextn_predict_layers',
      'head_dim',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), absurd, { minKeys: 1, maxKeys: 4 }), (changes) => {
        check({ ...config, ...changes });
      }),
      runs(100),
    );
  });

  it('are no sizes of types that are not known', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...configs.flatMap(Object.keys)), absurd, { maxKeys: 12 }), (config) => {
        check({ ...config, model_type: 'unheard-of' });
      }),
      runs(400, 20000),
    );
  });

  it.each([
    { hidden_size: 'abc' },
    { hidden_size: -4096 },
    { num_hidden_layers: 1e30 },
    { num_attention_heads: 0 },
    { vocab_size: '${v}' },
  ])('of %j are not replaced by a default', (changes) => {
    expect(readArchitecture(Fields.fromValues({ model_type: 'llama', ...changes }))).toBeNull();
  });
});

describe('block scales', () => {
  const config = {
    model_type: 'qwen3',
    hidden_size: 256,
    intermediate_size: 300,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    head_dim: 128,
    vocab_size: 512,
  };
  const scalesOf = (more: object): number | undefined =>
    readArchitecture(
      Fields.fromValues({ ...config, quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128], ...more } }),
    )?.extras.find(({ name }) => name === 'block-scales')?.parameters;

  it('are one a block, begun ones too', () => {
    // Four matrices of 2 x 2 blocks, three of 3 x 2.
    expect(scalesOf({})).toBe(4 * 4 + 3 * 6);
    expect(scalesOf({ modules_to_not_convert: ['lm_head', 'model.layers.0.input_layernorm'] })).toBe(34);
  });

  it('are left open where some layers are left out', () => {
    expect(scalesOf({ modules_to_not_convert: ['lm_head', 'model.layers.0.mlp.up_proj'] })).toBeUndefined();
  });
});

describe('guesses', () => {
  it('stand where a type has grown beyond its entry', () => {
    const kimi = { model_type: 'kimi_linear', hidden_size: 64, num_hidden_layers: 4, vocab_size: 1000, num_attention_heads: 4 };
    expect(readArchitecture(Fields.fromValues(kimi))?.basis).toBe('architecture');
    expect(readArchitecture(Fields.fromValues({ ...kimi, routed_expert_hidden_size: 32 }))?.basis).toBe('shapes');
  });

  it('say that they are', () => {
    const config = {
      vocab_size: 32000,
      hidden_size: 4096,
      intermediate_size: 11008,
      num_hidden_layers: 32,
      num_attention_heads: 32,
    };
    const reading = readArchitecture(Fields.fromValues({ model_type: 'unheard-of', hidden_act: 'silu', ...config }));
    expect(reading?.basis).toBe('shapes');
    expect(countGroups(reading?.tensors.groups ?? [])?.unique).toBe(6_738_415_616);
  });

  it('find the language model of a config that has one among others', () => {
    const text = {
      model_type: 'llama',
      vocab_size: 1000,
      hidden_size: 64,
      intermediate_size: 96,
      num_hidden_layers: 2,
      num_attention_heads: 4,
    };
    const reading = readArchitecture(Fields.fromValues({ model_type: 'unheard-of', text_config: text }));
    expect(reading).toMatchObject({ basis: 'shapes', modelType: 'unheard-of' });
    const alone = readArchitecture(Fields.fromValues(text));
    expect(reading?.tensors.groups).toEqual(alone?.tensors.groups);
  });

  it('take the class where there is no type', () => {
    const sizes = { vocab_size: 1000, hidden_size: 64, intermediate_size: 96, num_hidden_layers: 2, num_attention_heads: 4 };
    const byClass = readArchitecture(Fields.fromValues({ architectures: ['Qwen3ForCausalLM'], ...sizes }));
    expect(byClass).toMatchObject({ basis: 'architecture', modelType: 'qwen3' });
    expect(byClass?.tensors.groups).toEqual(
      readArchitecture(Fields.fromValues({ model_type: 'qwen3', ...sizes }))?.tensors.groups,
    );
  });
});
