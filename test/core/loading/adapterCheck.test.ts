/** Adapters against their base models: each case of PEFT's own answers (test/fixtures/load/make_adapters.py), and what surrounds them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { countModel } from '../../../src/core/configs/countModel.js';
import { Fields } from '../../../src/core/configs/fields.js';
import { adapterFrom } from '../../../src/core/frameworks/peft/config.js';
import { adapterCheck, type AdapterCheck } from '../../../src/core/loading/adapterCheck.js';
import { noAccess } from '../../../src/core/loading/adaptedModel.js';
import { compareTensors } from '../../../src/core/loading/adapterTensors.js';
import type { LoadCheck } from '../../../src/core/loading/loadCheck.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

type Shapes = Record<string, number[]>;
type Settings = Record<string, unknown>;

interface Change {
  adapter: number;
  base?: string;
  drop?: string[];
  add?: Shapes;
  config?: Settings;
  rename?: [string, string];
}

interface Case extends Change {
  error?: string;
  missing?: string[];
  unexpected?: string[];
}

interface Truth {
  bases: Record<string, Settings>;
  adapters: { base: string; config: Settings; tensors: Shapes }[];
  cases: Case[];
}

const fixture = new URL('../../fixtures/load/adapters.json', import.meta.url);
const truth = JSON.parse(readFileSync(fixture, 'utf8').replaceAll('~', 'base_model.model.')) as Truth;

function changed({ adapter, base, drop = [], add = {}, config = {}, rename }: Change): {
  base: Settings;
  config: Settings;
  tensors: Shapes;
} {
  const own = truth.adapters[adapter] as Truth['adapters'][number];
  const kept = Object.entries({ ...own.tensors }).filter(([name]) => !drop.includes(name));
  const tensors = [...kept, ...Object.entries(add)].map(([name, shape]): [string, number[]] => [
    rename === undefined ? name : name.replace(rename[0], rename[1]),
    shape,
  ]);
  return {
    base: truth.bases[base ?? own.base] as Settings,
    config: { base_model_name_or_path: 'org/base', ...own.config, ...config },
    tensors: Object.fromEntries(tensors),
  };
}

const stored = (tensors: Shapes): Uint8Array =>
  buildSafetensors({
    tensors: Object.fromEntries(Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }])),
  });

/** @param bases configs by the names that adapters give */
async function found(
  files: Record<string, MemoryFile>,
  bases: Record<string, Settings> | null,
): Promise<AdapterCheck | undefined> {
  const readCached = (name: string): Promise<{ path: string; text: string } | null> =>
    Promise.resolve(bases?.[name] === undefined ? null : { path: `${name}/config.json`, text: JSON.stringify(bases[name]) });
  const access = bases === null ? null : createConfigAccess({ read: () => Promise.resolve(null), readCached });
  return adapterCheck((await readCheckpoint(files)).read, access);
}

async function check(...given: Parameters<typeof found>): Promise<AdapterCheck> {
  const one = await found(...given);
  if (one === undefined) throw new Error('there is no adapter');
  return one;
}

const filesOf = ({ config, tensors }: { config: Settings; tensors: Shapes }, place = ''): Record<string, MemoryFile> => ({
  [`${place}adapter_config.json`]: json(config),
  [`${place}adapter_model.safetensors`]: stored(tensors),
});
const codes = ({ findings }: LoadCheck): string[] => findings.map(({ code }) => code);

const codesOfErrors: Record<string, readonly string[]> = {
  RuntimeError: ['adapter-of-other-base', 'adapter-vocabulary-differs', 'config-sizes-differ'],
  KeyError: ['adapter-modules-unsaved'],
  NoMatchingPeftModuleError: ['adapter-targets-missing'],
};

describe('an adapter and its base', () => {
  it.each(truth.cases.map((each, number) => ({ ...each, number })))(
    'load as PEFT 0.21.2 loads them: case $number',
    async (each) => {
      const made = changed(each);
      const found = await check(filesOf(made), { 'org/base': made.base });
      if (each.error !== undefined) {
        expect(found.verdict).toBe('fails');
        const expected = codesOfErrors[each.error.slice(0, each.error.indexOf(':'))] ?? [];
        expect(codes(found).filter((code) => expected.includes(code))).not.toEqual([]);
        return;
      }
      const { missing = [], unexpected = [] } = each;
      expect(found.verdict).toBe(missing.length + unexpected.length === 0 ? 'loads' : 'loads-with-warnings');
      const { model } = await countModel(
        { kind: 'fields', fields: Fields.fromValues(made.base) },
        createConfigAccess({ read: () => Promise.resolve(null), readCached: () => Promise.resolve(null) }),
      );
      if (model === null) throw new Error('the base is not counted');
      const tensors = Object.entries(made.tensors).map(([name, shape]) => ({ name, shape }));
      const comparison = compareTensors(tensors, model, adapterFrom(Fields.fromValues(made.config)));
      const plain = (names: readonly string[]): string[] =>
        names.map((name) => name.replace('lora_magnitude_vector.weight', 'lora_magnitude_vector')).sort();
      expect({
        missing: plain(comparison?.missing.map(({ name }) => name) ?? []),
        unexpected: plain(comparison?.unexpected.map(({ name }) => name) ?? []),
      }).toEqual({
        missing: plain(missing),
        unexpected: plain(unexpected),
      });
    },
  );
});

const intact = changed({ adapter: 0 });

describe('settings of an adapter', () => {
  it.each<[setting: string, value: unknown, rule: string]>([
    ['r', -1, 'a whole number from 1'],
    ['r', 0, 'a whole number from 1'],
    ['r', '4', 'a whole number from 1'],
    ['r', 4.5, 'a whole number from 1'],
    ['r', null, 'a whole number from 1'],
    ['r', true, 'a whole number from 1'],
    ['lora_alpha', '16', 'a number'],
    ['lora_alpha', null, 'a number'],
    ['lora_dropout', 2, 'a number of at most 1'],
    ['lora_dropout', 'a', 'a number of at most 1'],
    ['bias', 'some', '"none", "all" or "lora_only"'],
    ['rank_pattern', null, 'an object'],
    ['rank_pattern', { '(': 4 }, 'of regular expressions: a group is not closed'],
    ['alpha_pattern', [], 'an object'],
    ['target_modules', '.*(q_proj|v_proj', 'a regular expression: a group is not closed'],
    ['target_modules', 5, 'a list of names or a regular expression'],
    ['target_modules', [null], 'a list of names or a regular expression'],
    ['exclude_modules', '[a', 'a regular expression: a set is not closed'],
    ['peft_type', 'lora', '"LORA"'],
    ['peft_type', 'Foo', 'a kind that PEFT 0.21 has, as "LORA"'],
    ['peft_type', 'SUPERLORA', 'a kind that PEFT 0.21 has, as "LORA"'],
    ['task_type', 'FOO', 'one of SEQ_CLS, SEQ_2_SEQ_LM, CAUSAL_LM, TOKEN_CLS, QUESTION_ANS, FEATURE_EXTRACTION, or null'],
    ['task_type', 'causal_lm', 'one of SEQ_CLS, SEQ_2_SEQ_LM, CAUSAL_LM, TOKEN_CLS, QUESTION_ANS, FEATURE_EXTRACTION, or null'],
    ['init_lora_weights', 'foo', 'a boolean or a way to begin, as "gaussian"'],
    ['init_lora_weights', 'pissax', 'a boolean or a way to begin, as "gaussian"'],
  ])('that PEFT 0.21.2 refuses fail: %s %j', async (setting, value, rule) => {
    const found = await check(filesOf(changed({ adapter: 0, config: { [setting]: value } })), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'fails', checked: [], notChecked: [{ what: 'adapter' }] });
    expect(found.findings).toMatchObject([
      { code: 'adapter-settings-refused', path: 'adapter_config.json', facts: { setting, rule } },
    ]);
  });

  it.each<[setting: string, value: unknown]>([
    ['lora_alpha', -1],
    ['lora_alpha', 1.5],
    ['lora_alpha', true],
    ['lora_dropout', -0.1],
    ['layers_to_transform', []],
    ['bias', 'none'],
    ['init_lora_weights', 'Gaussian'],
    ['init_lora_weights', 'pissa_niter_4'],
    ['init_lora_weights', null],
    ['exclude_modules', ['nothing']],
    ['alpha_pattern', { nothing: '8' }],
    ['a_key_of_later_releases', 1],
  ])('that it takes are none: %s %j', async (setting, value) => {
    const found = await check(filesOf(changed({ adapter: 0, config: { [setting]: value } })), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'loads', findings: [] });
  });
});

describe('names of an adapter', () => {
  it('with the name default are those of PEFT itself', async () => {
    const made = changed({ adapter: 0 });
    const tensors = Object.fromEntries(
      Object.entries(made.tensors).map(([name, shape]) => [name.replace(/(\.lora_[AB])\./, '$1.default.'), shape]),
    );
    expect(Object.keys(tensors).join()).toContain('.default.weight');
    expect(await check(filesOf({ ...made, tensors }), { 'org/base': made.base })).toMatchObject({
      verdict: 'loads',
      findings: [],
    });
  });

  it('as one text are whole names, and a list has their ends', async () => {
    const targets = (target_modules: unknown): ReturnType<typeof check> =>
      check(filesOf(changed({ adapter: 0, config: { target_modules } })), { 'org/base': intact.base });
    const [own] = intact.config['target_modules'] as string[];
    const asText = await targets(own);
    expect(asText.verdict).toBe('fails');
    expect(asText.findings).toMatchObject([{ code: 'adapter-targets-missing', facts: { targets: own } }]);
    expect((await targets([own])).verdict).not.toBe('fails');
    expect((await targets(`.*${own ?? ''}`)).verdict).not.toBe('fails');
  });
});

/** The same with a base that has so many rows more. */
function withRows<Made extends { base: Settings }>(made: Made, more: number): Made {
  return { ...made, base: { ...made.base, vocab_size: Number(made.base['vocab_size']) + more } };
}

describe('the base of an adapter', () => {
  it('that is not found leaves the rank to be compared', async () => {
    const found = await check(filesOf(intact), {});
    expect(found).toMatchObject({
      verdict: 'unknown',
      why: 'The adapter was not compared with its base model: its base model (org/base) is neither here nor in the cache of the Hugging Face Hub.',
      checked: [],
      notChecked: [
        {
          what: 'adapter',
          detail: 'adapter_config.json: its base model (org/base) is neither here nor in the cache of the Hugging Face Hub',
        },
      ],
      findings: [],
      done: ['adapter_config.json: rank against the shapes of the tensors'],
      differences: {
        counts: { expected: 0, found: 8, missing: 0, unexpected: 0, mismatched: 0 },
        ...{ missing: [], unexpected: [], mismatched: [] },
      },
    });
    const other = await check(filesOf(changed({ adapter: 0, config: { r: 16 } })), null);
    expect(other.verdict).toBe('fails');
    expect(codes(other)).toEqual(['config-sizes-differ']);
  });

  it('is found by the name in a path of another machine', async () => {
    const config = {
      ...intact.config,
      base_model_name_or_path: '/root/.cache/huggingface/hub/models--org--base/snapshots/0123abcd',
    };
    const found = await check(filesOf({ ...intact, config }), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'loads', checked: ['adapter'], notChecked: [], findings: [] });
    expect(found.done[0]).toMatch(/^adapter_config\.json: 8 tensors against Llama /);
  });

  it('may be beside the adapter', async () => {
    const found = await check({ ...filesOf(intact), 'config.json': json(intact.base) }, null);
    expect(found).toMatchObject({ verdict: 'loads', checked: ['adapter'] });
  });

  it('is that of each adapter of a directory', async () => {
    const second = changed({ adapter: 9 });
    const files = {
      ...filesOf(intact),
      ...filesOf({ ...second, config: { ...second.config, base_model_name_or_path: 'org/other' } }, 'second/'),
    };
    const found = await check(files, { 'org/base': intact.base, 'org/other': second.base });
    expect(found).toMatchObject({ verdict: 'loads', notChecked: [] });
    expect(found.done).toHaveLength(2);
    const wrong = await check(files, { 'org/base': intact.base, 'org/other': intact.base });
    expect(wrong.findings).toMatchObject([{ code: 'adapter-targets-missing', path: 'second/adapter_config.json' }]);
  });

  it('with fewer rows than the adapter is enlarged where a tokenizer is saved with it', async () => {
    const resized = withRows(changed({ adapter: 3 }), -2);
    const plain = await check(filesOf(resized), { 'org/base': resized.base });
    expect([plain.verdict, ...codes(plain)]).toEqual(['fails', 'adapter-vocabulary-differs']);
    const tokenizer = { 'tokenizer_config.json': json({}) };
    const found = await check({ ...filesOf(resized), ...tokenizer }, { 'org/base': resized.base });
    expect([found.verdict, ...codes(found)]).toEqual(['loads-with-warnings', 'adapter-vocabulary-differs']);
  });

  it('with more rows than the adapter is enlarged by no loader, and one of another width is another base', async () => {
    const resized = changed({ adapter: 3, base: 'llama-words' });
    const tokenizer = { 'tokenizer_config.json': json({}) };
    const rows = (resized.base as { vocab_size: number }).vocab_size;
    const larger = { ...resized.base, vocab_size: rows + 1000 };
    const fewer = await check({ ...filesOf(resized), ...tokenizer }, { 'org/base': larger });
    expect([fewer.verdict, ...codes(fewer)]).toEqual(['fails', 'adapter-vocabulary-differs']);
    const wider = {
      ...resized.base,
      vocab_size: rows + 1000,
      hidden_size: 2 * (resized.base as { hidden_size: number }).hidden_size,
    };
    const other = await check({ ...filesOf(resized), ...tokenizer }, { 'org/base': wider });
    expect([other.verdict, ...codes(other)]).toEqual(['fails', 'adapter-of-other-base']);
  });

  it('is named with the place of its config, and the tensors that were compared are counted', async () => {
    const [first] = Object.keys(intact.tensors);
    const dropped = changed({ adapter: 0, drop: [first ?? ''], add: { 'base_model.model.other.lora_A.weight': [4, 4] } });
    const found = await check(filesOf(dropped), { 'org/base': dropped.base });
    const [missing] = found.differences.missing;
    expect(found.differences).toMatchObject({
      counts: { expected: 8, found: 8, missing: 1, unexpected: 1, mismatched: 0 },
      unexpected: [{ name: 'base_model.model.other.lora_A.weight', shape: [4, 4] }],
    });
    expect([missing?.name, missing?.shape]).toEqual([first, intact.tensors[first ?? '']]);
    expect(found.done[0]).toContain('(org/base, config in the cache of the Hugging Face Hub)');
    const other = await check(filesOf(changed({ adapter: 0, config: { r: 2 } })), { 'org/base': intact.base });
    expect(other.differences.counts).toEqual({ expected: 8, found: 8, missing: 0, unexpected: 0, mismatched: 8 });
    expect(other.differences.mismatched[0]?.expected).toContain(2);
    const targets = await check(filesOf(changed({ adapter: 0, config: { target_modules: ['c_attn'] } })), {
      'org/base': intact.base,
    });
    expect(targets.findings[0]?.facts).toMatchObject({ base: 'org/base, config in the cache of the Hugging Face Hub' });
  });

  it('that also has weights of the base under their own names leaves out those of adapted modules', async () => {
    const [first = ''] = Object.keys(intact.tensors);
    const module = first.replace(/\.lora_.*$/, '');
    const outputs = intact.tensors[`${module}.lora_B.weight`]?.[0] ?? 0;
    const inputs = intact.tensors[`${module}.lora_A.weight`]?.[1] ?? 0;
    const withBase = (name: string): Promise<AdapterCheck> =>
      check(filesOf({ ...intact, tensors: { ...intact.tensors, [name]: [outputs, inputs] } }), { 'org/base': intact.base });
    expect(await withBase(`${module}.weight`)).toMatchObject({
      verdict: 'loads-with-warnings',
      differences: { unexpected: [{ name: `${module}.weight` }] },
    });
    expect(await withBase(`${module}.base_layer.weight`)).toMatchObject({ verdict: 'loads' });
  });

  it('whose config alone is beside a whole model fails', async () => {
    const files = { 'config.json': json(intact.base), 'adapter_config.json': json(intact.config) };
    const found = await check({ ...files, 'model.safetensors': stored({ 'model.norm.weight': [16] }) }, null);
    expect(found).toMatchObject({ verdict: 'fails', checked: ['adapter'] });
    expect(found.why).toContain('there is no adapter_model.safetensors or adapter_model.bin');
  });

  it('has the output layer of the task, with as many labels as the training had', async () => {
    const config = { ...intact.config, task_type: 'SEQ_CLS', modules_to_save: ['classifier', 'score'] };
    const tensors = { ...intact.tensors, 'base_model.model.score.weight': [5, 16] };
    const found = await check(filesOf({ config, tensors }), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'loads-with-warnings', findings: [], notChecked: [], loaded: [{ labels: 5 }] });
    expect(found.why).toContain('5 labels, and the config of the base 2: from_pretrained raises an error without num_labels=5.');
    const labelled = { ...intact.base, id2label: Object.fromEntries([0, 1, 2, 3, 4].map((id) => [id, `label ${id}`])) };
    expect(await check(filesOf({ config, tensors }), { 'org/base': labelled })).toMatchObject({ verdict: 'loads', why: '' });
    const [loaded] = found.loaded;
    const { model: asLanguageModel } = await countModel({ kind: 'fields', fields: Fields.fromValues(intact.base) }, noAccess);
    // Five rows of scores in place of those of the vocabulary.
    const rows = Number(intact.base['vocab_size']) - 5;
    expect(loaded?.base?.counts.unique).toBe((asLanguageModel?.counts.unique ?? 0) - rows * 16);
    const without = await check(filesOf({ ...intact, config }), { 'org/base': intact.base });
    expect([without.verdict, ...codes(without)]).toEqual(['fails', 'adapter-modules-unsaved']);
    expect(without.differences.missing).toContainEqual({ name: 'base_model.model.score.weight', shape: [2, 16] });
  });

  it('whose class has no output layer has names without their beginning', async () => {
    const config = { ...intact.config, auto_mapping: { base_model_class: 'LlamaModel' } };
    const named = (rank: number): Shapes =>
      Object.fromEntries(
        Object.entries(intact.tensors).map(([name, [rows = 0, columns = 0]]) => [
          name.replace('.model.model.', '.model.'),
          name.includes('lora_A') ? [rank, columns] : [rows, rank],
        ]),
      );
    const found = await check(filesOf({ config, tensors: named(4) }), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'loads', checked: ['adapter'], findings: [], notChecked: [] });
    const other = await check(filesOf({ config, tensors: named(2) }), { 'org/base': intact.base });
    expect([other.verdict, ...codes(other)]).toEqual(['fails', 'config-sizes-differ']);
  });

  describe('that is an encoder', () => {
    const base = {
      model_type: 'bert',
      ...{ vocab_size: 40, hidden_size: 16, intermediate_size: 24, num_hidden_layers: 1, num_attention_heads: 4 },
    };
    const attention = ['query', 'value'].flatMap((name): [string, number[]][] => {
      const module = `encoder.layer.0.attention.self.${name}`;
      return [
        [`${module}.lora_A.weight`, [2, 16]],
        [`${module}.lora_B.weight`, [16, 2]],
      ];
    });
    const tensorsUnder = (level: string): Shapes =>
      Object.fromEntries(attention.map(([name, shape]) => [`base_model.model.${level}${name}`, shape]));
    const classifier: Shapes = { 'base_model.model.classifier.weight': [2, 16], 'base_model.model.classifier.bias': [2] };
    const config = { peft_type: 'LORA', base_model_name_or_path: 'org/base', r: 2, target_modules: ['query', 'value'] };
    const verdictOf = async (className: string, settings: Settings, tensors: Shapes): Promise<unknown> => {
      const files = filesOf({ config: { ...config, ...settings }, tensors });
      const found = await check(files, { 'org/base': { ...base, architectures: [className] } });
      return [found.verdict, ...codes(found)];
    };

    it.each(['BertModel', 'BertForMaskedLM', 'BertForSequenceClassification'])(
      'has a level more with a task: %s',
      async (name) => {
        const tensors = { ...tensorsUnder('bert.'), ...classifier };
        expect(await verdictOf(name, { task_type: 'SEQ_CLS' }, tensors)).toEqual(['loads']);
        expect(await verdictOf(name, { task_type: 'TOKEN_CLS' }, tensors)).toEqual(['loads']);
        const [, ...others] = Object.entries(tensors);
        expect(await verdictOf(name, { task_type: 'SEQ_CLS' }, Object.fromEntries(others))).toEqual([
          'loads-with-warnings',
          'adapter-tensors-missing',
        ]);
      },
    );

    it('has none of its own without one', async () => {
      expect(await verdictOf('BertForMaskedLM', { task_type: 'FEATURE_EXTRACTION' }, tensorsUnder(''))).toEqual(['loads']);
      const mapped = { auto_mapping: { base_model_class: 'BertForMaskedLM' } };
      expect(await verdictOf('BertModel', mapped, tensorsUnder('bert.'))).toEqual(['loads']);
    });

    it('is not compared under a class whose modules are not known', async () => {
      const files = filesOf({ config: { ...config, auto_mapping: { base_model_class: 'BertForGhosts' } }, tensors: {} });
      const found = await check(files, { 'org/base': { ...base, architectures: ['BertModel'] } });
      expect(found).toMatchObject({ verdict: 'unknown', findings: [] });
      expect(found.why).toContain('it is for the class BertForGhosts, of which the modules are not known');
    });
  });

  describe('with experts', () => {
    const sizes = { vocab_size: 40, hidden_size: 16, intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 4 };
    const mixtral = {
      model_type: 'mixtral',
      architectures: ['MixtralForCausalLM'],
      ...sizes,
      num_key_value_heads: 2,
      num_local_experts: 4,
    };
    const qwen = {
      model_type: 'qwen2_moe',
      architectures: ['Qwen2MoeForCausalLM'],
      ...{ ...sizes, num_key_value_heads: 2, num_experts: 4, moe_intermediate_size: 8, shared_expert_intermediate_size: 12 },
    };
    const pair = (module: string, outputs: number, inputs: number, rank = 2): Shapes => ({
      [`base_model.model.${module}.lora_A.weight`]: [rank, inputs],
      [`base_model.model.${module}.lora_B.weight`]: [outputs, rank],
    });
    const inLayers = (make: (layer: string) => Shapes): Shapes => ({ ...make('model.layers.0'), ...make('model.layers.1') });
    const queries = inLayers((layer) => pair(`${layer}.self_attn.q_proj`, 16, 16));
    const stacked = inLayers((layer) => ({
      ...pair(`${layer}.mlp.experts.base_layer`, 48, 16, 16),
      ...pair(`${layer}.mlp.experts`, 16, 24, 8),
    }));
    const eachExpert = (block: string, leaves: readonly string[], width = 24): Shapes =>
      inLayers((layer) =>
        [0, 1, 2, 3].reduce<Shapes>(
          (all, expert) =>
            leaves.reduce((own, leaf) => {
              const isDown = leaf === 'w2' || leaf === 'down_proj';
              const module = `${layer}.${block}.experts.${expert}.${leaf}`;
              return { ...own, ...pair(module, isDown ? 16 : width, isDown ? width : 16) };
            }, all),
          {},
        ),
      );
    const judged = async (base: Settings, settings: Settings, tensors: Shapes): Promise<LoadCheck> => {
      const config = { peft_type: 'LORA', base_model_name_or_path: 'org/base', task_type: 'CAUSAL_LM', r: 2, ...settings };
      return check(filesOf({ config, tensors }), { 'org/base': base });
    };
    const verdictOf = async (...given: Parameters<typeof judged>): Promise<unknown> => {
      const found = await judged(...given);
      return [found.verdict, ...codes(found)];
    };

    it('is compared where no expert is adapted', async () => {
      expect(await verdictOf(mixtral, { target_modules: ['q_proj'] }, queries)).toEqual(['loads']);
      expect(await verdictOf(mixtral, { target_modules: ['q_proj', 'gate_proj'] }, queries)).toEqual(['loads']);
      const [, ...fewer] = Object.entries(queries);
      expect(await verdictOf(mixtral, { target_modules: ['q_proj'] }, Object.fromEntries(fewer))).toEqual([
        'loads-with-warnings',
        'adapter-tensors-missing',
      ]);
    });

    it('has one adapter for all experts of a layer, by their parameters or by their old names', async () => {
      const parameters = {
        target_modules: [],
        target_parameters: ['gate_up_proj', 'down_proj'],
        rank_pattern: { '.*\\.gate_up_proj': 4 },
      };
      expect(await verdictOf(mixtral, parameters, stacked)).toEqual(['loads']);
      expect(await verdictOf(mixtral, { target_modules: ['w1', 'w2', 'w3'] }, stacked)).toEqual(['loads']);
      expect(await verdictOf(mixtral, { ...parameters, rank_pattern: {} }, stacked)).toEqual(['fails', 'config-sizes-differ']);
      const routers = inLayers((layer) => pair(`${layer}.mlp.gate`, 4, 16));
      expect(await verdictOf(mixtral, { target_parameters: ['gate.weight'] }, routers)).toEqual(['loads']);
    });

    it('may have the adapters of each expert, of before they were stacked', async () => {
      const named = { target_modules: ['w1', 'w2', 'w3'] };
      const whole = eachExpert('block_sparse_moe', ['w1', 'w2', 'w3']);
      expect(await verdictOf(mixtral, named, whole)).toEqual(['loads']);
      expect(await verdictOf(mixtral, named, eachExpert('block_sparse_moe', ['w1', 'w2', 'w3'], 20))).toEqual([
        'fails',
        'adapter-of-other-base',
      ]);
      const inOne = Object.fromEntries(Object.entries(whole).filter(([name]) => name.includes('layers.0')));
      expect(await verdictOf(mixtral, named, inOne)).toEqual(['loads-with-warnings', 'adapter-tensors-missing']);
      // PEFT does not put the experts of this type together.
      const shared = inLayers((layer) => pair(`${layer}.mlp.shared_expert.up_proj`, 12, 16));
      const found = await judged(qwen, { target_modules: ['up_proj'] }, { ...shared, ...eachExpert('mlp', ['up_proj'], 8) });
      expect(found.findings).toMatchObject([{ code: 'adapter-tensors-unused', facts: { unused: 16 } }]);
    });

    it('is not known where PEFT refuses the target', async () => {
      const found = await judged(mixtral, { target_modules: ['w1'] }, {});
      expect(found.why).toBe(
        'Not all modules that the adapter adapts are known: PEFT refuses to adapt w1 of experts alone, as it is stacked with another.',
      );
    });
  });

  describe('that reads images', () => {
    const text = {
      vocab_size: 40,
      hidden_size: 16,
      intermediate_size: 24,
      num_hidden_layers: 1,
      num_attention_heads: 4,
      num_key_value_heads: 2,
    };
    const tower = {
      hidden_size: 16,
      intermediate_size: 24,
      num_hidden_layers: 1,
      num_attention_heads: 4,
      image_size: 8,
      patch_size: 4,
    };
    const llava = {
      model_type: 'llava',
      architectures: ['LlavaForConditionalGeneration'],
      text_config: { model_type: 'llama', ...text },
      vision_config: { model_type: 'clip_vision_model', ...tower, projection_dim: 8 },
    };
    const qwen = {
      model_type: 'qwen2_vl',
      architectures: ['Qwen2VLForConditionalGeneration'],
      text_config: { model_type: 'qwen2_vl_text', ...text },
      vision_config: { depth: 1, embed_dim: 16, hidden_size: 16, num_heads: 2, mlp_ratio: 2, patch_size: 2 },
    };
    const pair = (module: string, outputs: number, inputs: number): Shapes => ({
      [`base_model.model.${module}.lora_A.weight`]: [2, inputs],
      [`base_model.model.${module}.lora_B.weight`]: [outputs, 2],
    });
    const verdictOf = async (base: Settings, settings: Settings, tensors: Shapes): Promise<unknown> => {
      const config = { peft_type: 'LORA', base_model_name_or_path: 'org/base', task_type: 'CAUSAL_LM', r: 2, ...settings };
      const found = await check(filesOf({ config, tensors }), { 'org/base': base });
      return [found.verdict, ...codes(found)];
    };
    const value = { target_modules: ['v_proj'] };
    const inTower = 'vision_tower.encoder.layers.0.self_attn.v_proj';
    const inText = 'language_model.layers.0.self_attn.v_proj';

    it('is compared as a whole', async () => {
      const both = { ...pair(`model.${inTower}`, 16, 16), ...pair(`model.${inText}`, 8, 16) };
      expect(await verdictOf(llava, value, both)).toEqual(['loads']);
      expect(await verdictOf(llava, value, pair(`model.${inText}`, 8, 16))).toEqual([
        'loads-with-warnings',
        'adapter-tensors-missing',
      ]);
      expect(await verdictOf(llava, { target_modules: '.*language_model.*v_proj' }, pair(`model.${inText}`, 8, 16))).toEqual([
        'loads',
      ]);
      expect(
        await verdictOf(llava, { target_modules: ['linear_1'] }, pair('model.multi_modal_projector.linear_1', 16, 20)),
      ).toEqual(['fails', 'adapter-of-other-base']);
    });

    it('may have names of before transformers 5, of which PEFT changes some', async () => {
      const old = {
        ...pair('vision_tower.vision_model.encoder.layers.0.self_attn.v_proj', 16, 16),
        ...pair('language_model.model.layers.0.self_attn.v_proj', 8, 16),
      };
      expect(await verdictOf(llava, value, old)).toEqual(['loads']);
      const lost = ['loads-with-warnings', 'adapter-tensors-missing', 'adapter-tensors-unused'];
      expect(await verdictOf(llava, { target_modules: ['linear_1'] }, pair('multi_modal_projector.linear_1', 16, 16))).toEqual(
        lost,
      );
      expect(await verdictOf(qwen, value, pair('model.layers.0.self_attn.v_proj', 8, 16))).toEqual(lost);
    });

    it('tells matrices of a sequence apart by their numbers, and has adapters of patches', async () => {
      const merger = { ...pair('model.visual.merger.mlp.0', 64, 64), ...pair('model.visual.merger.mlp.2', 16, 64) };
      expect(await verdictOf(qwen, { target_modules: ['mlp.0', 'mlp.2'] }, merger)).toEqual(['loads']);
      const patches = {
        'base_model.model.model.visual.patch_embed.proj.lora_A.weight': [2, 3, 2, 2, 2],
        'base_model.model.model.visual.patch_embed.proj.lora_B.weight': [16, 2, 1, 1, 1],
      };
      expect(await verdictOf(qwen, { target_modules: ['patch_embed.proj'] }, patches)).toEqual(['loads']);
    });
  });

  it('with other modules than those of its config is not compared', async () => {
    const config = { ...intact.config, layer_replication: [[0, 2]] };
    const found = await check(filesOf({ ...intact, config }), { 'org/base': intact.base });
    expect(found).toMatchObject({ verdict: 'unknown', findings: [] });
    expect(found.notChecked[0]?.detail).toBe('adapter_config.json: its config sets layer_replication');
  });

  it('of another kind of adapter is not compared', async () => {
    const found = await check(filesOf({ ...intact, config: { ...intact.config, peft_type: 'VERA' } }), {
      'org/base': intact.base,
    });
    expect(found).toMatchObject({ verdict: 'unknown', findings: [], checked: [] });
  });

  it('is no matter for a checkpoint without adapters', async () => {
    expect(await found({ 'a.safetensors': stored({ a: [2] }) }, {})).toBeUndefined();
  });
});

describe('tokens that an adapter trains by themselves', () => {
  const llama = {
    ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 8, num_hidden_layers: 1, intermediate_size: 16 },
    ...{ num_attention_heads: 2, vocab_size: 96, tie_word_embeddings: false },
  };
  const at = 'base_model.model.model.';
  const tensors = {
    [`${at}layers.0.self_attn.q_proj.lora_A.weight`]: [4, 8],
    [`${at}layers.0.self_attn.q_proj.lora_B.weight`]: [8, 4],
    [`${at}embed_tokens.token_adapter.trainable_tokens_delta`]: [3, 8],
  };
  const settings = {
    base_model_name_or_path: 'org/base',
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    r: 4,
    target_modules: ['q_proj'],
  };
  const checked = (tokens: unknown, files: Record<string, MemoryFile> = {}, base: Settings = llama): Promise<AdapterCheck> =>
    check({ ...filesOf({ config: { ...settings, trainable_token_indices: tokens }, tensors }), ...files }, { 'org/base': base });

  it.each<[tokens: unknown]>([[[3, 4, 95]], [[-96, 4, 5]], [[3, 3, 4]], [{ embed_tokens: [3, 4, 5] }]])(
    'load where the embedding has them: %j',
    async (tokens) => {
      expect(await checked(tokens)).toMatchObject({ verdict: 'loads', findings: [] });
    },
  );

  it.each<[tokens: unknown, token: number]>([
    [[3, 4, 96], 96],
    [[3, 4, 5000], 5000],
    [[-97, 4, 5], -97],
    [{ embed_tokens: [3, 96, 5] }, 96],
  ])('fail where it has no such row: %j', async (tokens, token) => {
    const found = await checked(tokens);
    expect(found).toMatchObject({
      verdict: 'fails',
      findings: [{ code: 'adapter-tokens-beyond-embedding', facts: { token, rows: 96, module: 'model.embed_tokens' } }],
    });
    // PEFT enlarges the embedding by the tokenizer that is saved with the adapter.
    expect((await checked(tokens, { 'tokenizer.json': json({ model: {} }) })).verdict).toBe('loads-with-warnings');
  });

  it('fail of a module that the base does not have, and not of a tied one', async () => {
    expect(codes(await checked({ foo: [3, 4, 5] }))).toEqual(['adapter-targets-missing']);
    const tied = await checked({ lm_head: [3], embed_tokens: [3, 4, 5] }, {}, { ...llama, tie_word_embeddings: true });
    expect(codes(tied)).not.toContain('adapter-targets-missing');
  });

  it.each<[tokens: unknown]>([['3'], [3], [['3']], [{ embed_tokens: 3 }]])('are refused in another form: %j', async (tokens) => {
    const found = await checked(tokens);
    expect(found).toMatchObject({ verdict: 'fails', findings: [{ facts: { setting: 'trainable_token_indices' } }] });
  });
});
