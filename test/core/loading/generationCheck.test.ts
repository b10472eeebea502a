/** generation_config.json, by what transformers 5.24 did with each of these settings while a model loaded. */
import { describe, expect, it } from 'vitest';
import { generationCheck } from '../../../src/core/loading/generationCheck.js';
import type { LoadCheck } from '../../../src/core/loading/loadCheck.js';
import { readTokenizer } from '../../../src/core/loading/tokenizerFacts.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

const config = { model_type: 'llama', vocab_size: 100, eos_token_id: 2, max_position_embeddings: 2048 };

async function check(settings: object, files: Record<string, MemoryFile> = {}): Promise<LoadCheck> {
  const { read, context } = await readCheckpoint({
    'config.json': json(config),
    'model.safetensors': buildSafetensors({ tensors: { 'model.embed_tokens.weight': { dtype: 'F32', shape: [100, 2] } } }),
    'generation_config.json': json({ _from_model_config: false, ...settings }),
    ...files,
  });
  return generationCheck(read, context, await readTokenizer(read, context));
}

describe('settings of generation', () => {
  it.each([
    { num_return_sequences: 3 },
    { early_stopping: 'x' },
    { max_new_tokens: 0 },
    { cache_implementation: 'foo' },
    { num_return_sequences: 3, num_beams: 2 },
  ])('that transformers refuses fail: %o', async (settings) => {
    const { verdict, findings } = await check(settings);
    expect(verdict).toBe('fails');
    expect(findings.map(({ code }) => code)).toContain('generation-settings-refused');
  });

  it.each<[settings: object, ignored: string, needs: string]>([
    [{ do_sample: false, temperature: 0.5, top_p: 0.9, top_k: 50 }, 'temperature, top_p', 'do_sample'],
    [{ min_p: 0.1 }, 'min_p', 'do_sample'],
    [{ num_beams: 1, length_penalty: 2 }, 'length_penalty', 'num_beams above 1'],
    [{ output_scores: true, return_dict_in_generate: false }, 'output_scores', 'return_dict_in_generate'],
    [{ use_cache: false, cache_implementation: 'static' }, 'cache_implementation', 'use_cache'],
  ])('that it ignores are a note: %o', async (settings, ignored, needs) => {
    const { verdict, findings } = await check(settings);
    expect(verdict).toBe('loads');
    expect(findings).toEqual([
      { code: 'generation-settings-ignored', path: 'generation_config.json', facts: { settings: ignored, needs } },
    ]);
  });

  it.each([
    { do_sample: true, temperature: 0.5, top_k: 20, num_return_sequences: 3 },
    { num_beams: 4, num_return_sequences: 4, early_stopping: 'never', length_penalty: 2 },
    { eos_token_id: [2, 99], max_length: 2048 },
    { pad_token_id: 0, bos_token_id: 1 },
    { cache_implementation: 'hybrid' },
  ])('that go together are none: %o', async (settings) => {
    expect(await check(settings)).toEqual({
      verdict: 'loads',
      why: '',
      checked: ['generation-config'],
      notChecked: [],
      findings: [],
      done: ['generation_config.json: settings against each other, ids against config.json and the rows of the embedding'],
    });
  });

  it('with a length beyond the positions is a note', async () => {
    const { findings } = await check({ max_length: 4096 });
    expect(findings).toMatchObject([{ code: 'generation-length-beyond-positions', facts: { length: 4096, positions: 2048 } }]);
  });
});

describe('ids of generation', () => {
  it('beyond the rows are a warning', async () => {
    const { verdict, findings } = await check({ eos_token_id: [2, 100] });
    expect(verdict).toBe('loads-with-warnings');
    expect(findings).toMatchObject([{ code: 'special-id-beyond-embedding', facts: { key: 'eos_token_id', id: 100 } }]);
  });

  it('beyond the rows that config.json has as well are named there alone', async () => {
    const { verdict, findings } = await check(
      { eos_token_id: 100, pad_token_id: 101 },
      { 'config.json': json({ ...config, eos_token_id: 100 }) },
    );
    expect(verdict).toBe('loads-with-warnings');
    expect(findings).toMatchObject([{ code: 'special-id-beyond-embedding', facts: { key: 'pad_token_id' } }]);
  });

  it('that differ from those of the config are a note', async () => {
    const { verdict, findings } = await check({ eos_token_id: 3 });
    expect(verdict).toBe('loads');
    expect(findings).toMatchObject([{ code: 'generation-id-differs', facts: { own: '3', other: '2', source: 'config.json' } }]);
  });

  it.each<[eos: unknown, found: string | undefined]>([
    [[2, 7], undefined],
    [2, '2'],
    [undefined, 'not set'],
  ])('are compared with the end of the tokenizer: %o', async (eos, own) => {
    const files = {
      'tokenizer_config.json': json({ eos_token: { content: '<|im_end|>' } }),
      'tokenizer.json': json({ added_tokens: [{ id: 7, content: '<|im_end|>' }], model: { vocab: { a: 0 } } }),
    };
    const { findings } = await check({ eos_token_id: eos }, files);
    const facts = { key: 'eos_token_id', own, other: '7', source: 'the tokenizer' };
    expect(findings.map((finding) => finding.facts)).toEqual(own === undefined ? [] : [facts]);
  });
});
