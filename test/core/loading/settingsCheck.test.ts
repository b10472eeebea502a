/** Files of settings that are no JSON, or no object: what transformers 5.24 and PEFT 0.21.2 did with each. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { repeatedSource } from '../../builders/repeatedSource.js';
import { json } from '../../builders/torchDirectory.js';

const weights = buildSafetensors({
  tensors: {
    'transformer.wte.weight': { dtype: 'F32', shape: [16, 4] },
    'transformer.wpe.weight': { dtype: 'F32', shape: [8, 4] },
    'transformer.ln_f.weight': { dtype: 'F32', shape: [4] },
    'transformer.ln_f.bias': { dtype: 'F32', shape: [4] },
  },
});
const gpt2 = {
  model_type: 'gpt2',
  architectures: ['GPT2LMHeadModel'],
  n_layer: 0,
  n_embd: 4,
  n_head: 1,
  n_positions: 8,
  vocab_size: 16,
};
const model: Record<string, MemoryFile> = {
  'config.json': json({ ...gpt2, bos_token_id: 0, eos_token_id: 0 }),
  'model.safetensors': weights,
  'tokenizer.json': json({ added_tokens: [], model: { type: 'WordLevel', vocab: { a: 0 } } }),
};
const adapter: Record<string, MemoryFile> = {
  'adapter_model.safetensors': buildSafetensors({
    tensors: { 'base_model.model.a.lora_A.weight': { dtype: 'F32', shape: [4, 8] } },
  }),
};
async function reportOf(files: Record<string, MemoryFile>): Promise<CheckpointReport> {
  return (await inspectCheckpoint(memoryTree('save', files), { path: '/save' })).report;
}

/** Python parses JSON of any size. */
describe('a file that is larger than what is read', () => {
  const large = repeatedSource('large', utf8(' '), limits.jsonBytes + 1);

  it('of the model leaves open whether it loads', async () => {
    const { load, findings, resume } = await reportOf({ ...model, 'config.json': large });
    expect(load).toMatchObject({ verdict: 'unknown', why: 'config.json is larger than what is read.' });
    expect(findings).toMatchObject([{ code: 'json-too-large', severity: 'warning', path: 'config.json' }]);
    expect(resume.verdict).toBe('weights-only');
  });

  it.each([
    ['tokenizer.json', 'tokenizer'],
    ['tokenizer_config.json', 'tokenizer'],
    ['generation_config.json', 'generation-config'],
  ])('beside the model is named: %s', async (path, what) => {
    const { load } = await reportOf({ ...model, [path]: large });
    const detail = `${path} is larger than what is read`;
    expect(load).toMatchObject({
      verdict: 'loads',
      why: `Nothing that was compared keeps it from loading. Not compared: ${detail}.`,
      notChecked: [{ what, detail }],
    });
  });
});

const damaged: [what: string, bytes: Uint8Array][] = [
  ['no JSON', utf8('{bad')],
  ['cut', utf8('{"a": 1')],
  ['empty', utf8('')],
  ['with a byte-order mark', utf8('\u{feff}{}')],
  ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
];
const others: [what: string, bytes: Uint8Array][] = [
  ['a list', utf8('[]')],
  ['a number', utf8('5')],
  ['null', utf8('null')],
  ['a text', utf8('"a"')],
];
const ofTokenizer = ['tokenizer_config.json', 'special_tokens_map.json', 'added_tokens.json'];
const each = (names: string[], cases: typeof damaged): [string, string, Uint8Array][] =>
  names.flatMap((name) => cases.map(([what, bytes]): [string, string, Uint8Array] => [name, what, bytes]));

describe('a file of settings', () => {
  it('that is as it should be is no matter', async () => {
    const files = Object.fromEntries([...ofTokenizer, 'generation_config.json'].map((name) => [name, json({})]));
    const { load, findings } = await reportOf({ ...model, ...files });
    expect([load?.verdict, load?.notChecked, findings]).toEqual(['loads', [], []]);
  });

  it.each([...each([...ofTokenizer, 'config.json', 'tokenizer.json'], damaged)])('%s, %s, fails', async (name, _, bytes) => {
    const { load, findings } = await reportOf({ ...model, [name]: bytes });
    expect(load?.verdict).toBe('fails');
    expect(findings.map(({ path }) => path)).toContain(name);
    expect(load?.notChecked.map(({ detail }) => detail).join()).toContain(name);
  });

  it.each(each([...ofTokenizer, 'config.json', 'generation_config.json'], others))('%s, %s, fails', async (name, what, bytes) => {
    const { load, findings } = await reportOf({ ...model, [name]: bytes });
    expect(load?.verdict).toBe('fails');
    expect(findings).toMatchObject([{ code: 'json-no-object', path: name, severity: 'error' }]);
    expect(findings[0]?.message).toBe(`The JSON has ${what} where an object is expected.`);
    expect(load?.notChecked.map(({ detail }) => detail)).toContain(`${name} has no JSON object`);
  });

  it.each(damaged)('that has settings of generation and is %s is left out', async (_, bytes) => {
    const { load, findings, resume } = await reportOf({ ...model, 'generation_config.json': bytes });
    expect(load).toMatchObject({
      verdict: 'loads-with-warnings',
      why: 'generation_config.json is no valid JSON: the model has the defaults of its class in place of it.',
      notChecked: [{ what: 'generation-config', detail: 'generation_config.json is no valid JSON' }],
    });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findings.map(({ path }) => path)).toContain('generation_config.json');
    expect(resume.verdict).not.toBe('broken');
  });

  it('that has a template for processors alone does not keep the model from loading', async () => {
    const { load, findings } = await reportOf({ ...model, 'chat_template.json': utf8('{bad') });
    expect(load?.verdict).toBe('loads');
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['code-not-checked', 'warning'],
      ['json-corrupt', 'warning'],
    ]);
  });

  it.each([...damaged, ...others])('of an adapter that is %s fails', async (_, bytes) => {
    const policy = Object.fromEntries(Object.entries(adapter).map(([path, file]) => [`policy/${path}`, file]));
    const intact = { 'adapter_config.json': json({ peft_type: 'LORA', r: 4, target_modules: ['a'] }) };
    for (const [name, files] of [
      ['adapter_config.json', adapter],
      ['policy/adapter_config.json', { ...adapter, ...intact, ...policy }],
    ] as const) {
      const { load, findings } = await reportOf({ ...files, [name]: bytes });
      expect(load?.verdict).toBe('fails');
      expect(findings.map(({ path }) => path)).toContain(name);
      expect(load?.notChecked.map(({ detail }) => detail).join()).toContain(name);
    }
  });
});
