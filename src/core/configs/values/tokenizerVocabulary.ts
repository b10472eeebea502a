import { publishedModel } from '../publishedModels.js';

/** Families whose embeddings have as many rows as their tokenizer has tokens; others are padded before they are published. */
const unpadded = new Set(['llama', 'mistral', 'mixtral', 'gemma', 'gemma2', 'gpt2']);

/** Tokens of a published model's tokenizer, by the model's name; undefined for those that the name does not determine. */
export function tokenizerVocabulary(name: string | undefined): number | undefined {
  const fields = name === undefined ? undefined : publishedModel(name)?.fields;
  return fields !== undefined && unpadded.has(fields.text('model_type') ?? '') ? fields.integer('vocab_size') : undefined;
}
