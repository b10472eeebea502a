/** Ids of a tokenizer against the rows of the embedding. */
import { describe, expect, it } from 'vitest';
import type { LoadCheck } from '../../../src/core/loading/loadCheck.js';
import { tokenizerCheck } from '../../../src/core/loading/tokenizerCheck.js';
import { readTokenizer } from '../../../src/core/loading/tokenizerFacts.js';
import { utf8 } from '../../builders/byteWriter.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

const weights = (rows: number): Uint8Array =>
  buildSafetensors({
    tensors: {
      'model.embed_tokens.weight': { dtype: 'F32', shape: [rows, 4] },
      'model.layers.0.self_attn.q_proj.weight': { dtype: 'F32', shape: [4, 4] },
    },
  });
const vocabulary = (tokens: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: tokens }, (_, id) => [`t"\\${id}`, id]));
const tokenizer = (tokens: number, added: [id: number, content: string][] = []): Uint8Array =>
  json({
    version: '1.0',
    added_tokens: added.map(([id, content]) => ({ id, content, special: true })),
    normalizer: { type: 'Sequence', list: [{ '}': ']' }] },
    model: { type: 'BPE', merges: ['a b', ['{', '"']], vocab: vocabulary(tokens), dropout: null },
  });
const config = { model_type: 'llama', architectures: ['LlamaForCausalLM'], vocab_size: 64, hidden_size: 4 };

async function check(files: Record<string, MemoryFile>, rows = 64, settings: object = {}): Promise<LoadCheck> {
  const all = { 'config.json': json({ ...config, ...settings }), 'model.safetensors': weights(rows), ...files };
  const { read, context } = await readCheckpoint(all);
  return tokenizerCheck(read, await readTokenizer(read, context));
}
const codes = ({ findings }: LoadCheck): string[] => findings.map(({ code }) => code);

describe('a tokenizer beside its model', () => {
  it.each<[what: string, files: Record<string, MemoryFile>, clause: string]>([
    [
      'tokenizer.json',
      { 'tokenizer.json': tokenizer(60, [[60, '<pad>']]) },
      'tokenizer.json: 61 ids against 64 rows of model.embed_tokens.weight: 3 padded',
    ],
    ['as many rows', { 'tokenizer.json': tokenizer(64) }, 'tokenizer.json: 64 ids against 64 rows of model.embed_tokens.weight'],
    [
      'of Unigram',
      {
        'tokenizer.json': json({
          model: {
            vocab: [
              ['<unk>', 0],
              ['a', -1.5],
            ],
          },
        }),
      },
      'tokenizer.json: 2 ids against 64 rows of model.embed_tokens.weight: 62 padded',
    ],
    [
      'SentencePiece',
      { 'tokenizer.model': Uint8Array.of(0x0a, 2, 0x0a, 0, 0x0a, 0, 0x12, 1, 0) },
      'tokenizer.model: 2 ids against 64 rows of model.embed_tokens.weight: 62 padded',
    ],
    [
      'tiktoken',
      { 'tokenizer.model': utf8('IQ== 0\nIg== 1\r\n') },
      'tokenizer.model: 2 ids against 64 rows of model.embed_tokens.weight: 62 padded',
    ],
    [
      'vocab.json with added tokens',
      { 'vocab.json': json(vocabulary(10)), 'merges.txt': utf8('a b'), 'added_tokens.json': json({ '<x>': 11 }) },
      'vocab.json: 12 ids against 64 rows of model.embed_tokens.weight: 52 padded',
    ],
    [
      'vocab.txt',
      { 'vocab.txt': utf8('[PAD]\nthe\na') },
      'vocab.txt: 3 ids against 64 rows of model.embed_tokens.weight: 61 padded',
    ],
    [
      'tokens of tokenizer_config.json',
      { 'tokenizer.json': tokenizer(8), 'tokenizer_config.json': json({ added_tokens_decoder: { 63: { content: '<z>' } } }) },
      'tokenizer.json: 64 ids against 64 rows of model.embed_tokens.weight',
    ],
  ])('is compared: %s', async (_, files, clause) => {
    expect(await check(files)).toEqual({
      verdict: 'loads',
      why: '',
      checked: ['tokenizer'],
      notChecked: [],
      findings: [],
      done: [clause],
    });
  });

  it('of another model fails', async () => {
    const found = await check({ 'tokenizer.json': tokenizer(100, [[99, '<s>']]) });
    expect(codes(found)).toEqual(['tokenizer-beyond-embedding']);
    expect(found).toMatchObject({ verdict: 'fails', findings: [{ facts: { tokens: 100, rows: 64 } }] });
  });

  it.each([
    ['behind the vocabulary', tokenizer(64, [[64, '[PAD]']])],
    [
      'that the vocabulary repeats',
      json({ added_tokens: [{ id: 64, content: '[PAD]' }], model: { vocab: { ...vocabulary(64), '[PAD]': 64 } } }),
    ],
  ])('with added tokens beyond the rows loads, and warns: %s', async (_, file) => {
    const found = await check({ 'tokenizer.json': file });
    expect(found.findings).toEqual([
      { code: 'added-tokens-beyond-embedding', path: 'tokenizer.json', facts: { tokens: 1, first: '[PAD]', id: 64, rows: 64 } },
    ]);
    expect([found.verdict, found.why]).toEqual(['loads-with-warnings', 'Added tokens are no rows of the embedding.']);
  });

  it.each([
    ['cut', tokenizer(60).subarray(0, 500), 'it ends within a value'],
    ['empty but for blanks', utf8('  \n'), 'it ends within a value'],
    ['no JSON', utf8('{"model": {"vocab": {"a": x}}}'), 'unexpected character at 26'],
    ['followed by a text', utf8('{"model": {"vocab": {"a": 0}}} x'), 'unexpected character at 31'],
  ])('that is damaged fails: %s', async (_, file, detail) => {
    const found = await check({ 'tokenizer.json': file });
    expect(found.findings).toEqual([{ code: 'json-corrupt', path: 'tokenizer.json', facts: { detail } }]);
    expect(found).toMatchObject({ verdict: 'fails', checked: [], notChecked: [{ what: 'tokenizer' }] });
  });

  const ids = 'ids are whole numbers from 0 to 4,294,967,295, and';
  it.each<[json: string, detail: string]>([
    ['{"model": {"vocab": {"a": -1}}}', `${ids} one of the vocabulary is -1`],
    ['{"model": {"vocab": {"a": 1.5}}}', `${ids} one of the vocabulary is 1.5`],
    ['{"model": {"vocab": {"a": 4294967296}}}', `${ids} one of the vocabulary is 4294967296`],
    ['{"model": {"vocab": {"a": "0"}}}', `${ids} one of the vocabulary is a text`],
    ['{"model": {"vocab": {"a": [0]}}}', `${ids} one of the vocabulary is a list`],
    ['{"model": {"vocab": {"a": null}}}', `${ids} one of the vocabulary is null`],
    ['{"added_tokens": [{"id": -1, "content": "a"}], "model": {"vocab": {"a": 0}}}', `${ids} that of an added token is -1`],
    ['{}', 'it has no model'],
    ['[]', 'there is a list where an object is expected'],
    ['5', 'there is 5 where an object is expected'],
    ['null', 'there is null where an object is expected'],
    ['{"model": null}', 'there is null where an object is expected'],
  ])('that the library refuses is no damaged JSON: %s', async (text, detail) => {
    const found = await check({ 'tokenizer.json': utf8(text) });
    expect(found.findings).toEqual([{ code: 'tokenizer-refused', path: 'tokenizer.json', facts: { detail } }]);
    expect(found).toMatchObject({ verdict: 'fails', checked: [], notChecked: [{ what: 'tokenizer' }] });
  });

  it('without a vocabulary is not compared', async () => {
    const found = await check({ 'tokenizer.json': utf8('{"model": {"type": "BPE"}}') });
    expect(found.notChecked).toEqual([{ what: 'tokenizer', detail: 'tokenizer.json has no vocabulary' }]);
  });

  it.each<[what: string, file: string, bytes: Uint8Array, detail: string]>([
    ['text', 'tokenizer.model', utf8('something else'), 'it is neither a SentencePiece model nor ranks of tiktoken'],
    ['bytes', 'spiece.model', Uint8Array.of(0, 1, 2, 0x6a), 'it is neither a SentencePiece model nor ranks of tiktoken'],
    [
      'a model that is cut',
      'spm.model',
      Uint8Array.of(0x0a, 2, 0x0a, 0, 0x0a, 9, 0x12),
      'the SentencePiece model in it is damaged',
    ],
    ['lines that are no UTF-8', 'vocab.txt', Uint8Array.of(0xff, 0xfe, 0x0a), 'its text is not UTF-8'],
    ['a list', 'vocab.json', utf8('[]'), 'there is a list where an object is expected'],
  ])('that no class of transformers parses is refused: %s', async (_, file, bytes, detail) => {
    const found = await check({ [file]: bytes });
    expect(found).toMatchObject({ verdict: 'fails', findings: [{ code: 'tokenizer-refused', path: file, facts: { detail } }] });
  });

  it('in a form that is not known is not compared where its own code reads it, or tokenizer.json is in its place', async () => {
    const own = {
      'tokenizer.model': utf8('something else'),
      'tokenizer_config.json': json({ auto_map: { AutoTokenizer: ['a.B', null] } }),
    };
    expect(await check(own)).toMatchObject({
      verdict: 'unknown',
      findings: [],
      notChecked: [{ detail: 'tokenizer.model is in a format that is not known' }],
    });
    const fast = { 'tokenizer.model': utf8('something else'), 'tokenizer.json': tokenizer(60) };
    expect(await check(fast)).toMatchObject({ verdict: 'loads', findings: [] });
  });

  it.each<[verdict: string, className: string | undefined, model: object]>([
    ['loads-with-warnings', 'LlamaTokenizerFast', { type: 'BPE', merges: [] }],
    ['loads-with-warnings', 'LlamaTokenizer', { type: 'BPE', vocab: {}, merges: [] }],
    ['fails', 'LlamaTokenizer', { type: 'Unigram', unk_id: 0 }],
    ['fails', 'PreTrainedTokenizerFast', { type: 'BPE', merges: [] }],
    ['loads-with-warnings', 'PreTrainedTokenizerFast', { type: 'BPE', vocab: {}, merges: [] }],
    ['fails', 'PreTrainedTokenizerFast', { type: 'WordPiece', vocab: {} }],
    ['fails', 'BertTokenizer', { type: 'WordPiece', vocab: {} }],
    ['loads-with-warnings', 'BertTokenizer', { type: 'WordLevel' }],
    ['fails', undefined, { type: 'BPE', merges: [] }],
  ])('%s without tokens as %s: %j', async (verdict, className, model) => {
    const settings = className === undefined ? {} : { 'tokenizer_config.json': json({ tokenizer_class: className }) };
    const found = await check({ 'tokenizer.json': json({ model }), ...settings });
    const isRefused = verdict === 'fails';
    expect(found).toMatchObject({ verdict, findings: [{ code: 'tokenizer-vocabulary-empty', facts: { isRefused } }] });
  });

  it('of a model of another type is refused', async () => {
    const found = await check({ 'tokenizer.json': json({ model: { type: 'FOO', vocab: {} } }) });
    expect([found.verdict, codes(found)]).toEqual(['fails', ['tokenizer-refused']]);
  });

  it('is no matter where there is none', async () => {
    expect(await check({})).toMatchObject({ verdict: 'loads', checked: [], notChecked: [], findings: [] });
  });
});

describe('special ids of config.json', () => {
  it('beyond the rows are a warning each', async () => {
    const found = await check({}, 64, {
      eos_token_id: [2, 64],
      bos_token_id: 1,
      text_config: { image_token_id: 70 },
      codec_eos_token_id: 9999,
    });
    expect(found.findings.map(({ facts }) => facts)).toEqual([
      { key: 'eos_token_id', id: 64, rows: 64 },
      { key: 'image_token_id', id: 70, rows: 64 },
    ]);
  });

  it('that pad fail where the class takes them as the index of a row', async () => {
    expect(codes(await check({}, 65, { pad_token_id: 64 }))).toEqual(['padding-id-refused']);
    expect(codes(await check({}, 65, { pad_token_id: 64, model_type: 'gpt2' }))).toEqual([]);
    expect(codes(await check({}, 64, { pad_token_id: -1 }))).toEqual([]);
  });
});

describe('a tokenizer_config.json without a vocabulary', () => {
  it.each([
    ['TokenizersBackend', 'fails'],
    ['PreTrainedTokenizerFast', 'fails'],
    ['CLIPTokenizer', 'loads-with-warnings'],
    ['LlamaTokenizerFast', 'loads-with-warnings'],
    ['BertTokenizer', 'loads-with-warnings'],
    // Their tokenizer is that of tokenizer.json, whatever class is named.
    ['LlamaTokenizer', 'fails', 'mistral'],
    ['LlamaTokenizerFast', 'fails', 'mixtral'],
    ['GPT2Tokenizer', 'fails', 'stablelm'],
    ['LlamaTokenizer', 'fails', 'phi3'],
    ['ByT5Tokenizer', 'fails', 'granite'],
    ['LlamaTokenizer', 'loads-with-warnings', 'gemma'],
    // Has a class of its own, whatever class is named.
    ['PreTrainedTokenizerFast', 'loads-with-warnings', 'qwen2'],
    ['PreTrainedTokenizerFast', 'fails', 'qwen3'],
  ])('of %s: %s', async (name, verdict, modelType = 'llama') => {
    const settings = { model_type: modelType };
    const found = await check({ 'tokenizer_config.json': json({ tokenizer_class: name }) }, 64, settings);
    expect(found.verdict).toBe(verdict);
    expect(codes(found)).toEqual(['tokenizer-vocabulary-missing']);
  });

  it.each<[what: string, settings: object, files: Record<string, MemoryFile>]>([
    ['bytes', { tokenizer_class: 'ByT5Tokenizer' }, {}],
    ['code of its own', { tokenizer_class: 'TokenizersBackend', auto_map: {} }, {}],
    ['a vocabulary under another name', { tokenizer_class: 'TokenizersBackend' }, { 'tekken.json': json({}) }],
  ])('is nothing where it has %s', async (_, settings, files) => {
    expect(codes(await check({ 'tokenizer_config.json': json(settings), ...files }))).toEqual([]);
  });
});
