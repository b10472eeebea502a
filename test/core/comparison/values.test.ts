/** Values of two checkpoints against what numpy counts, and what they show together. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import type { Answer } from '../../../src/app/answer.js';
import { limits } from '../../../src/core/bytes/limits.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import type { CompareInput } from '../../../src/app/useCaseInputs.js';
import { valueRows } from '../../../src/core/pages/comparison/comparedRows.js';
import { filesBelow } from '../../builders/diskTree.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

type Files = Record<string, Uint8Array>;

const root = 'test/fixtures/comparison';
const validate = compileSchemaFile('docs/comparison-report.schema.json');

async function answerOf(a: Files, b: Files, options: Partial<CompareInput> = {}): Promise<Answer<ComparisonReport>> {
  const below = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [`${folder}/${name}`, file]));
  const platform = memoryPlatform({ ...below('/a', a), ...below('/b', b) });
  const answer = await compareCheckpoints(platform, { a: '/a', b: '/b', values: true, ...options });
  expect(schemaErrors(validate, answer.report)).toEqual([]);
  return answer;
}

async function compared(a: Files, b: Files, options: Partial<CompareInput> = {}): Promise<ComparisonReport> {
  return (await answerOf(a, b, options)).report;
}

/** What values show, without what an inspection finds missing in these small models. */
const ofValues = ({ findings }: ComparisonReport) => findings.filter(({ side }) => side === null);

const fixture = (name: string): Files => filesBelow(`${root}/${name}`);

interface Truth {
  maxAbs: number;
  meanAbs: number;
  cosine: number | null;
  relativeL2: number | null;
  notFinite: number;
}

const truth = JSON.parse(readFileSync(`${root}/truth.json`, 'utf8')) as Record<string, Record<string, Truth>>;

describe.each(Object.entries(truth))('%s', (pair, tensors) => {
  it('has the differences that numpy counts', async () => {
    const [a = '', b = ''] = pair.split(' ');
    const report = await compared(fixture(a), fixture(b));
    expect(report.valuesCompared?.notRead).toEqual([]);
    expect(report.values?.map(({ name }) => name).sort()).toEqual(Object.keys(tensors).sort());
    for (const own of report.values ?? []) {
      const expected = tensors[own.name] as Truth;
      for (const measure of ['maxAbs', 'meanAbs', 'cosine', 'relativeL2'] as const) {
        const value = expected[measure];
        if (value === null || value === 0) expect(own[measure], `${own.name} ${measure}`).toBe(value);
        else expect(Math.abs((own[measure] ?? NaN) / value - 1), `${own.name} ${measure}`).toBeLessThan(1e-9);
      }
      expect(own.notFinite, own.name).toBe(expected.notFinite);
    }
  });
});

describe('what values show', () => {
  it('is which layers were frozen, and that few kinds of modules changed', async () => {
    const report = await compared(fixture('step-10'), fixture('step-20'));
    const [findings, { valuesCompared }] = [ofValues(report), report];
    expect(findings.map(({ code }) => code)).toEqual(['layers-frozen', 'modules-changed']);
    expect(findings[0]?.message).toBe('All values of 1 layer are equal (layers.0); 1 of 4 tensors differs.');
    expect(findings[1]?.message).toBe('Only tensors of q_proj differ in values: 1 of 4 tensors.');
    expect(valuesCompared).toMatchObject({ tensors: 4, equal: 3, different: 1, notReadCount: 0 });
    expect(valuesCompared?.layers).toMatchObject([
      { layer: '', tensors: 2, equal: 2, maxAbs: 0, relativeL2: 0 },
      { layer: 'layers.0', tensors: 1, equal: 1 },
      { layer: 'layers.1', tensors: 1, equal: 0 },
    ]);
  });

  it('is no frozen layer where one tensor alone was touched, or where only constants are equal', async () => {
    const layers = (value: number, touched?: string): Files => ({
      'model.safetensors': buildSafetensors({
        tensors: Object.fromEntries(
          [0, 1].flatMap((layer) =>
            ['q', 'k', 'norm'].map((name) => {
              const own = `layers.${layer}.${name}.weight`;
              return [own, f32(name === 'norm' ? [1, 1] : [0, own === touched ? 9 : value + layer])];
            }),
          ),
        ),
      }),
    });
    const codes = async (a: Files, b: Files) => ofValues(await compared(a, b)).map(({ code }) => code);
    expect(await codes(layers(1), layers(1, 'layers.0.q.weight'))).toEqual([]);
    expect(await codes(layers(1), layers(5))).toEqual([]);
  });

  it('is which of several stacks was frozen, whose layers have the same numbers', async () => {
    const towers = (seen: number, said: number): Files => ({
      'model.safetensors': buildSafetensors({
        tensors: Object.fromEntries(
          [0, 1].flatMap((layer) => [
            [`model.vision_tower.encoder.layers.${layer}.q_proj.weight`, f32([seen, layer])],
            [`model.language_model.layers.${layer}.q_proj.weight`, f32([said, layer])],
          ]),
        ),
      }),
    });
    const report = await compared(towers(5, 2), towers(5, 3));
    expect(report.valuesCompared?.layers.map(({ layer, equal }) => [layer, equal])).toEqual([
      ['vision_tower.encoder.layers.0', 1],
      ['language_model.layers.0', 0],
      ['vision_tower.encoder.layers.1', 1],
      ['language_model.layers.1', 0],
    ]);
    expect(ofValues(report).map(({ message }) => message)).toEqual([
      'All values of 2 layers are equal (vision_tower.encoder.layers.0 and vision_tower.encoder.layers.1); 2 of 4 tensors differ.',
    ]);
  });

  it('is no rounding where all that differs was one number alone', async () => {
    const norms = (values: number[]): Files => ({
      'model.safetensors': buildSafetensors({
        tensors: { 'layers.0.norm.weight': f32(values), 'layers.0.weight': f32([0.1, 0.2]), 'layers.1.weight': f32([0.3, 0.4]) },
      }),
    });
    const report = await compared(norms([1, 1, 1]), norms([1.001, 0.9995, 1.0002]));
    expect(ofValues(report).map(({ code }) => code)).not.toContain('weights-rounded');
    expect(report.values?.every(({ roundedTo }) => roundedTo === undefined)).toBe(true);
  });

  it('is not that whole numbers are equal which doubles cannot tell apart', async () => {
    const whole = (value: bigint): Files => ({
      'model.safetensors': buildSafetensors({
        tensors: { ids: { dtype: 'I64', shape: [2], data: new Uint8Array(BigInt64Array.of(1n, value).buffer) } },
      }),
    });
    const [large, next] = [2n ** 53n, 2n ** 53n + 1n];
    const report = await compared(whole(large), whole(next));
    expect(report.isSame).toBe(false);
    expect(report.valuesCompared?.notRead.map(({ reason }) => reason)).toEqual([
      'They are equal in 53 bits, and have whole numbers that take more.',
    ]);
    expect((await compared(whole(5n), whole(5n))).isSame).toBe(true);
    expect((await compared(whole(large), whole(-large))).valuesCompared).toMatchObject({ different: 1, notReadCount: 0 });
  });

  it('is in words that name what differs, once', async () => {
    const odd = (value: number): Files => ({
      'model.safetensors': buildSafetensors({
        tensors: { scale: f32([value], []), 'layers.0.weight': f32([1, NaN]), 'norm.bias': f32([0, 0]) },
      }),
    });
    const { report, terminal } = await answerOf(odd(1), odd(2));
    expect(ofValues(report).map(({ message }) => message)).toEqual(['Only tensors of scale differ in values: 1 of 3 tensors.']);
    const words = terminal({ width: 400, color: false });
    expect(words).toContain('A and B: 1 value of 1 tensor is NaN or Inf (layers.0.weight)');
    expect(words.match(/NaN or Inf \(layers/g)).toHaveLength(1);
    expect(words).not.toMatch(/path .*differs/);
  });

  it('is a copy that was rounded by torch, from either side', async () => {
    const there = await compared(fixture('step-20'), fixture('step-20-bf16'));
    const back = await compared(fixture('step-20-bf16'), fixture('step-20'));
    expect(ofValues(there)).toMatchObject([
      { code: 'weights-rounded', message: expect.stringMatching(/^B is .* f32 to bf16/) as string },
    ]);
    expect(ofValues(back)).toMatchObject([
      { code: 'weights-rounded', message: expect.stringMatching(/^A is .* f32 to bf16/) as string },
    ]);
    // Of another step it is none.
    expect((await compared(fixture('step-10'), fixture('step-20-bf16'))).findings.map(({ code }) => code)).not.toContain(
      'weights-rounded',
    );
  });

  it('is a rounded copy in a wider type, and none where all values are equal', async () => {
    const wide = [1.0000001, 0.3, -2.7, 65_504];
    const own = (values: number[], name = 'w') => model({ [name]: f32(values) });
    const bf16 = wide.map((value) => rounded(value, 'bf16'));
    const there = await compared(own(wide), own(bf16));
    expect(there.values).toMatchObject([{ isEqual: false, isRounded: true, roundedTo: 'bf16' }]);
    expect(ofValues(there)[0]?.message).toBe(
      'B is the other checkpoint rounded from f32 to bf16, and stored as f32: that explains all differences of 1 tensor.',
    );
    expect(ofValues(await compared(own(bf16), own(wide)))[0]?.message).toMatch(/^A is /);
    const stored: SafetensorsTensor = { dtype: 'BF16', shape: [2], data: Uint8Array.of(0x80, 0x3f, 0x80, 0x3f) };
    const same = await compared(own([1, 1]), model({ w: stored }));
    expect(same.values?.[0]?.isRounded).toBeUndefined();
    expect(ofValues(same)).toEqual([]);
    // One tensor that is rounded says nothing of another one that differs otherwise.
    const other = bf16.with(1, 0.4);
    expect((await compared(own(wide), own(other))).values?.[0]?.isRounded).toBeUndefined();
  });

  it.each(['F8_E4M3', 'F8_E5M2'])('is a copy that torch rounded to %s', async (dtype) => {
    const patterns = roundedByTorch.map((row) => row[dtype === 'F8_E4M3' ? 1 : 2]);
    const narrow: SafetensorsTensor = { dtype, shape: [patterns.length], data: Uint8Array.from(patterns) };
    const { values, findings } = await compared(model({ w: f32(roundedByTorch.map(([value]) => value)) }), model({ w: narrow }));
    expect(values).toMatchObject([{ isRounded: true, roundedTo: dtype.toLowerCase() }]);
    expect(findings.map(({ code }) => code)).toContain('weights-rounded');
    for (let at = 0; at < patterns.length; at++) {
      const damaged = { ...narrow, data: Uint8Array.from(patterns, (pattern, other) => (other === at ? pattern ^ 1 : pattern)) };
      const { values: others } = await compared(model({ w: f32(roundedByTorch.map(([value]) => value)) }), model({ w: damaged }));
      expect(others?.[0]?.isRounded, String(roundedByTorch[at]?.[0])).toBeUndefined();
    }
  });

  it('is rounding to f16 with subnormal numbers, ties and infinities as torch does it', async () => {
    const { values } = await compared(fixture('special-a'), fixture('special-b'));
    const odd = values?.find(({ name }) => name === 'odd');
    expect(odd).toMatchObject({ isRounded: true, notFinite: 1 });
  });

  it('is whether an output embedding that a config ties is the input embedding of the other side', async () => {
    const config = new TextEncoder().encode('{"model_type": "llama", "tie_word_embeddings": true}');
    const embedding = { 'model.embed_tokens.weight': f32([1, 2, 3, 4], [2, 2]) };
    const tied: Files = { ...model(embedding), 'config.json': config };
    const stored = (values: number[]): Files => ({
      ...model({ ...embedding, 'lm_head.weight': f32(values, [2, 2]) }),
      'config.json': config,
    });
    const { valuesCompared, values } = await compared(stored([1, 2, 3, 5]), tied);
    expect(valuesCompared).toMatchObject({ tensors: 2, equal: 1, different: 1 });
    expect(values?.[1]).toMatchObject({ name: 'lm_head.weight', nameInB: 'model.embed_tokens.weight', maxAbs: 1 });
    expect((await compared(tied, stored([1, 2, 3, 4]))).valuesCompared).toMatchObject({ tensors: 2, equal: 2 });
  });

  it('is that one model of two frameworks has no difference', async () => {
    const report = await compared(fixture('step-20'), fixture('sharded-20'));
    expect(report.tensors).toMatchObject({ same: 4, counts: { added: 0, removed: 0, renamed: 0, changed: 0 } });
    expect(report.valuesCompared).toMatchObject({ tensors: 4, equal: 4, notReadCount: 0 });
  });
});

describe('the state of an optimizer', () => {
  const save = (moment: number, shape: readonly number[] = [2], name = 'exp_avg'): Files => ({
    'model.safetensors': buildSafetensors({ tensors: { weight: f32([1, 2]) }, metadata: { format: 'pt' } }),
    'trainer_state.json': new TextEncoder().encode('{"global_step": 8, "log_history": []}'),
    'optimizer.pt': torchState((tensor) => ({
      state: { 0: { step: tensor([], 8), [name]: tensor(shape, moment) } },
      param_groups: [{ lr: 0.5, params: [0] }],
    })),
  });
  const wide = { width: 400, color: false };

  it('is compared by its values', async () => {
    const { report, terminal } = await answerOf(save(1), save(-3));
    expect(report.isSame).toBe(false);
    expect(report.optimizer.values).toMatchObject({ tensors: 2, equal: 1, different: 1, notReadCount: 0 });
    expect(report.optimizer.values?.differences).toMatchObject([{ name: 'state.0.exp_avg', maxAbs: 4, cosine: -1 }]);
    // The model's own numbers stay those of the model.
    expect(report.valuesCompared).toMatchObject({ tensors: 1, equal: 1 });
    expect(terminal(wide)).toMatch(/; values of the one tensor are equal; of the optimizer 1 of 2\./);
    expect((await compared(save(1), save(1))).isSame).toBe(true);
    // The page has them in the table of the model.
    const { rows, total } = valueRows(report);
    expect(rows.at(-1)).toMatchObject({ name: 'state.0.exp_avg', result: 'different', maxAbs: 4, more: 'optimizer state' });
    expect([rows.length, total]).toEqual([2, 2]);
  });

  it('is not the same where it was not compared', async () => {
    const { isSame, notCompared, optimizer } = await compared(save(1), save(1, [2], 'exp_inf'));
    expect([isSame, optimizer.values?.tensors]).toEqual([false, 1]);
    expect(notCompared).toEqual([
      { what: 'optimizer', side: null, reason: '1 tensor of its state has no tensor of that name on the other side.' },
    ]);
    const reshaped = await compared(save(1), save(1, [1, 2]));
    expect(reshaped.isSame).toBe(false);
    expect(reshaped.optimizer.values?.notRead).toEqual([{ name: 'state.0.exp_avg', reason: 'The shapes differ.' }]);
  });

  it('is named where no values are read', async () => {
    const { terminal } = await answerOf(save(1), save(-3), { values: false });
    expect(terminal(wide)).toMatch(/^No differences in .*; values of tensors and optimizer state were not compared\./);
  });
});

/** f32 values, and what torch 2.15 makes of them on a CPU: `torch.tensor(x).to(dtype).view(torch.uint8)` for float8_e4m3fn and float8_e5m2. */
const roundedByTorch: readonly (readonly [value: number, e4m3: number, e5m2: number])[] = [
  [1.0625, 56, 60],
  [1.1875, 58, 61],
  [1.0499999523162842, 56, 60],
  [-0.30000001192092896, 170, 181],
  [0.002099999925121665, 1, 24],
  [0.0029296875, 2, 26],
  [0.0048828125, 2, 29],
  [0.0166015625, 8, 36],
  [2.288818359375e-5, 0, 2],
  [300.0, 121, 93],
  [463.8999938964844, 126, 95],
  [447.0, 126, 95],
  [-17.0, 216, 204],
  [2.9999999242136255e-5, 0, 2],
];

/** The nearest value of another type. */
function rounded(value: number, to: 'bf16'): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = to === 'bf16' ? Math.round((bits[0] as number) / 65_536) * 65_536 : 0;
  return new Float32Array(bits.buffer)[0] as number;
}

const f32 = (values: readonly number[], shape: readonly number[] = [values.length]): SafetensorsTensor => ({
  dtype: 'F32',
  shape,
  data: new Uint8Array(Float32Array.from(values).buffer),
});
const model = (tensors: Record<string, SafetensorsTensor>): Files => ({ 'model.safetensors': buildSafetensors({ tensors }) });

it('is read or not, and nothing else, whatever byte of a sharded save is damaged', async () => {
  const files = fixture('sharded-20');
  const file = files['__1_0.distcp'] as Uint8Array;
  for (let at = 0; at < 760; at += 19) {
    const damaged = file.slice();
    damaged[at] = (damaged[at] as number) ^ 0xff;
    const { valuesCompared } = await compared(fixture('step-20'), { ...files, '__1_0.distcp': damaged });
    expect((valuesCompared?.tensors ?? 0) + (valuesCompared?.notReadCount ?? 0), `byte ${at}`).toBe(4);
  }
});

describe('single pairs', () => {
  it('of another shape are not read, and that is said', async () => {
    const { values, valuesCompared } = await compared(
      model({ w: f32([1, 2, 3, 4], [2, 2]) }),
      model({ w: f32([1, 2, 3, 4], [4]) }),
    );
    expect(values).toEqual([]);
    expect(valuesCompared?.notRead).toEqual([{ name: 'w', reason: 'The shapes differ.' }]);
  });

  it('that were resized are compared in the rows that both have', async () => {
    const small = model({ 'wte.weight': f32([1, 2, 3, 4], [2, 2]), bias: f32([1, 2]) });
    const grown = (first: number) =>
      model({
        'wte.weight': f32([first, 2, 3, 4, 5, 6], [3, 2]),
        bias: { dtype: 'BF16', shape: [2], data: Uint8Array.of(0x80, 0x3f, 0, 0x40) },
      });
    const { report, terminal } = await answerOf(small, grown(1));
    expect(report.values?.[0]).toMatchObject({ name: 'wte.weight', isEqual: true, compared: 4, rows: { common: 2, a: 2, b: 3 } });
    expect(report.valuesCompared).toMatchObject({ tensors: 2, equal: 2, resized: 1, notReadCount: 0 });
    expect(report.isSame).toBe(false);
    const words = terminal({ width: 400, color: false });
    expect(words).toContain('values of 2 of 2 tensors are equal, of 1 in the rows that both have.');
    expect(words).toContain('first 2 rows equal, 1 more in B');
    const back = await compared(grown(9), small);
    expect(back.values?.[0]).toMatchObject({ isEqual: false, maxAbs: 8, rows: { common: 2, a: 3, b: 2 } });
    // Where another axis differs as well, rows are not the same.
    const wider = await compared(small, model({ 'wte.weight': f32([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3]) }));
    expect(wider.valuesCompared?.notRead).toEqual([{ name: 'wte.weight', reason: 'The shapes differ.' }]);
  });

  it('are equal with NaN at the same places and zeros of another sign', async () => {
    const { values } = await compared(model({ w: f32([NaN, 0, 1, Infinity]) }), model({ w: f32([NaN, -0, 1, Infinity]) }));
    expect(values).toMatchObject([{ isEqual: true, notFinite: 0, maxAbs: 0, cosine: 1 }]);
  });

  it('are counted on each side where they are NaN or infinite, and a terminal has that of equal ones as well', async () => {
    const both = f32([NaN, 1, Infinity]);
    const a = model({ same: both, other: f32([NaN, 2, 3]) });
    const b = model({ same: both, other: f32([1, Infinity, -Infinity]) });
    const answer = await answerOf(a, b);
    expect(answer.report.values).toMatchObject([
      { name: 'same', isEqual: true, notFinite: 0, notFiniteIn: { a: 2, b: 2 } },
      { name: 'other', isEqual: false, notFinite: 3, notFiniteIn: { a: 1, b: 2 } },
    ]);
    const terminal = answer.terminal({ width: 400, color: false });
    const others = 'the other side has other values there in 1 of them';
    expect(terminal).toContain(`A: 3 values of 2 tensors are NaN or Inf (same); ${others}.`);
    expect(terminal).toContain(`B: 4 values of 2 tensors are NaN or Inf (same); ${others}.`);
    expect(terminal).toContain('NaN or Inf: 1 in A, 2 in B');
    expect((await answerOf(model({ same: both }), model({ same: both }))).terminal({ width: 400, color: false })).toContain(
      'B: 2 values of 1 tensor are NaN or Inf (same); the other side has the same ones at the same places.',
    );
  });

  it('that are cut off cost themselves alone', async () => {
    const whole = model({ a: f32([1, 2]), b: f32([3, 4]) });
    const cut = { 'model.safetensors': (whole['model.safetensors'] as Uint8Array).slice(0, -4) };
    const { values, valuesCompared } = await compared(whole, cut);
    expect(values?.map(({ name }) => name)).toEqual(['a']);
    expect(valuesCompared).toMatchObject({ tensors: 1, equal: 1, notReadCount: 1 });
  });

  it('are read in blocks and in a sample of the same elements, whatever their dtypes', async () => {
    const count = 1_500_001;
    const values = Float32Array.from({ length: count }, (_, at) => Math.fround(at % 251));
    const narrow = Uint16Array.from(values, (value) => {
      const [bits = 0] = new Uint32Array(Float32Array.of(value).buffer);
      return bits >>> 16;
    });
    const a = model({ w: { dtype: 'F32', shape: [count], data: new Uint8Array(values.buffer) } });
    const b = model({ w: { dtype: 'BF16', shape: [count], data: new Uint8Array(narrow.buffer) } });
    const whole = await compared(a, b);
    expect(whole.values).toMatchObject([{ compared: count, isEqual: true, maxAbs: 0 }]);
    const sampled = await compared(a, b, { sampleShare: 0.01, seed: 3 });
    const [own] = sampled.values ?? [];
    expect(own).toMatchObject({ isEqual: true, maxAbs: 0 });
    expect(own?.compared).toBeGreaterThanOrEqual(count * 0.01);
    expect(own?.compared).toBeLessThan(count * 0.02);
    expect(sampled.valuesCompared?.bytesRead).toBe((own?.compared ?? 0) * 6);
  });

  it('refuse a sample without values', async () => {
    await expect(compared(model({ w: f32([1]) }), model({ w: f32([1]) }), { values: false, sampleShare: 0.1 })).rejects.toThrow(
      'sample goes with values',
    );
  });
});

it('says that a file was written while it was compared', async () => {
  const model = buildSafetensors({ tensors: { weight: { dtype: 'F32', shape: [4] } } });
  const files: Files = { '/a/model.safetensors': model, '/b/model.safetensors': model };
  const platform = memoryPlatform(files);
  const readPairs: typeof platform.readPairs = async (reading, hooks) => {
    const results = await platform.readPairs(reading, hooks);
    files['/b/model.safetensors'] = new Uint8Array([...model, 0]);
    files['/b/added.json'] = new Uint8Array(2);
    return results;
  };
  const input = { a: '/a', b: '/b', values: true };
  const { report } = await compareCheckpoints({ ...platform, readPairs }, input);
  expect(report.findings.filter(({ code }) => code === 'changed-while-compared')).toMatchObject([
    { side: 'b', message: expect.stringContaining('model.safetensors') as string },
  ]);
});

it('lists the tensors that differ most where there are more than a list has', async () => {
  const count = limits.comparedDifferences + 5;
  const model = (differs: (at: number) => boolean): Files => {
    const tensorAt = (at: number): SafetensorsTensor => ({
      dtype: 'F32',
      shape: [1],
      data: new Uint8Array(Float32Array.of(differs(at) ? 2 + at : 1).buffer),
    });
    const tensors = Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}.weight`, tensorAt(at)]));
    return { 'model.safetensors': buildSafetensors({ tensors }) };
  };
  const none = model(() => false);
  const some = await compared(
    none,
    model((at) => at >= count - 3),
  );
  expect(some.valuesCompared).toMatchObject({ tensors: count, different: 3, equal: count - 3 });
  expect(some.values?.slice(-3).map(({ name, isEqual }) => [name, isEqual])).toEqual(
    [3, 2, 1].map((left) => [`x${count - left}.weight`, false]),
  );
  const all = await compared(
    none,
    model(() => true),
  );
  const names = all.values?.map(({ name }) => name) ?? [];
  expect([names.length, names[0], names.at(-1)]).toEqual([limits.comparedDifferences, 'x5.weight', `x${count - 1}.weight`]);
});
