/** What a comparison says of checkpoints that differ in one thing. */
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { resizedPair } from '../../builders/comparedCheckpoints.js';
import { filesBelow } from '../../builders/diskTree.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

type Files = Record<string, string | Uint8Array>;

const validate = compileSchemaFile('docs/comparison-report.schema.json');

async function answerOf(a: Files, b: Files) {
  const below = (root: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [`${root}/${name}`, file]));
  const answer = await compareCheckpoints(memoryPlatform({ ...below('/a', a), ...below('/b', b) }), { a: '/a', b: '/b' });
  expect(schemaErrors(validate, answer.report)).toEqual([]);
  return answer;
}

async function compared(a: Files, b: Files): Promise<ComparisonReport> {
  return (await answerOf(a, b)).report;
}

const f32 = (...shape: number[]): SafetensorsTensor => ({ dtype: 'F32', shape });
const model = (tensors: Record<string, SafetensorsTensor>, others: Files = {}): Files => ({
  'model.safetensors': buildSafetensors({ tensors, metadata: { format: 'pt' } }),
  'config.json': '{"model_type": "llama"}',
  ...others,
});

describe('tensors', () => {
  it('are same, added, removed, and changed in dtype or shape', async () => {
    const { tensors, isSame } = await compared(
      model({ 'a.weight': f32(2), 'b.weight': f32(2), 'c.weight': f32(2, 3), 'd.weight': f32(4) }),
      model({ 'a.weight': f32(2), 'b.weight': { dtype: 'BF16', shape: [2] }, 'c.weight': f32(3, 2), 'e.weight': f32(4) }),
    );
    expect(isSame).toBe(false);
    expect(tensors).toMatchObject({
      same: 1,
      added: [{ name: 'e.weight', dtype: 'f32', shape: [4] }],
      removed: [{ name: 'd.weight', dtype: 'f32', shape: [4] }],
      changed: [
        { name: 'b.weight', a: { dtype: 'f32', shape: [2] }, b: { dtype: 'bf16', shape: [2] } },
        { name: 'c.weight', a: { shape: [2, 3] }, b: { shape: [3, 2] } },
      ],
      renamed: [],
      counts: { added: 1, removed: 1, renamed: 0, changed: 2 },
    });
  });

  it('of GPT-2 are the same in nanoGPT, which has the matrices of equal names as [out, in]', async () => {
    const gpt2 = (turn: (...shape: [number, number]) => SafetensorsTensor): Files =>
      model({
        'transformer.wte.weight': f32(20, 4),
        'transformer.h.0.attn.c_attn.weight': turn(4, 12),
        'transformer.h.0.attn.c_proj.weight': turn(4, 4),
        'transformer.h.0.mlp.c_fc.weight': turn(4, 16),
        'transformer.h.0.mlp.c_proj.weight': turn(16, 4),
      });
    const { tensors } = await compared(
      gpt2((rows, columns) => f32(rows, columns)),
      gpt2((rows, columns) => f32(columns, rows)),
    );
    expect(tensors.counts).toEqual({ added: 0, removed: 0, renamed: 0, changed: 0 });
    expect(tensors.same).toBe(5);
  });

  it('are renamed where only a wrapper differs, and where that leads to one tensor', async () => {
    const wrapped = {
      'module._orig_mod.layers.0.weight': f32(2),
      'layers.1._fsdp_wrapped_module.weight': f32(2),
      'x.weight': f32(2),
    };
    const { tensors } = await compared(
      model(wrapped),
      model({ 'layers.0.weight': f32(2), 'layers.1.weight': f32(2), 'x.weight': f32(2) }),
    );
    expect(tensors).toMatchObject({
      same: 1,
      renamed: [
        { from: 'module._orig_mod.layers.0.weight', to: 'layers.0.weight' },
        { from: 'layers.1._fsdp_wrapped_module.weight', to: 'layers.1.weight' },
      ],
      counts: { added: 0, removed: 0, renamed: 2, changed: 0 },
    });
  });

  it.each([
    ['bert.encoder.layer.0.output.dense.weight', 'encoder.layer.0.output.dense.weight'],
    ['vit.embeddings.cls_token', 'embeddings.cls_token'],
    ['gpt_neox.final_layer_norm.weight', 'final_layer_norm.weight'],
    ['base_model.model.q_proj.lora_A.default.weight', 'base_model.model.q_proj.lora_A.weight'],
    ['base_model.model.lm_head.modules_to_save.default.weight', 'lm_head.weight'],
    ['base_model.model.q_proj.base_layer.weight', 'q_proj.weight'],
    ['base_model.model.wte.lora_embedding_B.default', 'base_model.model.wte.lora_embedding_B'],
  ])('are renamed where one side is the base model, or names the adapter: %s', async (from, to) => {
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const)
      expect((await compared(model({ [a]: f32(2) }), model({ [b]: f32(2) }))).tensors.renamed).toEqual([{ from: a, to: b }]);
  });

  it.each([
    ['language_model.', '', 'All names of B begin with “language_model.”'],
    ['module._orig_mod.', '', 'All names of B begin with “module._orig_mod.”'],
    ['foo.', 'model.', '2 names of B have “foo.” behind “model.”'],
  ])('are renamed where one side has a level more, which is said once: %s', async (level, before, words) => {
    const named = (own: string) => ({ [`${own}layers.0.q.weight`]: f32(2), [`${own}norm.weight`]: f32(3) });
    const head: Record<string, SafetensorsTensor> = before === '' ? {} : { 'lm_head.weight': f32(4) };
    const [short, long] = [model({ ...named(before), ...head }), model({ ...named(`${before}${level}`), ...head })];
    const { tensors, resume } = await compared(short, long);
    expect(tensors.counts).toEqual({ added: 0, removed: 0, renamed: 2, changed: 0 });
    expect(tensors.level).toEqual({ side: 'b', level, before, names: 2 });
    expect(resume.map(({ sentence }) => sentence)).toContain(
      `${words}, which A lacks: what loads by names finds them under those of one side alone.`,
    );
    expect((await compared(long, short)).tensors.level).toMatchObject({ side: 'a', level });
  });

  it.each([
    ['w.weight_scale_inv', [1, 1]],
    ['w.weight_scale', [4, 1]],
    ['w.weight_scale', []],
  ])('have no scales of f8 added that belong to one of them: %s %j', async (name, shape) => {
    const wide = model({ 'w.weight': { dtype: 'BF16', shape: [4, 8] }, 'v.weight': f32(2) });
    const f8: Record<string, SafetensorsTensor> = { 'w.weight': { dtype: 'F8_E4M3', shape: [4, 8] }, 'v.weight': f32(2) };
    const scaled = model({ ...f8, [name]: f32(...shape), 'v.weight_scale': f32(1) });
    for (const [a, b, only] of [
      [wide, scaled, 'added'],
      [scaled, wide, 'removed'],
    ] as const) {
      const { tensors } = await compared(a, b);
      expect(tensors.counts).toEqual({ added: 0, removed: 0, renamed: 0, changed: 1, [only]: 1 });
      expect(tensors[only].map((own) => own.name)).toEqual(['v.weight_scale']);
    }
  });

  it('are in no headline as absent where a level explains that, unless others are absent as well', async () => {
    const { a, b } = resizedPair();
    const { report, terminal } = await answerOf(a, b);
    expect(report.findings.map(({ code, side }) => `${String(side)} ${code}`)).toContain('b tensors-absent');
    expect(terminal({ width: 1000, color: false })).toMatch(/^0 tensors of the model the same, 19 renamed/);
    const fewer = resizedPair('model.layers.1.mlp.down_proj.weight').b;
    expect((await answerOf(a, fewer)).terminal({ width: 1000, color: false })).toMatch(/^B is incomplete: /);
  });

  it('are not matched by a level where two levels lead to one name', async () => {
    const named = (...levels: string[]) =>
      model(
        Object.fromEntries(
          levels.flatMap((own) => [`${own}layers.0.q.weight`, `${own}layers.0.k.weight`].map((name) => [name, f32(2)])),
        ),
      );
    const { tensors } = await compared(named(''), named('student.', 'teacher.'));
    expect([tensors.counts.renamed, tensors.counts.added, tensors.level]).toEqual([0, 4, undefined]);
  });

  it('of two towers are not one another', async () => {
    const tower = (name: string) => model({ [`${name}.encoder.layers.0.mlp.fc1.weight`]: f32(2) });
    const { counts } = (await compared(tower('text_model'), tower('vision_model'))).tensors;
    expect(counts).toEqual({ added: 1, removed: 1, renamed: 0, changed: 0 });
  });

  it('keep a wrapper that leads to two tensors', async () => {
    const { tensors } = await compared(
      model({ 'model.weight': f32(2), 'module.weight': f32(2) }),
      model({ weight: f32(2), 'other.weight': f32(2) }),
    );
    expect(tensors.counts).toEqual({ added: 2, removed: 2, renamed: 0, changed: 0 });
  });

  it('that one side has a second time are no additions', async () => {
    const both = { 'a.weight': f32(2, 3), 'b.weight': f32(3) };
    const pickled = (width: number): Files => ({
      'pytorch_model.bin': torchState((tensor) => ({ 'a.weight': tensor([2, width]), 'b.weight': tensor([3]) })),
    });
    const { report, terminal } = await answerOf(model(both), model(both, pickled(3)));
    expect(report.tensors).toMatchObject({ same: 2, copies: { a: [], b: ['pytorch_model.bin'] } });
    expect(report.tensors.counts).toEqual({ added: 0, removed: 0, renamed: 0, changed: 0 });
    expect(report.resume).toEqual([]);
    expect(terminal({ width: 400, color: false })).toContain('B has tensors of the model a second time (pytorch_model.bin).');
    expect((await compared(model(both, pickled(3)), model(both))).tensors.counts).toMatchObject({ added: 0, removed: 0 });
    // One in both is a tensor of each, and another shape is no copy.
    const twice = await compared(model(both, pickled(3)), model(both, pickled(3)));
    expect([twice.tensors.same, twice.tensors.copies, twice.isSame]).toEqual([4, undefined, true]);
    expect((await compared(model(both), model(both, pickled(4)))).tensors.counts).toMatchObject({ added: 1 });
    const rounded = buildSafetensors({
      tensors: { 'a.weight': { dtype: 'F16', shape: [2, 3] }, 'b.weight': { dtype: 'F16', shape: [3] } },
      metadata: { format: 'pt' },
    });
    const variant = (await compared(model(both), model(both, { 'model.fp16.safetensors': rounded }))).tensors;
    expect(variant).toMatchObject({ same: 2, copies: { b: ['model.fp16.safetensors'] }, counts: { added: 0, changed: 0 } });
  });

  it('are tied where a config says so and one side alone stores the output embedding', async () => {
    const both = { 'model.embed_tokens.weight': f32(8, 2), 'model.norm.weight': f32(2) };
    const config = { 'config.json': '{"model_type": "llama", "tie_word_embeddings": true}' };
    const { tensors, isSame } = await compared(model({ ...both, 'lm_head.weight': f32(8, 2) }, config), model(both, config));
    expect(tensors).toMatchObject({ same: 2, tied: 1, counts: { added: 0, removed: 0, renamed: 0, changed: 0 } });
    // The file has another size.
    expect(isSame).toBe(false);
  });

  it('are not tied where the side that stores the output embedding, or the one without it, has it untied', async () => {
    const both = { 'model.embed_tokens.weight': f32(8, 2), 'model.norm.weight': f32(2) };
    const all = { ...both, 'lm_head.weight': f32(8, 2) };
    const config = (ties: string): Files => ({ 'config.json': `{"model_type": "llama"${ties}}` });
    const [tied, untied, unset] = [', "tie_word_embeddings": true', ', "tie_word_embeddings": false', ''].map(config);
    const of = async (own: Files | undefined, other: Files | undefined) => {
      const { tied: count, counts } = (await compared(model(all, own), model(both, other))).tensors;
      return [count, counts.removed];
    };
    expect(await of(untied, tied)).toEqual([0, 1]);
    expect(await of(tied, untied)).toEqual([0, 1]);
    expect(await of(untied, unset)).toEqual([0, 1]);
    expect(await of(unset, tied)).toEqual([1, 0]);
    expect(await of(tied, unset)).toEqual([1, 0]);
    expect(await of(unset, unset)).toEqual([0, 1]);
    const nested = { 'config.json': '{"model_type": "llava", "text_config": {"tie_word_embeddings": true}}' };
    expect(await of(nested, untied)).toEqual([0, 1]);
  });

  it('that are tied say what that rests on', async () => {
    const both = { 'model.embed_tokens.weight': f32(8, 2), 'model.norm.weight': f32(2) };
    const config = { 'config.json': '{"model_type": "llama", "tie_word_embeddings": true}' };
    const { report, terminal } = await answerOf(model(both, config), model({ ...both, 'lm_head.weight': f32(8, 2) }, config));
    expect(report.tensors.ties).toEqual([{ side: 'b', name: 'lm_head.weight', to: 'model.embed_tokens.weight', by: 'config' }]);
    expect(terminal({ width: 400, color: false })).toContain(
      'lm_head.weight, which B alone stores, is tied to model.embed_tokens.weight: the config ties both, values were not compared.',
    );
  });

  it('are listed up to a bound, and counted beyond it', async () => {
    const many = limits.comparedDifferences + 5;
    const named = (prefix: string) => Object.fromEntries(Array.from({ length: many }, (_, at) => [`${prefix}.${at}`, f32(1)]));
    const { tensors } = await compared(model(named('a')), model(named('b')));
    expect(tensors.counts).toEqual({ added: many, removed: many, renamed: 0, changed: 0 });
    expect([tensors.added.length, tensors.removed.length]).toEqual([limits.comparedDifferences, limits.comparedDifferences]);
  });
});

describe('a file and the directory that it is in', () => {
  const files = model({ 'a.weight': f32(2), 'b.weight': f32(2) }, { 'generation_config.json': '{}' });
  const platform = memoryPlatform(Object.fromEntries(Object.entries(files).map(([name, file]) => [`/a/${name}`, file])));
  const wide = { width: 400, color: false };

  it('are two things, which differ in files', async () => {
    for (const [a, b, words] of [
      [
        '/a',
        '/a/model.safetensors',
        'A is a directory of 3 files with 2 tensors of the model, B a single file with 2 tensors of the model.',
      ],
      [
        '/a/model.safetensors',
        '/a',
        'A is a single file with 2 tensors of the model, B a directory of 3 files with 2 tensors of the model.',
      ],
    ] as const) {
      const { report, terminal } = await compareCheckpoints(platform, { a, b });
      expect(schemaErrors(validate, report)).toEqual([]);
      expect(report.isSame).toBe(false);
      expect([report.a.isFile, report.b.isFile]).toEqual([a !== '/a', b !== '/a']);
      const { counts, sameSize } = report.files;
      expect([counts.added + counts.removed, sameSize]).toEqual([2, 1]);
      expect(terminal(wide)).toContain(words);
      expect(terminal(wide)).not.toContain('No differences');
    }
  });

  it('are not compared by files where it is not one of them', async () => {
    const other = memoryPlatform({
      '/c/other.safetensors': files['model.safetensors'] as Uint8Array,
      '/d/model.safetensors': files['model.safetensors'] as Uint8Array,
      '/d/config.json': '{"model_type": "llama"}',
    });
    const { report, terminal } = await compareCheckpoints(other, { a: '/c/other.safetensors', b: '/d' });
    expect(report.files.areMatched).toBe(false);
    expect(terminal(wide)).toMatch(/^No differences in 2 tensors and settings; values/);
  });

  it('have words of their own where one has no weights', async () => {
    const { terminal } = await answerOf(files, { 'config.json': '{"model_type": "llama"}' });
    expect(terminal(wide)).toMatch(
      /^B is incomplete: No file has weights; compared what is readable\. Tensors of the model were not compared/,
    );
    expect(terminal(wide)).toContain('B lacks weights, which A has: ');
  });
});

describe('settings', () => {
  const weights = { weight: f32(2) };
  const configured = (text: string): Files => model(weights, { 'config.json': text });

  it('are keys of configs as dotted names, and numbers are equal however they are written', async () => {
    const { settings, settingCount } = await compared(
      configured(
        '{"model_type": "llama", "rms_norm_eps": 1e-5, "rope_scaling": {"factor": 8, "type": "x"}, "ids": [1, 2], "old": NaN}',
      ),
      configured(
        '{"model_type": "llama", "rms_norm_eps": 0.00001, "rope_scaling": {"factor": 4, "type": "x"}, "ids": [1, 3], "new": null}',
      ),
    );
    expect(settingCount).toBe(4);
    const files = { a: 'config.json', b: 'config.json' };
    expect(settings).toEqual([
      { name: 'rope_parameters.factor', kind: 'config', label: 'rope_parameters.factor', a: '8', b: '4', files },
      { name: 'ids.1', kind: 'config', label: 'ids.1', a: '2', b: '3', files },
      { name: 'old', kind: 'config', label: 'old', a: 'null', b: null, files },
      { name: 'new', kind: 'config', label: 'new', a: null, b: 'null', files },
    ]);
  });

  it('of the model are the same under the names of earlier releases, and change what it computes', async () => {
    const old = '{"model_type": "llama", "rope_theta": 10000.0, "rope_scaling": null, "torch_dtype": "bfloat16"}';
    const now = (theta: number): string =>
      `{"model_type": "llama", "rope_parameters": {"rope_theta": ${theta}, "rope_type": "default"}, "dtype": "bfloat16"}`;
    expect((await compared(configured(old), configured(now(10_000)))).settings).toEqual([]);
    const { settings, resume } = await compared(configured(old), configured(now(500_000)));
    expect(settings.map(({ name, a, b }) => [name, a, b])).toEqual([['rope_parameters.rope_theta', '10000', '500000']]);
    const other = now(500_000).replace('llama', 'mistral');
    expect((await compared(configured(old), configured(other))).resume.filter(({ id }) => id === 'model-setting')).toEqual([]);
    expect(resume).toEqual([
      {
        id: 'model-setting',
        sentence: 'The model computes with other settings: rope_parameters.rope_theta 500000 instead of 10000.',
        a: '10000',
        b: '500000',
      },
    ]);
  });

  it('are bounded: a config of too many keys, of too many levels, of too many bytes, and too many configs', async () => {
    const keys = (count: number, value: number): string =>
      `{"model_type": "llama", ${Array.from({ length: count }, (_, at) => `"k${at}": ${value}`).join()}}`;
    const cut = await compared(configured(keys(limits.comparedKeys + 10, 1)), configured(keys(limits.comparedKeys + 10, 2)));
    expect(cut.settings).toHaveLength(limits.comparedDifferences);
    expect(cut.settingCount).toBe(limits.comparedKeys - 1);
    expect(cut.notCompared).toMatchObject([
      { what: 'config', side: 'a' },
      { what: 'config', side: 'b' },
    ]);

    const deep = (value: number): string =>
      `{"model_type": "llama", "x": ${'{"a":'.repeat(20_000)}${value}${'}'.repeat(20_000)}}`;
    expect((await compared(configured(deep(1)), configured(deep(1)))).settings).toEqual([]);

    const large = `{"model_type": "llama", "x": "${' '.repeat(limits.comparedConfigBytes)}"}`;
    expect((await compared(configured(large), configured('{"model_type": "llama"}'))).notCompared).toMatchObject([
      { what: 'config', side: 'a' },
    ]);

    const several = (value: number): Files =>
      Object.fromEntries(Array.from({ length: limits.comparedConfigs + 9 }, (_, at) => [`c${at}.json`, `{"x": ${value}}`]));
    const bounded = await compared(model(weights, several(1)), model(weights, several(2)));
    expect(bounded.settingCount).toBeLessThanOrEqual(limits.comparedConfigs);
  });

  it('of damaged JSON are not compared, and that is said', async () => {
    const { notCompared, settings } = await compared(
      model(weights, { 'generation_config.json': '{' }),
      model(weights, { 'generation_config.json': '{"x": 1}' }),
    );
    expect(settings).toEqual([]);
    expect(notCompared).toMatchObject([{ what: 'config', side: 'a' }]);
  });
});

describe('files of a tokenizer', () => {
  it('are compared byte by byte', async () => {
    const { tokenizer, resume } = await compared(
      model({ weight: f32(2) }, { 'tokenizer.json': '{"version": "1.0"}', 'merges.txt': 'a b' }),
      model({ weight: f32(2) }, { 'tokenizer.json': '{"version": "1.1"}', 'merges.txt': 'a b', 'vocab.json': '{}' }),
    );
    expect(Object.fromEntries(tokenizer.map(({ name, state }) => [name, state]))).toEqual({
      'merges.txt': 'same',
      'tokenizer.json': 'changed',
      'vocab.json': 'added',
    });
    expect(resume).toMatchObject([{ id: 'tokenizer' }]);
  });
});

describe('two steps of a run', () => {
  const trainerStep = (step: number, rate: string): Files => ({
    ...Object.fromEntries(Object.entries(model({ weight: f32(2) })).map(([name, file]) => [`checkpoint-${step}/${name}`, file])),
    [`checkpoint-${step}/trainer_state.json`]: JSON.stringify({
      global_step: step,
      epoch: step / 10,
      learning_rate: Number(rate),
      log_history: [{ step }],
    }),
  });

  it('are compared by step, and the first is found at which the learning rate parts', async () => {
    const a = { ...trainerStep(10, '0.1'), ...trainerStep(20, '0.1'), ...trainerStep(30, '0.1') };
    const b = { ...trainerStep(10, '0.1'), ...trainerStep(20, '0.2'), ...trainerStep(40, '0.2') };
    const { run, a: own, b: other, resume, settings } = await compared(a, b);
    expect([own.step, other.step]).toEqual([30, 40]);
    expect(own.path).toBe('/a/checkpoint-30');
    expect(run).toMatchObject({ both: [10, 20], onlyA: [30], onlyB: [40], firstOtherSize: null, firstOtherLearningRate: 20 });
    expect(resume.map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining([
        'Training resumes at step 40 instead of 30, 10 steps later.',
        'The learning rate is 0.2 instead of 0.1.',
      ]),
    );
    expect(settings.map(({ name }) => name)).not.toContain('log_history.0.step');
  });

  it('have their settings compared for the first steps alone', async () => {
    const steps = limits.comparedSteps + 3;
    const all = Array.from({ length: steps }, (_, at) => trainerStep(at + 1, '0.1'));
    const files = Object.assign({}, ...all) as Files;
    const { run } = await compared(files, { ...files, ...trainerStep(steps, '0.2') });
    expect(run).toMatchObject({ settingSteps: limits.comparedSteps, firstOtherLearningRate: null, firstOtherSettings: null });
    expect(run?.counts).toEqual({ both: steps, onlyA: 0, onlyB: 0 });
  });
});

it('lists the damage of each side, which differences may come from', async () => {
  const whole = model({ 'a.weight': f32(64), 'b.weight': f32(64) });
  const cut = { ...whole, 'model.safetensors': (whole['model.safetensors'] as Uint8Array).slice(0, -8) };
  const { report, terminal } = await answerOf(whole, cut);
  expect(report.findings).toMatchObject([{ side: 'b', severity: 'error', path: 'model.safetensors' }]);
  const [first = ''] = terminal({ width: 400, color: false }).split('\n');
  expect(first).toMatch(/^B is damaged: model\.safetensors: .*B; compared what is readable\. Names and shapes of 2 tensors/);
  // What the headline has is not repeated below it.
  expect(terminal({ width: 400, color: false }).split('model.safetensors: ')).toHaveLength(2);
  const both = (await answerOf(cut, cut)).terminal({ width: 400, color: false });
  expect(both).toMatch(/^A is damaged: model\.safetensors: .*\. B is damaged: model\.safetensors: .*\. No differences/);
});

it('says first of a side that it is not whole, or changed while it was inspected', async () => {
  const index = { metadata: {}, weight_map: { 'a.weight': 'one.safetensors', 'b.weight': 'two.safetensors' } };
  const one = {
    'one.safetensors': buildSafetensors({ tensors: { 'a.weight': f32(2) } }),
    'config.json': '{"model_type": "llama"}',
  };
  const { terminal } = await answerOf(
    { ...one, 'model.safetensors.index.json': JSON.stringify(index) },
    {
      ...one,
      'two.safetensors': buildSafetensors({ tensors: { 'b.weight': f32(2) } }),
      'model.safetensors.index.json': JSON.stringify(index),
    },
  );
  expect(terminal({ width: 400, color: false })).toMatch(
    /^A is (?:incomplete|damaged): .*two\.safetensors.*; compared what is readable\./,
  );

  const files: Files = {
    '/a/model.safetensors': buildSafetensors({ tensors: { weight: f32(4) } }),
    '/b/model.safetensors': buildSafetensors({ tensors: { weight: f32(4) } }),
  };
  const platform = memoryPlatform(files);
  const openTree: typeof platform.openTree = async (path) => {
    const tree = await platform.openTree(path);
    if (path === '/b') files['/a/added.json'] = '{}';
    return tree;
  };
  const answer = await compareCheckpoints({ ...platform, openTree }, { a: '/a', b: '/b' });
  expect(answer.report.findings).toMatchObject([{ code: 'changed-while-compared', side: 'a' }]);
  expect(answer.terminal({ width: 400, color: false })).toMatch(
    /^A changed while it was compared: 1 file changed while both were compared \(added\.json\); differences may be of two states\. /,
  );
  const without: typeof platform.openTree = async (path) => {
    const tree = await platform.openTree(path);
    if (path === '/b') for (const name of Object.keys(files)) if (name.startsWith('/a/')) delete files[name];
    return tree;
  };
  const gone = await compareCheckpoints({ ...platform, openTree: without }, { a: '/a', b: '/b' });
  expect(gone.report.findings).toMatchObject([{ code: 'changed-while-compared', side: 'a' }]);
});

describe('weights in pickles and in safetensors', () => {
  const tensors = { 'model.norm.weight': f32(2) };
  const pickled = torchState((tensor) => ({ 'model.norm.weight': tensor([2]) }));
  const config = { 'config.json': '{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}' };
  const sentence =
    'The weights of B are in pickles, those of A in safetensors: PyTorch programs load both, a pickle through torch.load.';
  const trainer = (files: Files): Files => ({
    ...config,
    'trainer_state.json': '{"global_step": 1, "log_history": []}',
    ...files,
  });

  it.each<[string, Files, Files]>([
    ['a model', model(tensors, config), { ...config, 'pytorch_model.bin': pickled }],
    [
      'saves of Trainer',
      trainer({ 'model.safetensors': buildSafetensors({ tensors }) }),
      trainer({ 'pytorch_model.bin': pickled }),
    ],
    ['single files', { 'model.safetensors': buildSafetensors({ tensors }) }, { 'model.pt': pickled }],
  ])('load with one framework: %s', async (_, a, b) => {
    expect((await compared(a, b)).resume.filter(({ id }) => id === 'layout')).toEqual([
      { id: 'layout', sentence, a: 'safetensors', b: 'pickle' },
    ]);
    expect((await compared(b, a)).resume.filter(({ id }) => id === 'layout')).toMatchObject([
      { sentence: expect.stringMatching(/^The weights of B are in safetensors, those of A in pickles/) as string },
    ]);
    expect((await compared(a, a)).resume).toEqual([]);
  });
});

it('inspects both sides at once, and ends with the first that cannot be', async () => {
  const one = model({ weight: f32(2) });
  const files = Object.fromEntries(
    ['/a', '/b'].flatMap((root) => Object.entries(one).map(([name, file]) => [`${root}/${name}`, file])),
  );
  const platform = memoryPlatform(files);
  const begun = new Set<string>();
  let begunBoth: () => void = () => undefined;
  const areBegun = new Promise<void>((resolve) => (begunBoth = resolve));
  const openTree: typeof platform.openTree = async (path) => {
    if (begun.add(path).size === 2) begunBoth();
    const tree = await platform.openTree(path);
    // Nothing of either is read before the other one was begun, too.
    return { ...tree, list: async (signal) => areBegun.then(async () => tree.list(signal)) };
  };
  const progress: number[] = [];
  const onInspecting = ({ filesDone }: { filesDone: number }): void => void progress.push(filesDone);
  await compareCheckpoints({ ...platform, openTree }, { a: '/a', b: '/b' }, { onInspecting });
  expect(progress).toEqual([1, 2, 3, 4]);

  let ended: unknown;
  const failing: typeof platform.openTree = async (path) => {
    const tree = await platform.openTree(path);
    const never: typeof tree.list = async (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject((ended = new FormatError('cancelled', 'cancelled'))));
      });
    return path === '/b' ? tree : { ...tree, list: never };
  };
  await expect(compareCheckpoints({ ...platform, openTree: failing }, { a: '/a', b: '/c' })).rejects.toThrow('/c cannot be read');
  expect(ended).toMatchObject({ code: 'cancelled' });
});

describe('what is no checkpoint', () => {
  it('is refused by name', async () => {
    const one = model({ weight: f32(2) });
    await expect(compared(one, { 'image.png': 'x' })).rejects.toThrow('/b is no checkpoint: nothing in it is known as one');
    await expect(compared({ 'a.jsonl': '{"text": "x"}\n' }, one)).rejects.toThrow(
      '/a is a data set: only checkpoints are compared',
    );
    await expect(compared(one, {})).rejects.toThrow('/b cannot be read');
  });
});

describe('settings that a resume changes', () => {
  const trained = (state: object): Files =>
    model({ weight: f32(2) }, { 'trainer_state.json': JSON.stringify({ log_history: [], ...state }) });
  const own = {
    global_step: 10,
    epoch: 1,
    learning_rate: 0.1,
    weight_decay: 0.01,
    betas: [0.9, 0.999],
    eps: 1e-8,
    lr_scheduler_type: 'cosine',
    last_epoch: 10,
    train_batch_size: 32,
    per_device_train_batch_size: 4,
    gradient_accumulation_steps: 8,
    seq_length: 2048,
    bf16: true,
    fp16: false,
    seed: 1,
    max_steps: 100,
  };
  const other = {
    global_step: 20,
    epoch: 2,
    learning_rate: 0.2,
    weight_decay: 0.1,
    betas: [0.9, 0.95],
    eps: 1e-6,
    lr_scheduler_type: 'linear',
    last_epoch: 20,
    train_batch_size: 64,
    per_device_train_batch_size: 8,
    gradient_accumulation_steps: 4,
    seq_length: 4096,
    bf16: false,
    fp16: true,
    seed: 2,
    max_steps: 200,
  };

  it('are named in words, once each', async () => {
    const { resume, settings } = await compared(trained(own), trained(other));
    expect(resume.map(({ sentence }) => sentence)).toEqual([
      'Training resumes at step 20 instead of 10, 10 steps later.',
      'The learning rate is 0.2 instead of 0.1.',
      'Weight decay: 0.1 instead of 0.01.',
      'Adam betas: 0.9, 0.95 instead of 0.9, 0.999.',
      'Epsilon: 0.000001 instead of 1e-8.',
      'Scheduler: linear instead of cosine.',
      'Scheduler step: 20 instead of 10.',
      'Epoch: 2 instead of 1.',
      'Batch size: 64 instead of 32.',
      'Batch size a device: 8 instead of 4.',
      'Gradient accumulation: 4 instead of 8.',
      'Sequence length: 4096 instead of 2048.',
      'Steps planned: 200 instead of 100.',
      'Seed: 2 instead of 1.',
      'Training precision: fp16 instead of bf16.',
    ]);
    const labels = settings.map(({ label }) => label);
    expect(labels).toEqual([...new Set(labels)]);
    expect(settings.filter(({ kind }) => kind === 'config')).toEqual([]);
  });

  it('are those of the optimizer where Trainer saved it, and arguments that differ are told as unused', async () => {
    const save = (rate: number, saved?: Record<'lr' | 'initial_lr' | 'weight_decay', number>): Files => ({
      ...trained({ global_step: 8 }),
      'training_args.bin': torchState(() => ({ learning_rate: rate, weight_decay: rate })),
      ...(saved && {
        'optimizer.pt': torchState((tensor) => ({
          state: { 0: { exp_avg: tensor([2]) } },
          param_groups: [{ ...saved, params: [0] }],
        })),
      }),
    });
    const sentences = async (a: Files, b: Files): Promise<string[]> =>
      (await compared(a, b)).resume.map(({ sentence }) => sentence);
    const saved = { lr: 0.25, initial_lr: 0.5, weight_decay: 0.125 };
    expect(await sentences(save(0.5, saved), save(0.75, saved))).toEqual([
      'Learning rate: the arguments say 0.75 instead of 0.5, which a resume does not use: the optimizer has 0.5.',
      'Weight decay: the arguments say 0.75 instead of 0.5, which a resume does not use: the optimizer has 0.125.',
    ]);
    expect(await sentences(save(0.5), save(0.75))).toEqual([
      'The learning rate is 0.75 instead of 0.5.',
      'Weight decay: 0.75 instead of 0.5.',
    ]);
    expect(await sentences(save(0.5, saved), save(0.75, { lr: 0.25, initial_lr: 0.75, weight_decay: 0.75 }))).toEqual([
      'Initial learning rate: 0.75 instead of 0.5.',
      'Weight decay: 0.75 instead of 0.125.',
    ]);
  });

  it('are the base learning rates of the scheduler where Trainer saved it', async () => {
    const save = (argument: number, initial: number, base: number, step = 8): Files => ({
      ...trained({ global_step: step }),
      'training_args.bin': torchState(() => ({ learning_rate: argument })),
      'scheduler.pt': torchState(() => ({ base_lrs: [base, base], last_epoch: step, lr_lambdas: [{}, {}] })),
      'optimizer.pt': torchState((tensor) => ({
        state: { 0: { exp_avg: tensor([2]) } },
        param_groups: [{ lr: 0.25, initial_lr: initial, params: [0] }],
      })),
    });
    const sentences = async (a: Files, b: Files): Promise<string[]> =>
      (await compared(a, b)).resume.map(({ sentence }) => sentence);
    expect((await compared(save(0.5, 0.5, 0.5), save(0.5, 0.5, 0.75))).settings).toMatchObject([
      { name: 'baseLearningRates', a: '0.5, 0.5', b: '0.75, 0.75', files: { a: 'scheduler.pt' } },
    ]);
    expect(await sentences(save(0.5, 0.5, 0.5), save(0.5, 0.5, 0.75))).toEqual([
      'Base learning rates of the scheduler: 0.75, 0.75 instead of 0.5, 0.5.',
    ]);
    expect(await sentences(save(0.5, 0.5, 0.5), save(0.75, 0.75, 0.5))).toEqual([
      'Initial learning rate: the optimizer has 0.75 instead of 0.5, which a resume does not use: the scheduler has 0.5.',
      'Learning rate: the arguments say 0.75 instead of 0.5, which a resume does not use: the scheduler has 0.5.',
    ]);
    const run = (argument: number, base: number): Files =>
      Object.fromEntries(
        [8, 16].flatMap((step) =>
          Object.entries(save(step === 8 ? 0.5 : argument, base, step === 8 ? 0.5 : base, step)).map(([name, file]) => [
            `checkpoint-${step}/${name}`,
            file,
          ]),
        ),
      );
    // Arguments that the run did not use are no other learning rate.
    expect((await compared(run(0.5, 0.5), run(0.75, 0.5))).run?.firstOtherLearningRate).toBeNull();
    expect((await compared(run(0.5, 0.5), run(0.75, 0.75))).run?.firstOtherLearningRate).toBe(16);
  });

  it('of two runs are in words as well, and none is left out that only the config has', async () => {
    const below = (step: number, files: Files): Files =>
      Object.fromEntries(Object.entries(files).map(([name, file]) => [`checkpoint-${step}/${name}`, file]));
    const run = (seed: number, ids: number): Files => ({
      ...below(10, trained({ ...own, seed, ids })),
      ...below(20, trained({ ...own, global_step: 20, seed, ids })),
    });
    const { report, terminal } = await answerOf(run(1, 1), run(2, 2));
    expect(report.run?.firstOtherSettings).toEqual({ step: 10, names: ['seed'], labels: ['seed'] });
    expect(report.settings.map(({ name }) => name)).toEqual(['seed', 'ids']);
    const words = terminal({ width: 100, color: false });
    expect(words).toContain('Settings differ first at step 10 (seed).');
    expect(words).not.toContain('instead of 10');
  });

  it('are not repeated by two saves of Trainer itself', async () => {
    const fixture = (step: number): Files => filesBelow(`test/fixtures/frameworks/hf/trainer-lora/data/checkpoint-${step}`);
    const { resume, settings } = await compared(fixture(2), fixture(4));
    const labels = settings.map(({ label }) => label);
    expect(labels.filter((label) => /epoch|step/i.test(label))).toEqual(['scheduler step', 'epoch', 'step']);
    expect(resume.map(({ sentence }) => sentence)).toEqual([
      'Training resumes at step 4 instead of 2, 2 steps later.',
      'The learning rate is 0.0 instead of 0.0005.',
      'Scheduler step: 4 instead of 2.',
      'Epoch: 0.125 instead of 0.0625.',
    ]);
  });
});

it('shows hostile names as text in each form', async () => {
  const name = '\u001b[31m<script>\u202e|`x`';
  const answer = await answerOf(model({ [name]: f32(2) }), model({ weight: f32(2) }));
  for (const text of [answer.terminal({ width: 100, color: false }), answer.markdown()]) {
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text).not.toContain('<script>|');
  }
});

describe('a resume', () => {
  it('lacks nothing that A lacks as well, and says of an adapter that it is one', async () => {
    const weights = { 'model.norm.weight': f32(8) };
    const torchOnly = await compared(model(weights), { 'model.safetensors': buildSafetensors({ tensors: weights }) });
    expect(torchOnly.resume.filter(({ id }) => id === 'missing-state')).toEqual([]);
    const adapter: Files = {
      'adapter_config.json': '{"peft_type": "LORA", "r": 2, "target_modules": ["q_proj"]}',
      'adapter_model.safetensors': buildSafetensors({
        tensors: { 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight': f32(2, 8) },
      }),
    };
    const { resume } = await compared(model(weights), adapter);
    expect(resume.map(({ sentence }) => sentence)).toContain('B is an adapter: its base model has to be loaded first.');
  });
});
