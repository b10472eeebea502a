/** The level of names that transformers (5.24) adds or takes off on load: that of the very class, once. Each was answered by `from_pretrained`. */
import { describe, expect, it } from 'vitest';
import { inspectModel, linear, renamed, tinyBert, tinyGpt2, tinyLlama, type TinyModel } from '../../builders/tinyModels.js';

const models: Readonly<Record<string, TinyModel>> = { llama: tinyLlama, bert: tinyBert, gpt2: tinyGpt2 };

async function verdict({ config, tensors }: TinyModel, rename: (name: string) => string): Promise<string | undefined> {
  return (await inspectModel(config, renamed(tensors, rename))).load?.verdict;
}

describe('a level before all names', () => {
  it.each([
    ['llama', 'model', 'loads'],
    ['llama', 'transformer', 'loads-with-warnings'],
    ['llama', 'backbone', 'loads-with-warnings'],
    ['llama', 'bert', 'loads-with-warnings'],
    ['llama', 'roberta', 'loads-with-warnings'],
    ['llama', 'gpt_neox', 'loads-with-warnings'],
    ['bert', 'bert', 'loads'],
    ['bert', 'model', 'loads-with-warnings'],
    ['bert', 'roberta', 'loads-with-warnings'],
    ['gpt2', 'transformer', 'loads'],
    ['gpt2', 'model', 'loads-with-warnings'],
  ])('%s, %s: %s', async (model, level, expected) => {
    expect(await verdict(models[model] as TinyModel, (name) => `${level}.${name}`)).toBe(expected);
  });

  it('is taken off once', async () => {
    expect(await verdict(tinyLlama, (name) => `model.model.${name}`)).toBe('loads-with-warnings');
  });

  it('in place of that of the class is none: what is under it is random', async () => {
    expect(await verdict(tinyLlama, (name) => name.replace(/^model\./, 'transformer.'))).toBe('loads-with-warnings');
    expect(await verdict(tinyBert, (name) => name.replace(/^bert\./, 'roberta.'))).toBe('loads-with-warnings');
  });
});

describe('a model without its level', () => {
  it.each(Object.entries(models))('%s loads', async (_, model) => {
    expect(await verdict(model, (name) => name.replace(/^(?:model|bert|transformer)\./, ''))).toBe('loads');
  });

  it('has another one in the class for answers', async () => {
    const { 'lm_head.weight': _, ...body } = tinyLlama.tensors;
    const config = { ...tinyLlama.config, architectures: ['LlamaForQuestionAnswering'] };
    const answers = linear('qa_outputs', 2, 16);
    const withLevel = (level: string): TinyModel => ({
      config,
      tensors: { ...renamed(body, (name) => name.replace(/^model\./, level)), ...answers },
    });
    const found = ['', 'transformer.', 'model.'].map((level) => verdict(withLevel(level), (name) => name));
    expect(await Promise.all(found)).toEqual(['loads', 'loads', 'loads-with-warnings']);
  });
});
